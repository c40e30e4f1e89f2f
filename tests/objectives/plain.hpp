#pragma once
// Tensors as plain tables and products of them by plain loops: what the tests compare with. Nothing of tyto computes here.
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace plain {

struct Table {
  std::vector<std::int64_t> extents = {};
  std::vector<double> values = {};  ///< row-major
};
/// By name.
using Tables = std::map<std::string, Table>;

inline std::int64_t count(const std::vector<std::int64_t>& extents) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) n *= e;
  return n;
}

inline Table filled(std::vector<std::int64_t> extents, double value) {
  const auto n = static_cast<std::size_t>(count(extents));
  return {std::move(extents), std::vector<double>(n, value)};
}

/// Uniform in [-1, 1).
inline Table random(std::vector<std::int64_t> extents, unsigned seed) {
  Table t = filled(std::move(extents), 0);
  std::mt19937 generator(seed);
  for (double& v : t.values) v = static_cast<double>(generator()) / 2147483648.0 - 1;
  return t;
}

struct Factor {
  const Table& table;
  std::string labels;
};

/// sum over all labels that are not in `out` of the product of the factors.
inline Table contract(const std::vector<Factor>& factors, const std::string& out) {
  std::string labels = out;
  std::map<char, std::int64_t> extent, at;
  for (const Factor& f : factors)
    for (std::size_t n = 0; n < f.labels.size(); ++n) {
      extent[f.labels[n]] = f.table.extents[n];
      if (labels.find(f.labels[n]) == std::string::npos) labels += f.labels[n];
    }
  const auto position = [&](const std::string& of) {
    std::int64_t p = 0;
    for (const char c : of) p = p * extent[c] + at[c];
    return static_cast<std::size_t>(p);
  };
  Table result;
  for (const char c : out) result.extents.push_back(extent[c]);
  std::vector<long double> sums(static_cast<std::size_t>(count(result.extents)), 0);
  std::int64_t points = 1;
  for (const char c : labels) points *= extent[c];
  for (std::int64_t point = 0; point < points; ++point) {
    std::int64_t rest = point;
    for (std::size_t n = labels.size(); n-- > 0; rest /= extent[labels[n]]) at[labels[n]] = rest % extent[labels[n]];
    long double product = 1;
    for (const Factor& f : factors) product *= f.table.values[position(f.labels)];
    sums[position(out)] += product;
  }
  result.values.assign(sums.begin(), sums.end());
  return result;
}

/// x - y, entry by entry.
inline Table minus(Table x, const Table& y) {
  BOOST_REQUIRE(x.extents == y.extents);
  for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] -= y.values[k];
  return x;
}

inline double norm(const std::vector<double>& v) {
  double square = 0;
  for (const double x : v) square += x * x;
  return std::sqrt(square);
}

/// |x - y|
inline double distance(const std::vector<double>& x, const std::vector<double>& y) {
  BOOST_REQUIRE_EQUAL(x.size(), y.size());
  double square = 0;
  for (std::size_t k = 0; k < x.size(); ++k) square += (x[k] - y[k]) * (x[k] - y[k]);
  return std::sqrt(square);
}

}  // namespace plain
