#pragma once
/// Whether two graphs are one formula: equal up to names of labels, order of factors and terms, and the order in which axes of
/// intermediates and outputs are kept. Leaves are known by their names.
#include <map>
#include <set>
#include <string>
#include "graph/text.hpp"

namespace tyto::test {

/// Axis k of one node is axis map[k] of the other.
using AxisMap = std::vector<std::int32_t>;

/// Finds every way in which the axes of a node of one store may be those of a node of another, so that both are one formula.
class Matching {
 public:
  Matching(const graph::Store& left, const graph::Store& right) : left_(left), right_(right) {}
  std::set<AxisMap> maps(graph::NodeId left, graph::NodeId right);

 private:
  struct Labels;
  std::set<AxisMap> found(graph::NodeId left, graph::NodeId right);
  std::set<AxisMap> products(const graph::Node& left, const graph::Node& right);
  void pair_factors(const graph::Node& left, const graph::Node& right, std::size_t factor, Labels&, std::set<AxisMap>& all);
  std::set<AxisMap> sums(const graph::Node& left, const graph::Node& right);
  void pair_terms(const graph::Node& left, const graph::Node& right, std::size_t term, std::vector<char>& taken,
                  const std::set<AxisMap>& possible, std::set<AxisMap>& all);
  std::set<AxisMap> systems(const graph::Solve&, const graph::Node& left, const graph::Node& right);

  const graph::Store& left_;
  const graph::Store& right_;
  std::map<std::pair<graph::NodeId, graph::NodeId>, std::set<AxisMap>> known_;
};

/// Whether each output of one graph is the formula of the output at its place in the other.
bool is_same_form(const graph::Graph&, const graph::Graph&);
/// The same of a graph given as text.
bool has_form(const graph::Graph&, const std::string& text);

}  // namespace tyto::test
