// What maps see of the vectors that PETSc owns.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

/// The identity, which lets a test look at the vectors it is applied to.
class Watched final : public LinearMap {
 public:
  using Look = std::function<void(const Vector& x, Vector& y)>;
  Watched(std::int64_t n, Look look) : n_(n), look_(std::move(look)) {}
  std::unique_ptr<Vector> domain() const override { return std::make_unique<HostVector>(n_); }
  std::unique_ptr<Vector> range() const override { return std::make_unique<HostVector>(n_); }
  void apply(const Vector& x, Vector& y) const override {
    y.copy(x);
    if (dynamic_cast<const HostVector*>(&x) == nullptr) look_(x, y);  // the residual at the end is over vectors of the caller
  }
  bool is_symmetric() const override { return true; }

 private:
  std::int64_t n_;
  Look look_;
};

double length(const ConstArray& numbers) {
  double sum = 0;
  for (std::int64_t i = 0; i < numbers.size(); ++i) sum += numbers.as<double>()[i] * numbers.as<double>()[i];
  return std::sqrt(sum);
}

void look_into(const Watched::Look& look) {
  int looks = 0;
  const HostVector b(Values{3, 4, 12});
  HostVector x(Values{1, 1, 1});
  solvers()
      .linear_solver("petsc-cg")
      .solve(Watched(3,
                     [&](const Vector& from, Vector& to) {
                       ++looks;
                       look(from, to);
                     }),
             b, x, {});
  BOOST_TEST(looks > 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(petsc_vector)

BOOST_AUTO_TEST_CASE(computes_as_any_vector) {
  look_into([](const Vector& from, Vector& to) {
    const std::unique_ptr<Vector> v = from.create();
    BOOST_TEST(v->size() == 3);
    BOOST_TEST(v->norm() == 0);
    v->fill(2);
    BOOST_TEST(v->dot(*v) == 12);
    v->scale(-0.5);
    v->axpy(3, from);
    BOOST_TEST(v->read().as<double>()[2] == 3 * from.read().as<double>()[2] - 1);
    BOOST_TEST(clone(*v)->norm() == v->norm());
    BOOST_TEST(to.norm() == from.norm());
  });
}

BOOST_AUTO_TEST_CASE(norm_is_never_that_of_older_numbers) {
  look_into([](const Vector& from, Vector& to) {
    const double before = to.norm();
    double* numbers = to.write().as<double>();
    for (int i = 0; i < 3; ++i) numbers[i] = 10 + before;
    BOOST_TEST(to.norm() == length(to.read()), boost::test_tools::tolerance(1e-15));
    numbers[1] = 0;  // through a pointer from before the norm was asked for
    BOOST_TEST(to.norm() == length(to.read()), boost::test_tools::tolerance(1e-15));
    to.copy(from);
    BOOST_TEST(to.norm() == length(from.read()), boost::test_tools::tolerance(1e-15));
  });
}

BOOST_AUTO_TEST_CASE(petsc_learns_of_what_a_map_writes_last) {
  // GMRES normalizes what the map wrote by its norm: were it the one that the map had asked for, the solution would be wrong.
  const Watched map(3, [](const Vector& from, Vector& to) {
    double* numbers = to.write().as<double>();
    for (int i = 0; i < 3; ++i) numbers[i] = 1e6;
    static_cast<void>(to.norm());
    for (int i = 0; i < 3; ++i) numbers[i] = from.read().as<double>()[i] * (i + 1);
  });
  const HostVector b(Values{1, 4, 9});
  HostVector x(3);
  solvers().linear_solver("petsc-gmres").solve(map, b, x, {.tolerance = 1e-14});
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(x.values()[i] == static_cast<double>(i + 1), boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(numbers_of_the_caller_are_not_copied) {
  const HostVector b(Values{3, 4, 12});
  HostVector x(Values{1, 1, 1});
  std::vector<const void*> seen;
  const Watched map(3, [&](const Vector& from, Vector&) { seen.push_back(from.read().data); });
  solvers().linear_solver("petsc-cg").solve(map, b, x, {});
  BOOST_TEST(seen.front() == x.values().data());  // the first product is that of the start
}

BOOST_AUTO_TEST_CASE(vectors_outlive_the_solve) {
  std::unique_ptr<Vector> kept;
  look_into([&](const Vector& from, Vector&) { kept = clone(from); });
  BOOST_TEST(kept->norm() == length(kept->read()), boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
