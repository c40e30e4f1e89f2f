#pragma once
/// What the functions that make an Expr share: labels of handles against positions of nodes.
#include "graph/build.hpp"

namespace tyto::graph {

/// "i,j,k"
std::string listed(const Indices&);
bool contains(const Indices&, const Index&);
/// Every label once, in order of first appearance.
Indices united(const Exprs&);
bool same_labels(const Indices&, const Indices&);
/// Where each wanted label stands among those present; all must be there.
std::vector<std::int32_t> positions(const Indices& wanted, const Indices& present);

/// The expressions as nodes of one store: that of the largest, a new one if all are constants.
struct Joined {
  std::shared_ptr<Store> store;
  std::vector<NodeId> nodes;
};
Joined joined_store(const Exprs&);

/// A number without a store.
bool is_constant(const Expr&);
/// The value under every label.
Expr everywhere(const std::shared_ptr<Store>&, std::complex<double> value, const Indices&);
Shape shape_of_labels(Store&, const Indices&);
/// Error{label} if a label is given twice; `what` it is: "row label".
void check_once(const Indices&, const std::string& what, const Expr& context);
/// Error{label} unless both sides have the same labels; `quote` is the expression that joins them.
void check_same(const Expr& a, const Expr& b, const std::string& quote, const std::string& hint);

/// A new leaf, different from every other. Error{label} if a label is given twice.
Expr make_leaf(const std::shared_ptr<Store>&, std::string name, Role, const Indices&, Field = Field::real, const Facts& = {});

}  // namespace tyto::graph
