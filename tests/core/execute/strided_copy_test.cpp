#include "execute/cpu/strided_copy.hpp"
#include <complex>
#include <boost/test/unit_test.hpp>
#include "core/execute/random_layout.hpp"

namespace tyto::execute::cpu {
namespace {

struct Layout {
  std::vector<CopyAxis> axes;
  std::int64_t to_size = 1, from_size = 1;
};

/// Axes in any order on either side, with gaps; now and then one that repeats.
Layout random_layout(Engine& engine, std::int64_t most) {
  Extents extents;
  for (std::int64_t left = most; left > 1 && extents.size() < 6;) {
    extents.push_back(between(engine, 1, std::min<std::int64_t>(left, chance(engine, 0.2) ? left : 40)));
    left /= extents.back() + 1;
  }
  Layout layout;
  const Extents to = random_strides(engine, extents), from = random_strides(engine, extents);
  for (std::size_t a = 0; a < extents.size(); ++a) {
    layout.axes.push_back({extents[a], to[a], chance(engine, 0.1) ? 0 : from[a]});
    layout.to_size += (extents[a] - 1) * layout.axes[a].to;
    layout.from_size += (extents[a] - 1) * layout.axes[a].from;
  }
  return layout;
}

template <class T>
void copy_plainly(const Layout& layout, T* to, const T* from, std::size_t axis = 0) {
  if (axis == layout.axes.size()) {
    *to = *from;
    return;
  }
  const CopyAxis& a = layout.axes[axis];
  for (std::int64_t k = 0; k < a.extent; ++k) copy_plainly(layout, to + k * a.to, from + k * a.from, axis + 1);
}

template <class T>
void check_random_copies(std::int64_t most, int repetitions, Workers& workers) {
  Engine engine(static_cast<std::uint64_t>(most) + sizeof(T));
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const Layout layout = random_layout(engine, most);
    std::vector<T> from(static_cast<std::size_t>(layout.from_size)), to(static_cast<std::size_t>(layout.to_size), T(-1));
    for (T& value : from) value = static_cast<T>(static_cast<float>(between(engine, 0, 30000)));
    std::vector<T> expected = to;
    copy_plainly(layout, expected.data(), from.data());
    const StridedCopy copy(layout.axes);
    copy.run(to.data(), static_cast<const T*>(from.data()), workers);
    BOOST_TEST((to == expected), "repetition " << repetition << " of " << sizeof(T) << " bytes");
  }
}

BOOST_AUTO_TEST_CASE(elements_of_every_type_are_copied_whatever_the_strides) {
  Workers one(1, 0);
  check_random_copies<std::int16_t>(5000, 60, one);
  check_random_copies<float>(5000, 60, one);
  check_random_copies<double>(5000, 60, one);
  check_random_copies<std::complex<double>>(5000, 60, one);
}

BOOST_AUTO_TEST_CASE(several_threads_copy_what_one_does) {
  Workers three(3, 0);
  check_random_copies<double>(400000, 6, three);
  check_random_copies<std::complex<float>>(400000, 6, three);
}

BOOST_AUTO_TEST_CASE(large_results_go_past_the_caches) {
  Workers workers(2, 0);
  const std::int64_t side = 1 + static_cast<std::int64_t>(std::sqrt(static_cast<double>(workers.caches().last) / 8));
  std::vector<double> from(static_cast<std::size_t>(side * side)), to(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<double>(k);
  StridedCopy({{side, side, 1}, {side, 1, side}}).run(to.data(), static_cast<const double*>(from.data()), workers);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < side; ++i)
    for (std::int64_t j = 0; j < side; ++j)
      wrong += to[static_cast<std::size_t>(i * side + j)] != static_cast<double>(j * side + i) ? 1 : 0;
  BOOST_TEST(wrong == 0);
}

}  // namespace
}  // namespace tyto::execute::cpu
