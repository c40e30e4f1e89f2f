#pragma once
/// The Declaration that plugins see: it checks what they say and writes it down.
#include <functional>
#include <map>
#include "problem/problem.hpp"

namespace tyto::problem {

class Recorder final : public Declaration {
 public:
  /// `traits` answers for the name of an unknown, `written` states the objective of the run file, if there is one. All outlive the
  /// recorder.
  Recorder(const std::vector<Input>& inputs, std::function<UserTraits(const std::string&)> traits,
           std::function<Expr(Declaration&)> written = {});
  /// What was declared; ridge terms are added here. Error{plugin_rule} if there is no objective or an unknown that no objective
  /// depends on, or if nobody asked for the objective of the run file.
  Problem finish();

  Expr data(const std::string& input) override;
  Expr data(const std::string& input, const Indices& labels) override;
  Exprs data_list(const std::string& input) override;
  bool has_data(const std::string& input) const override;
  Expr constant(const std::string& name, const Indices& shape, const std::vector<double>& row_major_values) override;
  Expr complex_constant(const std::string& name, const Indices& shape, const std::vector<std::complex<double>>&) override;
  [[noreturn]] void reject(const std::string& input, const std::string& why, const std::string& hint) const override;
  Extents hosvd_ranks(const Expr& data, double tolerance) override;
  Expr weights(const Expr& data) override;
  Expr unknown(const std::string& name, const Indices& shape, const Traits&) override;
  Expr state(const std::string& name, const Indices& shape) override;
  Expr parameter(const std::string& name, double start) override;
  Exprs train(const std::string& name, const Indices& sites, const Extents& capacity, Field) override;
  void start(const Exprs& train, const std::vector<std::vector<double>>& vectors) override;
  Expr merged(const Expr& left, const Expr& right) override;

  tyto::Objective minimize(const Expr& scalar) override;
  tyto::Objective declared_objective() override;
  Exprs unknowns(tyto::Objective) const override;
  tyto::BlockSolve block_solve(tyto::Objective, const Expr& block) override;
  tyto::Step step(tyto::Objective, const Exprs& unknowns, Method) override;
  Minimize minimizer(tyto::Objective, const Exprs& unknowns, Method) override;
  tyto::Subspace subspace(tyto::Objective, const Expr& block) override;
  tyto::EigenSolve lowest_eigenpair(tyto::Objective, const Expr& block, const Exprs& orthogonal_to) override;
  tyto::Split split(const Expr& merged) override;
  tyto::Assign assign(const Expr& leaf, const Expr& value) override;
  Value observe(const std::string& name, const Expr&) override;
  tyto::Column column(const std::string& name, const std::string& help) override;
  void note(const std::string& text) override { problem_.notes.push_back(text); }

 private:
  /// The input, or null.
  const Input* find_input(const std::string& name) const;
  /// Error{missing_key} where there is none, Error{contradiction} where it is a list.
  const Input& input(const std::string& name) const;
  [[noreturn]] void fail_missing_input(const std::string& name, const std::string& form) const;
  Expr leaf(const std::string& name, graph::Role, const Indices& shape, const Facts& = {}, Field = Field::real);
  const Leaf& data_leaf(const Expr&, const std::string& request) const;
  std::size_t unknown_index(const Expr& block, const std::string& request) const;
  Expr data_of(const Input&);
  Step requested(tyto::Objective, const Exprs& unknowns, Method, const std::string& request) const;
  /// Error{plugin_rule} for what is neither a core of a train nor two merged.
  Block block_of(const Expr&, const std::string& request) const;
  void check_objective(tyto::Objective, const std::string& request) const;

  const std::vector<Input>& inputs_;
  std::function<UserTraits(const std::string&)> traits_;
  std::function<Expr(Declaration&)> written_;
  std::optional<tyto::Objective> declared_;  // the objective of the run file, once it was asked for
  Problem problem_;
  std::map<std::string, Index> named_modes_;
  std::map<graph::NodeId, Block> merged_;
  std::vector<std::string> names_;  // of all leaves
};

}  // namespace tyto::problem
