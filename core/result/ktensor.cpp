// Recognizing and normalizing CP results.
#include "result/ktensor.hpp"
#include "error/fail.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace tyto::result {
namespace {

std::string written(const NamedAxes& a) { return fmt::format("{}({})", a.name, fmt::join(a.labels, ",")); }
std::string written(const DataDescription& d) { return fmt::format("{}({})", d.name, fmt::join(d.labels, ",")); }

const NamedAxes* factor_of(const std::vector<NamedAxes>& unknowns, const std::string& mode) {
  const auto found = std::find_if(unknowns.begin(), unknowns.end(), [&](const NamedAxes& a) { return a.labels[0] == mode; });
  return found == unknowns.end() ? nullptr : &*found;
}

/// Empty, or why the first labels of `unknowns` are not the modes of `tensor`, each once.
std::string why_not_modes(const std::vector<NamedAxes>& unknowns, const DataDescription& tensor) {
  for (const std::string& mode : tensor.labels)
    if (!factor_of(unknowns, mode)) return fmt::format("mode {} of {} has no factor", mode, written(tensor));
  for (const NamedAxes& a : unknowns) {
    if (std::count(tensor.labels.begin(), tensor.labels.end(), a.labels[0]) != 1)
      return fmt::format("{} belongs to no mode of {}", written(a), written(tensor));
    if (const NamedAxes* first = factor_of(unknowns, a.labels[0]); first != &a)
      return fmt::format("{} and {} belong to one mode of {}", written(*first), written(a), written(tensor));
  }
  return {};
}

/// The tensor that the unknowns decompose, or null with the reason why the first one is not it.
const DataDescription* decomposed(const std::vector<NamedAxes>& unknowns, const std::vector<DataDescription>& data,
                                  std::string& why) {
  for (const DataDescription& tensor : data) {
    const std::string reason = why_not_modes(unknowns, tensor);
    if (reason.empty()) return &tensor;
    if (why.empty()) why = reason;
  }
  if (data.empty()) why = "there is no data tensor";
  return nullptr;
}

std::vector<NamedAxes> axes_of(const Record& record) {
  std::vector<NamedAxes> axes;
  for (const std::string& name : record.result.unknowns)
    if (const NamedArray* a = find_array(record.result, name)) axes.push_back({name, a->labels});
  return axes;
}

/// Norm of column r of a row-major matrix, without over- or underflow of the squares.
double column_norm(const NamedArray& a, std::int64_t r) {
  const std::int64_t rank = a.extents[1];
  double largest = 0;
  for (std::int64_t i = 0; i < a.extents[0]; ++i)
    largest = std::max(largest, std::abs(a.values[static_cast<std::size_t>(i * rank + r)]));
  if (largest == 0) return 0;
  double sum = 0;
  for (std::int64_t i = 0; i < a.extents[0]; ++i) {
    const double ratio = a.values[static_cast<std::size_t>(i * rank + r)] / largest;
    sum += ratio * ratio;
  }
  return largest * std::sqrt(sum);
}

void divide_column(NamedArray& a, std::int64_t r, double divisor) {
  for (std::int64_t i = 0; i < a.extents[0]; ++i) {
    double& value = a.values[static_cast<std::size_t>(i * a.extents[1] + r)];
    value = divisor == 0 ? 0 : value / divisor + 0.0;  // + 0.0: no -0 from a change of sign
  }
}

/// Gives component r columns of unit norm and returns its weight. The product of norms is kept as fraction and exponent: its
/// partial products may leave the range of a double although the weight does not.
double normalize_component(std::vector<NamedArray>& factors, std::int64_t r) {
  double fraction = 1;
  int exponent = 0;
  for (NamedArray& a : factors) {
    const double norm = column_norm(a, r);
    divide_column(a, r, norm);
    int shift = 0;
    fraction = std::frexp(fraction * norm, &shift);
    exponent += shift;
  }
  const double weight = std::ldexp(fraction, exponent);
  if (weight == 0)
    for (NamedArray& a : factors) divide_column(a, r, 0);
  return weight;
}

double entry_of_largest_magnitude(const NamedArray& a, std::int64_t r) {
  double found = 0;
  for (std::int64_t i = 0; i < a.extents[0]; ++i)
    if (const double value = a.values[static_cast<std::size_t>(i * a.extents[1] + r)]; std::abs(value) > std::abs(found))
      found = value;
  return found;
}

void fix_signs(std::vector<NamedArray>& factors, std::int64_t r) {
  bool odd = false;
  for (std::size_t n = 0; n + 1 < factors.size(); ++n)
    if (entry_of_largest_magnitude(factors[n], r) < 0) {
      divide_column(factors[n], r, -1);
      odd = !odd;
    }
  if (odd) divide_column(factors.back(), r, -1);
}

NamedArray with_columns(const NamedArray& a, const std::vector<std::int64_t>& order) {
  NamedArray out = a;
  const auto rank = static_cast<std::int64_t>(order.size());
  for (std::int64_t i = 0; i < a.extents[0]; ++i)
    for (std::int64_t r = 0; r < rank; ++r)
      out.values[static_cast<std::size_t>(i * rank + r)] =
          a.values[static_cast<std::size_t>(i * rank + order[static_cast<std::size_t>(r)])];
  return out;
}

double congruence(const Ktensor& k, std::int64_t r, std::int64_t s) {
  double product = 1;
  for (const NamedArray& a : k.factors) {
    double cosine = 0;
    for (std::int64_t i = 0; i < a.extents[0]; ++i)
      cosine += a.values[static_cast<std::size_t>(i * k.rank() + r)] * a.values[static_cast<std::size_t>(i * k.rank() + s)];
    product *= cosine;
  }
  return product;
}

}  // namespace

