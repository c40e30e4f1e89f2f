// What can be said of data before their values are known: whether the extents are those of a matrix product operator.
#include "hamiltonian/from_data.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "hamiltonian/mpo.hpp"

namespace tyto::hamiltonian {

Exprs operators_of_data(Declaration& d, const std::string& input) {
  const Exprs tensors = d.data_list(input);
  std::vector<Extents> extents;
  for (const Expr& w : tensors) {
    extents.emplace_back();
    for (const Index& label : w.shape()) extents.back().push_back(label.extent());
  }
  if (const std::vector<Finding> faults = faults_of_form(extents, {}); !faults.empty()) {
    const Finding& first = faults.front();
    d.reject(input,
             fmt::format("is no matrix product operator: {}: expected {}, found {}", first.what, first.expected, first.found),
             first.hint.empty() ? "tensors as [left][right][out][in], from the first site to the last" : first.hint);
  }
  Exprs joined;
  Index left(input + ".0", 1);
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const Extents& e = extents[k];
    const Index right(fmt::format("{}.{}", input, k + 1), e[1]), out(fmt::format("{}.out", k + 1), e[2]),
        in(fmt::format("{}.in", k + 1), e[3]);
    joined.push_back(tensors[k]({left, right, out, in}));
    left = right;
  }
  return joined;
}

std::string description(const std::string& input, const Exprs& tensors) {
  std::int64_t bond = 1, least = tensors.front().axis(2).extent(), most = least;
  for (const Expr& w : tensors) {
    bond = std::max(bond, w.axis(1).extent());
    least = std::min(least, w.axis(2).extent()), most = std::max(most, w.axis(2).extent());
  }
  const std::string states = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return fmt::format("{}: {} tensors with bonds up to {}, on sites of {} states", input, tensors.size(), bond, states);
}

}  // namespace tyto::hamiltonian
