// SLEPc's eigensolvers: what all of them must do, and what SLEPc is told and says.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include "algebra/davidson.hpp"
#include "core/algebra/eigen_suite.hpp"
#include "core/algebra/loaded.hpp"

namespace tyto::algebra {
namespace {

namespace data = boost::unit_test::data;
const std::vector<std::string> methods{"slepc-krylovschur", "slepc-gd", "slepc-jd", "slepc-lobpcg"};

const EigenSolver& named(const std::string& name) { return solvers().eigen_solver(name); }

}  // namespace

BOOST_AUTO_TEST_SUITE(slepc_eigen)

#define EVERY(CASE) \
  BOOST_DATA_TEST_CASE(CASE, data::make(methods), method) { eigen_suite::CASE(named(method)); }
EVERY(agrees_with_lapack_at_every_size)
EVERY(finds_clusters_and_copies)
EVERY(stays_in_the_complement)
EVERY(the_complement_need_not_be_invariant)
EVERY(a_full_complement_is_exhausted)
EVERY(accepts_any_start)
EVERY(respects_limits)
EVERY(complex_maps_have_each_vector_once)
EVERY(failures_have_names)
EVERY(errors_of_a_map_come_through)
#undef EVERY

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::algebra
