#include "verify/facts.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <fmt/format.h>
#include "tensor/dense.hpp"

namespace tyto::verify {
namespace {

using Complex = std::complex<double>;
using Axes = std::vector<std::int32_t>;

std::size_t at(std::int32_t axis) { return static_cast<std::size_t>(axis); }

bool is_complex(Dtype type) { return type == Dtype::c64 || type == Dtype::c128; }

/// Every axis once, in order.
Axes distinct(const Axes& axes) {
  Axes once;
  for (const std::int32_t axis : axes)
    if (std::find(once.begin(), once.end(), axis) == once.end()) once.push_back(axis);
  return once;
}

/// Any element as a number; integers beyond 2^53 are rounded.
template <class T>
Complex number(T value) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(value);
  else return Complex(value);
}
template <class T>
double magnitude(T value) {
  if constexpr (std::is_arithmetic_v<T>) return std::abs(static_cast<double>(value));
  else return std::abs(Complex(value));
}

/// A distance that can be compared: NaN is farther than any number.
double distance(Complex a, Complex b) {
  if (a == b) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

std::string text_of(Complex value, Dtype type) {
  if (!is_complex(type)) return fmt::format("{:.10g}", value.real());
  return fmt::format("{:.10g}{:+.10g}i", value.real(), value.imag());
}

std::string text_of_axes(const Axes& axes, const std::vector<std::string>& labels) {
  std::vector<std::string> names;
  for (const std::int32_t axis : axes) names.push_back(labels[at(axis)]);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// An entry and the one that it should be equal to.
struct Unequal {
  Extents index, sorted;
  Complex value, sorted_value;
  double difference = 0;
};

/// Steps of the memory from an entry to the one whose indices along the axes ascend; `along` is room for those.
std::int64_t steps_to_sorted(const Extents& index, const Extents& strides, const Axes& axes, Extents& along) {
  for (std::size_t k = 0; k < axes.size(); ++k) along[k] = index[at(axes[k])];
  std::sort(along.begin(), along.end());
  std::int64_t steps = 0;
  for (std::size_t k = 0; k < axes.size(); ++k) steps += (along[k] - index[at(axes[k])]) * strides[at(axes[k])];
  return steps;
}

/// The entry that differs most from the one whose indices along the axes ascend, where some differ by more than the tolerance.
template <class T>
std::optional<Unequal> most_unequal(const T* first, const ConstArray& array, const Axes& axes) {
  Unequal worst;
  double largest = 0;
  Extents index(array.extents.size(), 0), along(axes.size());
  std::int64_t offset = 0;
  for (std::int64_t rest = array.size(); rest > 0; --rest) {
    if (const double size = magnitude(first[offset]); std::isfinite(size)) largest = std::max(largest, size);
    if (const std::int64_t steps = steps_to_sorted(index, array.strides, axes, along); steps != 0) {
      const Complex value = number(first[offset]), sorted_value = number(first[offset + steps]);
      const double difference = distance(value, sorted_value);
      if (difference > worst.difference) worst = {index, index, value, sorted_value, difference};
    }
    for (std::size_t axis = index.size(); axis-- > 0;) {
      offset += array.strides[axis];
      if (++index[axis] < array.extents[axis]) break;
      offset -= array.extents[axis] * array.strides[axis];
      index[axis] = 0;
    }
  }
  if (!(worst.difference > tolerance_of(array.dtype) * largest)) return {};
  for (std::size_t k = 0; k < axes.size(); ++k) along[k] = worst.index[at(axes[k])];
  std::sort(along.begin(), along.end());
  for (std::size_t k = 0; k < axes.size(); ++k) worst.sorted[at(axes[k])] = along[k];
  return worst;
}

std::optional<Unequal> most_unequal(const ConstArray& array, const Axes& axes) {
  switch (array.dtype) {
    case Dtype::i16: return most_unequal(array.as<std::int16_t>(), array, axes);
    case Dtype::i32: return most_unequal(array.as<std::int32_t>(), array, axes);
    case Dtype::i64: return most_unequal(array.as<std::int64_t>(), array, axes);
    case Dtype::f32: return most_unequal(array.as<float>(), array, axes);
    case Dtype::f64: return most_unequal(array.as<double>(), array, axes);
    case Dtype::c64: return most_unequal(array.as<std::complex<float>>(), array, axes);
    case Dtype::c128: return most_unequal(array.as<Complex>(), array, axes);
  }
  return {};
}

void check_symmetric(const Declared& declared, const Axes& group, const ConstArray& array, std::vector<Finding>& findings) {
  Axes axes = distinct(group);
  std::sort(axes.begin(), axes.end());
  const std::optional<Unequal> worst = most_unequal(array, axes);
  if (!worst) return;
  const auto entry = [&](const Extents& index) { return fmt::format("{}({})", declared.name, fmt::join(index, ",")); };
  findings.push_back(
      {.code = Code::contradiction,
       .what = fmt::format("{} is declared symmetric in {}", declared.name, text_of_axes(axes, declared.labels)),
       .expected = fmt::format("{} = {} = {} within {} of the largest magnitude", entry(worst->index), entry(worst->sorted),
                               text_of(worst->sorted_value, array.dtype), tolerance_of(array.dtype)),
       .found = text_of(worst->value, array.dtype),
       .hint = "values that are symmetric, or a leaf without Facts::symmetric"});
}

/// Two vectors and their scalar product.
struct Overlap {
  std::int64_t left = 0, right = 0;
  Complex value;
  double difference = 0;
};

/// The scalar product that is farthest from that of orthonormal vectors; entries(entry, vector) is row-major.
template <class T>
Overlap worst_overlap(const T* entries, std::int64_t entry_count, std::int64_t vector_count) {
  std::vector<T> products(static_cast<std::size_t>(vector_count * vector_count));  // (left, right), left <= right
  for (std::int64_t e = 0; e < entry_count; ++e) {
    const T* entry = entries + e * vector_count;
    for (std::int64_t left = 0; left < vector_count; ++left) {
      T conjugate = entry[left];
      if constexpr (std::is_same_v<T, Complex>) conjugate = std::conj(conjugate);
      T* row = products.data() + left * vector_count;
      for (std::int64_t right = left; right < vector_count; ++right) row[right] += conjugate * entry[right];
    }
  }
  Overlap worst;
  for (std::int64_t left = 0; left < vector_count; ++left)
    for (std::int64_t right = left; right < vector_count; ++right) {
      const Complex value(products[static_cast<std::size_t>(left * vector_count + right)]);
      const double difference = distance(value, left == right ? 1 : 0);
      if (difference > worst.difference) worst = {left, right, value, difference};
    }
  return worst;
}

/// The axes of an array in two groups: those that an entry of a vector has, and those that number the vectors.
struct Vectors {
  Axes of_entry, of_vector;
  ConstArray array;  ///< its axes in that order
  std::int64_t entry_count = 1, vector_count = 1;

  Vectors(const ConstArray& whole, const Axes& axes) : of_vector(distinct(axes)), array(whole) {
    Axes order;
    for (std::int32_t axis = 0; at(axis) < whole.extents.size(); ++axis)
      if (std::find(of_vector.begin(), of_vector.end(), axis) == of_vector.end()) of_entry.push_back(axis);
    order = of_entry;
    order.insert(order.end(), of_vector.begin(), of_vector.end());
    for (std::size_t k = 0; k < order.size(); ++k)
      array.extents[k] = whole.extents[at(order[k])], array.strides[k] = whole.strides[at(order[k])];
    const auto middle = array.extents.begin() + static_cast<std::ptrdiff_t>(of_entry.size());
    entry_count = element_count(Extents(array.extents.begin(), middle));
    vector_count = element_count(Extents(middle, array.extents.end()));
  }

  Overlap worst() const {
    if (is_complex(array.dtype)) {
      const tensor::Dense entries = tensor::Dense::copy(array, Dtype::c128);
      return worst_overlap(entries.view().as<Complex>(), entry_count, vector_count);
    }
    const tensor::Dense entries = tensor::Dense::copy(array, Dtype::f64);
    return worst_overlap(entries.view().as<double>(), entry_count, vector_count);
  }

  /// "Q(i,2)"
  std::string text_of_vector(std::int64_t number, const Declared& declared) const {
    std::vector<std::string> places = declared.labels;
    for (std::size_t k = of_vector.size(); k-- > 0;) {
      const std::int64_t extent = array.extents[of_entry.size() + k];
      places[at(of_vector[k])] = fmt::format("{}", number % extent);
      number /= extent;
    }
    return fmt::format("{}({})", declared.name, fmt::join(places, ","));
  }
};

void check_orthonormal(const Declared& declared, const ConstArray& array, std::vector<Finding>& findings) {
  const Vectors vectors(array, declared.facts.orthonormal);
  Finding finding{
      .code = Code::contradiction,
      .what = fmt::format("{} is declared orthonormal in {}", declared.name, text_of_axes(vectors.of_vector, declared.labels)),
      .hint = "values that are orthonormal, or a leaf without Facts::orthonormal"};
  if (vectors.vector_count > vectors.entry_count) {
    finding.expected = fmt::format("at most as many vectors as they have entries, {}", vectors.entry_count);
    finding.found = fmt::format("{}", vectors.vector_count);
    findings.push_back(finding);
    return;
  }
  const Overlap worst = vectors.worst();
  if (!(worst.difference > tolerance_of(array.dtype))) return;
  const std::string left = vectors.text_of_vector(worst.left, declared), right = vectors.text_of_vector(worst.right, declared),
                    over = text_of_axes(vectors.of_entry, declared.labels);
  finding.expected = fmt::format("{}{} {} = {} within {}", over.empty() ? "" : fmt::format("the sum over {} of ", over),
                                 is_complex(array.dtype) ? fmt::format("conj({})", left) : left, right,
                                 worst.left == worst.right ? 1 : 0, tolerance_of(array.dtype));
  finding.found = text_of(worst.value, array.dtype);
  findings.push_back(finding);
}

}  // namespace

double tolerance_of(Dtype type) { return type == Dtype::f32 || type == Dtype::c64 ? 1e-4 : 1e-8; }

std::vector<Finding> broken_facts(const Declared& declared, const ConstArray& array) {
  std::vector<Finding> findings;
  for (const Axes& group : declared.facts.symmetric) check_symmetric(declared, group, array, findings);
  if (!declared.facts.orthonormal.empty()) check_orthonormal(declared, array, findings);
  return findings;
}

}  // namespace tyto::verify