std::string why_not_ktensor(const std::vector<NamedAxes>& unknowns, const std::vector<DataDescription>& data) {
  if (unknowns.empty()) return "there are no unknowns";
  for (const NamedAxes& a : unknowns)
    if (a.labels.size() != 2) return fmt::format("{} is not a matrix", written(a));
  for (const NamedAxes& a : unknowns)
    if (a.labels[1] != unknowns[0].labels[1])
      return fmt::format("{} does not share the label {} of {}", written(a), unknowns[0].labels[1], written(unknowns[0]));
  std::string why;
  return decomposed(unknowns, data, why) ? std::string() : why;
}

std::string why_not_ktensor(const Record& record) {
  for (const std::string& name : record.result.unknowns)
    if (!find_array(record.result, name)) return fmt::format("{} has no values", name);
  if (std::string why = why_not_ktensor(axes_of(record), record.data); !why.empty()) return why;
  for (const std::string& name : record.result.unknowns) {
    const std::vector<double>& values = find_array(record.result, name)->values;
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      return fmt::format("{} has values that are not finite", name);
  }
  return {};
}

Ktensor with_unit_columns(std::vector<std::string> unknowns, std::vector<NamedArray> factors) {
  Ktensor k{.unknowns = std::move(unknowns), .factors = std::move(factors)};
  k.columns.resize(static_cast<std::size_t>(k.factors[0].extents[1]));
  std::iota(k.columns.begin(), k.columns.end(), 0);
  for (const std::int64_t r : k.columns) k.weights.push_back(normalize_component(k.factors, r));
  return k;
}

Ktensor with_unit_columns(const Record& record) {
  const std::vector<NamedAxes> axes = axes_of(record);
  std::string why;
  const DataDescription* tensor = decomposed(axes, record.data, why);
  TYTO_ASSERT(tensor != nullptr);
  std::vector<std::string> unknowns;
  std::vector<NamedArray> factors;
  for (const std::string& mode : tensor->labels) {
    unknowns.push_back(factor_of(axes, mode)->name);
    factors.push_back(*find_array(record.result, unknowns.back()));
  }
  return with_unit_columns(std::move(unknowns), std::move(factors));
}

Ktensor normalized_ktensor(const Record& record) {
  Ktensor k = with_unit_columns(record);
  for (const std::int64_t r : k.columns) fix_signs(k.factors, r);
  const std::vector<double> weights = std::move(k.weights);
  const auto weight = [&](std::int64_t r) { return weights[static_cast<std::size_t>(r)]; };
  std::stable_sort(k.columns.begin(), k.columns.end(), [&](std::int64_t r, std::int64_t s) { return weight(r) > weight(s); });
  for (NamedArray& a : k.factors) a = with_columns(a, k.columns);
  k.weights.clear();
  for (const std::int64_t r : k.columns) k.weights.push_back(weight(r));
  return k;
}

std::vector<double> weight_shares(const Ktensor& k) {
  const double largest = k.weights.empty() ? 0 : k.weights.front();
  std::vector<double> shares(k.weights.size(), 0);
  if (!(largest > 0)) return shares;
  double sum = 0;
  for (const double w : k.weights) sum += (w / largest) * (w / largest);
  for (std::size_t r = 0; r < shares.size(); ++r) shares[r] = (k.weights[r] / largest) * (k.weights[r] / largest) / sum;
  return shares;
}

std::vector<double> largest_congruences(const Ktensor& k) {
  std::vector<double> largest(k.weights.size(), 0);
  for (std::int64_t r = 0; r < k.rank(); ++r)
    for (std::int64_t s = 0; s < r; ++s) {
      const double value = congruence(k, r, s);
      for (const std::int64_t component : {r, s}) {
        double& best = largest[static_cast<std::size_t>(component)];
        if (std::abs(value) > std::abs(best)) best = value;
      }
    }
  return largest;
}

}  // namespace tyto::result
