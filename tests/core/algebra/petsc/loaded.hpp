#pragma once
// The module under test, as a session opens it, and what its solvers work on.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>
#include "backend/loader.hpp"
#include "backend/registry.hpp"
#include "core/algebra/dense_map.hpp"

namespace tyto::algebra {

using Values = std::vector<double>;

inline const backend::Registry& solvers() {
  static const backend::Registry registry = [] {
    backend::Registry loaded;
    loaded.add(backend::load({{.path = TYTO_BINARY_DIR "/lib/tyto/backends"}}, "petsc"));
    return loaded;
  }();
  return registry;
}

/// Numbers in [-1, 1), the same everywhere.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : engine_(seed) {}
  double next() { return static_cast<double>(engine_()) / 2147483648.0 - 1; }
  Values take(std::int64_t count) {
    Values values(static_cast<std::size_t>(count));
    for (double& value : values) value = next();
    return values;
  }

 private:
  std::mt19937 engine_;
};

/// R R^T / n + shift I, symmetric: definite for a shift >= 0.
inline Values symmetric(std::int64_t n, Numbers& numbers, double shift) {
  const Values r = numbers.take(n * n);
  Values a(r.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0;
      for (std::int64_t k = 0; k < n; ++k)
        sum += r[static_cast<std::size_t>(i * n + k)] * r[static_cast<std::size_t>(j * n + k)] / static_cast<double>(n);
      a[static_cast<std::size_t>(i * n + j)] = sum;
    }
  }
  return a;
}

/// Runs `body`, which must throw an Error of that code whose text contains all of `parts`.
template <class Body>
void check_error(Code code, const std::vector<std::string>& parts, Body&& body) {
  try {
    body();
    BOOST_ERROR("no error where one was expected");
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const std::string& part : parts) BOOST_TEST(text.find(part) != std::string::npos, part << " is not in " << text);
    BOOST_TEST(static_cast<int>(error.findings().front().code) == static_cast<int>(code));
  }
}

}  // namespace tyto::algebra
