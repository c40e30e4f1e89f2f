// Sums of rank-one terms: expanding them and writing them as text. Reading is toolbox.cpp.
#include "tensor/ktensor.hpp"

#include <iterator>
#include "error/fail.hpp"
#include "tensor/write.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

void append_line(std::string& text, const double* values, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) fmt::format_to(std::back_inserter(text), "{}{:.16e}", k == 0 ? "" : " ", values[k]);
  text += '\n';
}

}  // namespace

Extents Ktensor::extents() const {
  Extents result;
  for (const Dense& factor : factors) result.push_back(factor.extents()[0]);
  return result;
}

Dense Ktensor::to_dense() const {
  Dense result = Dense::zeros(Dtype::f64, extents());
  const std::int64_t size = result.size();
  const std::size_t order = factors.size();
  // terms[n] holds weights times the rows of the first n factors; only the levels below the changed index are computed again.
  std::vector<std::vector<double>> terms(order + 1, weights);
  std::vector<const double*> data;
  for (const Dense& factor : factors) data.push_back(factor.view().as<double>());
  Extents index(order, 0);
  std::size_t changed = 0;
  double* elements = result.view().as<double>();
  for (std::int64_t element = 0; element < size; ++element) {
    for (std::size_t n = changed; n < order; ++n)
      for (std::size_t r = 0; r < weights.size(); ++r)
        terms[n + 1][r] = terms[n][r] * data[n][index[n] * rank() + static_cast<std::int64_t>(r)];
    for (double term : terms[order]) elements[element] += term;
    for (changed = order; changed-- > 0;) {
      if (++index[changed] < result.extents()[changed]) break;
      index[changed] = 0;
    }
  }
  return result;
}

std::string ktensor_text(const std::vector<double>& weights, const std::vector<ConstArray>& factors) {
  const auto rank = static_cast<std::int64_t>(weights.size());
  std::string text = fmt::format("ktensor\n{}\n", factors.size());
  for (std::size_t n = 0; n < factors.size(); ++n) {
    const Extents& extents = factors[n].extents;
    if (extents.size() != 2 || extents[1] != rank)
      fail(Code::shape, fmt::format("factor {} does not belong to {} weights", n, rank), fmt::format("extents n x {}", rank),
           text_of(extents));
    text += fmt::format("{}{}", n == 0 ? "" : " ", extents[0]);
  }
  text += fmt::format("\n{}\n", rank);
  append_line(text, weights.data(), rank);
  for (const ConstArray& factor : factors) {
    const Dense values = Dense::copy(factor, Dtype::f64);
    text += fmt::format("matrix\n2\n{} {}\n", factor.extents[0], rank);
    const double* row = values.view().as<double>();
    for (std::int64_t i = 0; i < factor.extents[0]; ++i, row += rank) append_line(text, row, rank);
  }
  return text;
}

void write_ktensor(const std::filesystem::path& path, const std::vector<double>& weights, const std::vector<ConstArray>& factors) {
  write_file(path, ktensor_text(weights, factors));
}

}  // namespace tyto::tensor
