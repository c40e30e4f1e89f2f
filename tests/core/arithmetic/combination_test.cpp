#include "arithmetic/combination.hpp"
#include <cmath>
#include <limits>
#include <random>
#include <vector>
#include <boost/test/unit_test.hpp>
#include "arithmetic/copy.hpp"

namespace tyto::arithmetic {
namespace {

template <class T>
void check(std::int64_t count, int terms, std::int64_t shift, bool streams, std::mt19937_64& engine) {
  std::uniform_real_distribution<T> value(-1, 1);
  const auto size = static_cast<std::size_t>(count + shift + 1);
  std::vector<std::vector<T>> inputs(most_terms, std::vector<T>(size));
  CombinedRow<T> row{.count = count, .terms = terms, .streams = streams};
  for (std::size_t k = 0; k < most_terms; ++k) {
    for (T& x : inputs[k]) x = value(engine);
    row.coefficients[k] = value(engine);
    row.inputs[k] = inputs[k].data() + k % 2;
  }
  for (const Isa isa : available_isas()) {
    std::vector<T> out(size, T{7});
    row.out = out.data() + shift;
    combine_function<T>(isa)(row);
    finish_streams();
    double worst = 0;
    for (std::int64_t e = 0; e < count; ++e) {
      double sum = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(terms); ++k)
        sum += static_cast<double>(row.coefficients[k]) * static_cast<double>(row.inputs[k][e]);
      worst = std::max(worst, std::abs(sum - static_cast<double>(row.out[e])));
    }
    BOOST_TEST(worst <= 8 * std::numeric_limits<T>::epsilon(), name_of(isa) << ", " << terms << " terms of " << count);
    for (std::int64_t e = 0; e < shift; ++e) BOOST_TEST(out[static_cast<std::size_t>(e)] == T{7});
    BOOST_TEST(out.back() == T{7});
  }
}

BOOST_AUTO_TEST_CASE(rows_of_all_lengths_and_alignments_are_combined_and_nothing_else_is_written) {
  std::mt19937_64 engine(3);
  for (std::int64_t count = 0; count <= 40; ++count) {
    for (int terms = 1; terms <= most_terms; ++terms) {
      check<double>(count, terms, count % 9, terms % 2 == 0, engine);
      check<float>(count, terms, count % 17, terms % 2 == 1, engine);
    }
  }
}

}  // namespace
}  // namespace tyto::arithmetic
