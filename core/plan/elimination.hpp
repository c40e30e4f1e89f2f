#pragma once
/// Choices that minimize a sum of costs, each of which depends on few of them: nonserial dynamic programming.
#include <compare>
#include <cstdint>
#include <vector>

namespace tyto::plan {

/// Integers, so that sums do not depend on the order of addition and ties are ties.
struct Cost {
  std::int64_t time = 0;     ///< in units of the caller
  std::int64_t changes = 0;  ///< decides where times are equal
  Cost& operator+=(const Cost& other) {
    time += other.time, changes += other.changes;
    return *this;
  }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

/// A cost for each choice of some variables, the last one fastest.
struct Term {
  std::vector<std::int32_t> variables;  ///< distinct
  std::vector<Cost> table;
};

/// The choices[v] in [0, domains[v]) with the least sum of all terms. Variables are eliminated one by one (Bertele and Brioschi,
/// Nonserial Dynamic Programming, 1972), the one first whose neighbours have the fewest choices together: exact, and on a tree a
/// dynamic program from its leaves. A table that would have more than `largest_table` entries is avoided by fixing a variable to
/// choice 0; the choices are then improved one variable at a time until nothing gets better, and may not be the best.
std::vector<std::int32_t> cheapest(const std::vector<std::int32_t>& domains, const std::vector<Term>& terms,
                                   std::int64_t largest_table);

/// The sum of all terms for these choices.
Cost cost_of(const std::vector<std::int32_t>& domains, const std::vector<Term>& terms, const std::vector<std::int32_t>& choices);

}  // namespace tyto::plan
