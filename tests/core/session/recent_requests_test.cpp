// What is remembered by request, and what goes.
#include "session/recent_requests.hpp"
#include <boost/test/unit_test.hpp>

namespace tyto::session {

namespace {

program::ContractionRequest trace_of(std::int64_t extent) { return {{{{0, 0}}, {}}, {extent}, {{}}}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(recent_requests)

BOOST_AUTO_TEST_CASE(the_one_not_used_for_longest_goes) {
  RecentRequests<int> known(3);
  for (const int n : {1, 2, 3}) known.add(trace_of(n), n);
  BOOST_TEST(*known.find(trace_of(1)) == 1);
  known.add(trace_of(4), 4);
  BOOST_TEST(known.count() == 3U);
  BOOST_TEST(known.find(trace_of(2)) == nullptr);
  for (const int n : {1, 3, 4}) BOOST_TEST(*known.find(trace_of(n)) == n);
}

BOOST_AUTO_TEST_CASE(requests_differ_by_all_that_they_say) {
  RecentRequests<int> known(10);
  program::ContractionRequest request = trace_of(3);
  known.add(request, 1);
  request.operands[0].is_conjugated = true;
  BOOST_TEST(known.find(request) == nullptr);
  request = trace_of(3), request.operands[0].changes = 2;
  BOOST_TEST(known.find(request) == nullptr);
  request = trace_of(3), request.subscripts.output = {0};
  BOOST_TEST(known.find(request) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tyto::session
