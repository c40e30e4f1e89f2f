// Networks of many operands, contracted in pairs that are given.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include "program_kernel.hpp"

namespace tyto::benchmarks {

namespace {

using Labels = std::vector<std::size_t>;

std::vector<Labels> rows_of(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw Error({.code = Code::file_missing, .what = "a file cannot be read", .found = file});
  std::vector<Labels> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    rows.emplace_back();
    for (std::size_t label = 0; words >> label;) rows.back().push_back(label);
  }
  return rows;
}

/// What is left to contract.
class Remaining {
 public:
  Remaining(Exprs operands, Indices output) : values_(std::move(operands)), output_(std::move(output)), left_(values_.size()) {}

  /// One einsum that keeps the labels that others have, or the output. Sums over labels of one operand alone come with it.
  void join(std::size_t left, std::size_t right) {
    const Expr a = values_.at(left), b = values_.at(right);
    values_[left] = values_[right] = Expr();
    --left_;
    values_.push_back(einsum({a, b}, left_ == 1 ? output_ : kept(a, b)));
  }
  const Expr& last() const { return values_.back(); }

 private:
  Indices kept(const Expr& a, const Expr& b) const {
    Indices kept;
    for (const Expr& operand : {a, b})
      for (const Index& label : operand.shape())
        if (is_needed(label) && std::find(kept.begin(), kept.end(), label) == kept.end()) kept.push_back(label);
    return kept;
  }
  bool is_needed(const Index& label) const {
    const auto has = [&](const Indices& labels) { return std::find(labels.begin(), labels.end(), label) != labels.end(); };
    return has(output_) || std::any_of(values_.begin(), values_.end(), [&](const Expr& value) { return has(value.shape()); });
  }

  Exprs values_;
  Indices output_;
  std::size_t left_;
};

/// The network itself: labels, operands with their leaves, and the labels of the result.
struct Network {
  Network(const std::vector<Labels>& rows, Field field) {
    for (const std::size_t extent : rows.at(0))
      labels.emplace_back("l" + std::to_string(labels.size()), static_cast<std::int64_t>(extent));
    output = indices(rows.at(1));
    for (std::size_t n = 2; n < rows.size(); ++n) {
      operands.push_back(tensor("T" + std::to_string(n - 2), indices(rows[n]), field));
      double size = 1;
      for (const Index& label : operands.back().shape()) size *= static_cast<double>(label.extent());
      // Of variance 1 / sqrt(size): a network in which every label is on two operands then has a value near one.
      leaves.push_back({operands.back(), Changes::every_run, std::sqrt(12.0) * std::pow(size, -0.25)});
    }
  }
  Indices indices(const Labels& row) const {
    Indices chosen;
    for (const std::size_t label : row) chosen.push_back(labels.at(label));
    return chosen;
  }

  Indices labels, output;
  Exprs operands;
  std::vector<Leaf> leaves;
};

}  // namespace

std::unique_ptr<Kernel> network(const Arguments& arguments) {
  const bool is_complex = arguments.dtype() == Dtype::c64 || arguments.dtype() == Dtype::c128;
  const Network network(rows_of(arguments.text("network")), is_complex ? Field::complex : Field::real);
  Remaining remaining(network.operands, network.output);
  for (const Labels& pair : rows_of(arguments.text("pairs"))) remaining.join(pair.at(0), pair.at(1));
  return std::make_unique<ProgramKernel>(Exprs{remaining.last()}, network.leaves, arguments);
}

}  // namespace tyto::benchmarks
