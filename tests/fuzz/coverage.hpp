#pragma once
/// Which operations, and which operation as an operand of which, have been met.
#include <map>
#include <set>
#include <string>
#include "graph/graph.hpp"

namespace tyto::fuzz {

class Coverage {
 public:
  void note(const graph::Graph&);
  /// "19 of 19 operations, 240 of 361 pairs"
  std::string text() const;
  std::vector<std::string> missing_operations() const;

 private:
  std::set<std::size_t> met_;
  std::set<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace tyto::fuzz
