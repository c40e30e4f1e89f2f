// Products over random loops against plain sums, for every element type, instruction set and way to read the right operand; with
// caches so small that every loop around the blocks turns more than once.
#include "arithmetic/product.hpp"
#include "arithmetic/product_functions.hpp"
#include <algorithm>
#include <complex>
#include <memory>
#include <random>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

namespace tyto::arithmetic {
namespace {

using Engine = std::mt19937_64;
using Types = boost::mpl::list<float, double, std::complex<float>, std::complex<double>>;

std::int64_t between(Engine& engine, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
}

/// Loops of an index; steps are given later, tensor by tensor.
ProductIndex random_index(Engine& engine, std::int64_t least_loops, std::int64_t most_extent) {
  ProductIndex index(static_cast<std::size_t>(between(engine, least_loops, 3)));
  for (ProductLoop& loop : index)
    loop.extent = between(engine, 1, index.size() > 1 ? std::max<std::int64_t>(most_extent / 4, 2) : most_extent);
  return index;
}

/// Lays a tensor out densely over the loops it has, in random order; returns its number of elements.
std::int64_t lay_out(Engine& engine, std::vector<ProductLoop*> loops, std::size_t place) {
  std::shuffle(loops.begin(), loops.end(), engine);
  std::int64_t elements = 1;
  for (ProductLoop* loop : loops) {
    loop->step[place] = elements;
    elements *= loop->extent;
  }
  return elements;
}

struct Case {
  Product product;
  std::int64_t out = 0, right = 0;
  std::array<std::int64_t, most_factors> factors = {};
};

Case random_case(Engine& engine) {
  Case made;
  Product& p = made.product;
  p.rows = random_index(engine, 0, 40), p.columns = random_index(engine, 0, 40), p.depth = random_index(engine, 1, 30);
  p.batch = random_index(engine, 0, 3);
  p.factors = between(engine, 1, 3);
  const auto loops = [](std::vector<ProductIndex*> indices) {
    std::vector<ProductLoop*> all;
    for (ProductIndex* index : indices)
      for (ProductLoop& loop : *index) all.push_back(&loop);
    return all;
  };
  made.out = lay_out(engine, loops({&p.batch, &p.rows, &p.columns}), product_out);
  made.right = lay_out(engine, loops({&p.batch, &p.depth, &p.columns}), product_right);
  for (std::int64_t f = 0; f < p.factors; ++f) {
    std::vector<ProductLoop*> of_factor = loops({&p.batch, &p.rows, &p.depth});
    std::erase_if(of_factor, [&](ProductLoop*) { return f > 0 && between(engine, 0, 2) == 0; });
    made.factors[static_cast<std::size_t>(f)] = lay_out(engine, of_factor, product_left + static_cast<std::size_t>(f));
  }
  const auto sort = [](ProductIndex& index, std::size_t place) {
    std::stable_sort(index.begin(), index.end(),
                     [place](const ProductLoop& a, const ProductLoop& b) { return a.step[place] > b.step[place]; });
  };
  sort(p.rows, product_out), sort(p.columns, product_right), sort(p.depth, product_right);
  if (between(engine, 0, 1) == 0) sort(p.columns, product_out);
  if (between(engine, 0, 3) == 0) std::shuffle(p.rows.begin(), p.rows.end(), engine);
  return made;
}

template <class T>
std::vector<T> random_values(Engine& engine, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  std::uniform_real_distribution<double> number(-1, 1);
  for (T& value : values) {
    if constexpr (is_complex_type<T>)
      value = T(static_cast<typename T::value_type>(number(engine)), static_cast<typename T::value_type>(number(engine)));
    else value = static_cast<T>(number(engine));
  }
  return values;
}

std::int64_t offset(const ProductIndex& index, std::int64_t position, std::size_t place) {
  std::int64_t at = 0;
  for (std::size_t d = index.size(); d-- > 0; position /= index[d].extent) at += position % index[d].extent * index[d].step[place];
  return at;
}

template <class T>
struct Operands {
  std::vector<T> right, out;
  std::array<std::vector<T>, most_factors> factors;
  std::vector<T> addend = {};  ///< lies as the output; empty: the output itself
};

/// The product by its formula, added to the addend where told.
template <class T>
std::vector<T> by_formula(const Product& p, const Operands<T>& operands, bool accumulate, T scale) {
  std::vector<T> out = operands.out;
  for (std::int64_t b = 0; b < extent_of(p.batch); ++b)
    for (std::int64_t m = 0; m < extent_of(p.rows); ++m)
      for (std::int64_t n = 0; n < extent_of(p.columns); ++n) {
        T sum{0};
        for (std::int64_t k = 0; k < extent_of(p.depth); ++k) {
          const std::size_t right = product_right;
          T term = operands.right[static_cast<std::size_t>(offset(p.batch, b, right) + offset(p.columns, n, right) +
                                                           offset(p.depth, k, right))];
          for (std::size_t f = 0; f < static_cast<std::size_t>(p.factors); ++f) {
            const std::size_t place = product_left + f;
            term *= operands.factors[f][static_cast<std::size_t>(offset(p.batch, b, place) + offset(p.rows, m, place) +
                                                                 offset(p.depth, k, place))];
          }
          sum += term;
        }
        const auto at = static_cast<std::size_t>(offset(p.batch, b, product_out) + offset(p.rows, m, product_out) +
                                                 offset(p.columns, n, product_out));
        const std::vector<T>& addend = operands.addend.empty() ? operands.out : operands.addend;
        out[at] = (accumulate ? addend[at] : T{0}) + scale * sum;
      }
  return out;
}

/// Those of the instruction sets that this machine has; in double precision also the tiles of the widest vectors, which the
/// compiler splits (compiling them takes a while).
template <class T>
std::vector<ProductFunctions<T>> all_functions() {
  std::vector<ProductFunctions<T>> all;
  for (const Isa isa : available_isas()) all.push_back(product_functions<T>(isa));
  if constexpr (std::is_same_v<Real<T>, T> ? sizeof(T) == 8 : sizeof(T) == 16)
    all.push_back(functions_of<T, 64, Portable<T, 64>>());
  return all;
}

constexpr Caches small_caches{.first = 1 << 10, .second = 8 << 10, .last = 32 << 10};

template <class T>
std::vector<T> by_blocks(const Product& p, Walk right, const ProductFunctions<T>& functions, const Operands<T>& operands,
                         bool accumulate, T scale, int threads = 1) {
  const ProductPlan plan = plan_product(p, right, functions, small_caches);
  std::vector<T> out = operands.out;
  std::vector<char> room(static_cast<std::size_t>(plan.scratch_bytes * threads + 64));
  void* scratch = room.data();
  std::size_t space = room.size();
  ProductMemory<T> memory{.out = out.data(), .right = operands.right.data()};
  memory.scratch = static_cast<char*>(std::align(64, static_cast<std::size_t>(plan.scratch_bytes), scratch, space));
  memory.worker_scratch = memory.scratch + plan.scratch_bytes;
  for (std::size_t f = 0; f < static_cast<std::size_t>(p.factors); ++f) memory.factors[f] = operands.factors[f].data();
  Pool pool(threads);
  if (accumulate) memory.addend = operands.addend.empty() ? memory.out : operands.addend.data();
  run(plan, functions, memory, scale, pool);
  return out;
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(products_agree_with_their_formula, T, Types) {
  Engine engine(7);
  const double tolerance = sizeof(Real<T>) == sizeof(T) && sizeof(T) == 8 ? 1e-12
                           : std::is_same_v<T, std::complex<double>>      ? 1e-12
                                                                          : 2e-3;
  int in_place = 0;
  for (int round = 0; round < 60; ++round) {
    const Case made = random_case(engine);
    Operands<T> operands{random_values<T>(engine, made.right), random_values<T>(engine, made.out), {}};
    for (std::size_t f = 0; f < static_cast<std::size_t>(made.product.factors); ++f)
      operands.factors[f] = random_values<T>(engine, made.factors[f]);
    const bool accumulate = round % 2 == 1;
    if (round % 4 == 3) operands.addend = random_values<T>(engine, made.out);
    const T scale = round % 3 == 0 ? T{1} : random_values<T>(engine, 1)[0];
    const std::vector<T> expected = by_formula(made.product, operands, accumulate, scale);
    for (const Walk right : {Walk::packed, Walk::columns_adjacent, Walk::depth_adjacent}) {
      if (!allows(made.product, right)) continue;
      in_place += right != Walk::packed ? 1 : 0;
      for (const ProductFunctions<T>& functions : all_functions<T>())
        BOOST_TEST(largest_difference(by_blocks(made.product, right, functions, operands, accumulate, scale), expected) <
                   tolerance);
    }
  }
  BOOST_TEST(in_place > 20);
}

/// out(i, n, r, m) = sum_p left(r, m, p) right(i, n, p) with rows (r, m): m, or n where m is 1, comes in runs of `run`.
Case case_with_runs(std::int64_t run, bool of_rows, std::int64_t depth) {
  constexpr std::int64_t apart = 5;
  const auto loop = [](std::int64_t extent, std::int64_t out, std::int64_t right, std::int64_t left) {
    ProductLoop made{.extent = extent};
    made.step[product_out] = out, made.step[product_right] = right, made.step[product_left] = left;
    return made;
  };
  const std::int64_t m = of_rows ? run : 1, n = of_rows ? 3 : run, r = of_rows ? apart : 4 * apart;
  Case made;
  made.product.rows = {loop(r, m, 0, m * depth), loop(m, 1, 0, depth)};
  made.product.columns = {loop(apart, n * r * m, n * depth, 0), loop(n, of_rows ? r * m : 1, depth, 0)};
  if (!of_rows) made.product.rows[0].step[product_out] = n;
  made.product.depth = {loop(depth, 0, 1, 1)};
  made.out = apart * n * r * m;
  made.right = apart * n * depth;
  made.factors[0] = r * m * depth;
  return made;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(outputs_in_short_runs_agree_with_the_formula, T, Types) {
  Engine engine(13);
  const double tolerance = std::is_same_v<Real<T>, double> ? 1e-12 : 1e-3;
  for (std::int64_t run = 1; run <= 19; ++run) {
    for (const bool of_rows : {false, true}) {
      const Case made = case_with_runs(run, of_rows, between(engine, 1, 20));
      Operands<T> operands{
          random_values<T>(engine, made.right), random_values<T>(engine, made.out), {random_values<T>(engine, made.factors[0])}};
      if (run % 3 == 0) operands.addend = random_values<T>(engine, made.out);
      const std::vector<T> expected = by_formula(made.product, operands, run % 2 == 0, T{2});
      for (const ProductFunctions<T>& functions : all_functions<T>())
        BOOST_TEST(largest_difference(by_blocks(made.product, Walk::packed, functions, operands, run % 2 == 0, T{2}), expected) <
                   tolerance);
    }
  }
}

/// out(b, n, m) = sum_p left(b, p, m) right(b, p, n), all of them dense but the right one, whose rows end in a gap.
Case case_with_adjacent_columns(std::int64_t rows, std::int64_t columns, std::int64_t depth, std::int64_t batch) {
  constexpr std::int64_t gap = 5;
  const auto loop = [](std::int64_t extent, std::int64_t out, std::int64_t right, std::int64_t left) {
    ProductLoop made{.extent = extent};
    made.step[product_out] = out, made.step[product_right] = right, made.step[product_left] = left;
    return ProductIndex{made};
  };
  Case made;
  made.product.rows = loop(rows, 1, 0, 1);
  made.product.columns = loop(columns, rows, 1, 0);
  made.product.depth = loop(depth, 0, columns + gap, rows);
  made.product.batch = loop(batch, rows * columns, depth * (columns + gap), depth * rows);
  made.out = batch * rows * columns;
  made.right = batch * depth * (columns + gap) - gap;
  made.factors[0] = batch * depth * rows;
  return made;
}

BOOST_AUTO_TEST_CASE_TEMPLATE(blocks_that_are_packed_ahead_agree_with_the_formula, T, Types) {
  Engine engine(11);
  const double tolerance = std::is_same_v<Real<T>, double> ? 1e-11 : 2e-2;
  std::vector<Case> cases = {case_with_adjacent_columns(16, 300, 130, 2)};  // large enough for threads to share it
  for (int round = 0; round < 8; ++round)
    cases.push_back(
        case_with_adjacent_columns(between(engine, 1, 30), between(engine, 1, 150), between(engine, 1, 90), between(engine, 1, 3)));
  int ahead = 0;
  for (const Case& made : cases) {
    const Operands<T> operands{
        random_values<T>(engine, made.right), random_values<T>(engine, made.out), {random_values<T>(engine, made.factors[0])}};
    const std::vector<T> expected = by_formula(made.product, operands, true, T{1});
    for (const ProductFunctions<T>& functions : all_functions<T>()) {
      ahead += plan_product(made.product, Walk::packed, functions, small_caches).packs_ahead ? 1 : 0;
      const std::vector<T> alone = by_blocks(made.product, Walk::packed, functions, operands, true, T{1});
      BOOST_TEST(largest_difference(alone, expected) < tolerance);
      BOOST_TEST((by_blocks(made.product, Walk::packed, functions, operands, true, T{1}, 2) == alone));
    }
  }
  BOOST_TEST(ahead > 8);
}

}  // namespace
}  // namespace tyto::arithmetic
