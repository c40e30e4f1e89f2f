#include "arithmetic/pool.hpp"
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <boost/test/unit_test.hpp>
#include "allocations/allocations.hpp"

namespace tyto::arithmetic {
namespace {

/// Keeps a tile in hand until all workers have one, so that each of them takes part; gives up after a second.
class Meeting {
 public:
  explicit Meeting(int workers) : expected_(workers) {}
  void join() {
    ++present_;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (present_ < expected_ && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  }
  bool is_complete() const { return present_ >= expected_; }

 private:
  int expected_;
  std::atomic<int> present_ = 0;
};

BOOST_AUTO_TEST_CASE(every_tile_is_called_once_by_a_worker_of_the_pool) {
  for (int threads = 1; threads <= 4; ++threads) {
    Pool pool(threads);
    BOOST_TEST(pool.threads() == threads);
    for (const std::int64_t tiles : {0, 1, 2, 3, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(tiles));
      std::atomic<int> strangers = 0;
      pool.run(tiles, [&](std::int64_t tile, int worker) {
        ++calls[static_cast<std::size_t>(tile)];
        if (worker < 0 || worker >= threads) ++strangers;
      });
      for (const std::atomic<int>& count : calls) BOOST_TEST(count == 1);
      BOOST_TEST(strangers == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(all_workers_take_part_and_no_two_have_one_number) {
  Pool pool(3);
  for (int repetition = 0; repetition < 3; ++repetition) {
    Meeting meeting(3);
    std::vector<int> tiles_of(3, 0);  // written without a lock: a number is used by one thread at a time
    pool.run(3, [&](std::int64_t, int worker) {
      ++tiles_of[static_cast<std::size_t>(worker)];
      meeting.join();
    });
    BOOST_TEST(meeting.is_complete());
    BOOST_TEST((tiles_of == std::vector<int>{1, 1, 1}));
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // long enough that the workers have parked
  }
}

BOOST_AUTO_TEST_CASE(many_short_jobs_lose_no_tile) {
  Pool pool(4);
  std::int64_t sum = 0;
  for (std::int64_t job = 0; job < 20000; ++job) {
    std::atomic<std::int64_t> part = 0;
    pool.run(1 + job % 5, [&](std::int64_t tile, int) { part += tile + 1; });
    sum += part;
  }
  BOOST_TEST(sum == 20000 / 5 * (1 + 3 + 6 + 10 + 15));
}

BOOST_AUTO_TEST_CASE(the_exception_of_the_lowest_tile_reaches_the_caller_and_the_pool_stays_usable) {
  for (int threads = 1; threads <= 4; ++threads) {
    Pool pool(threads);
    for (int repetition = 0; repetition < 50; ++repetition) {
      const auto fails = [](std::int64_t tile, int) {
        if (tile >= 5) throw std::runtime_error(std::to_string(tile));
      };
      BOOST_CHECK_EXCEPTION(pool.run(100, fails), std::runtime_error,
                            [](const std::runtime_error& error) { return std::string(error.what()) == "5"; });
      std::atomic<int> calls = 0;
      pool.run(10, [&](std::int64_t, int) { ++calls; });
      BOOST_TEST(calls == 10);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_loop_within_a_tile_stays_with_its_worker) {
  Pool pool(3);
  Meeting meeting(3);
  std::atomic<int> moved = 0, inner = 0;
  pool.run(3, [&](std::int64_t, int worker) {
    meeting.join();
    const std::thread::id here = std::this_thread::get_id();
    pool.run(10, [&](std::int64_t, int nested) {
      ++inner;
      if (nested != worker || std::this_thread::get_id() != here) ++moved;
    });
  });
  BOOST_TEST(inner == 30);
  BOOST_TEST(moved == 0);
}

BOOST_AUTO_TEST_CASE(one_thread_calls_the_tiles_in_their_order) {
  Pool pool(1);
  std::vector<std::int64_t> order, expected(50);
  std::iota(expected.begin(), expected.end(), 0);
  pool.run(50, [&](std::int64_t tile, int) { order.push_back(tile); });
  BOOST_TEST(order == expected);
}

BOOST_AUTO_TEST_CASE(running_allocates_nothing) {
  for (int threads = 1; threads <= 4; ++threads) {
    Pool pool(threads);
    std::atomic<std::int64_t> sum = 0;
    const auto body = [&](std::int64_t tile, int) { sum += tile; };
    pool.run(100, body);
    test::allocations = 0;
    test::counting = true;
    for (int job = 0; job < 100; ++job) pool.run(100, body);
    test::counting = false;
    BOOST_TEST(test::allocations == 0);
    BOOST_TEST(sum == 101 * 4950);
  }
}

BOOST_AUTO_TEST_CASE(partial_sums_added_in_the_order_of_tiles_are_equal_for_any_number_of_threads) {
  const auto sum_with = [](int threads) {
    Pool pool(threads);
    std::vector<double> parts(64);
    pool.run(64, [&](std::int64_t tile, int) {
      double part = 0;
      for (std::int64_t e = 0; e < 500; ++e) part += std::sin(static_cast<double>(tile * 500 + e));
      parts[static_cast<std::size_t>(tile)] = part;
    });
    return std::accumulate(parts.begin(), parts.end(), 0.0);
  };
  const double alone = sum_with(1);
  for (int threads = 2; threads <= 4; ++threads) BOOST_TEST(sum_with(threads) == alone);
}

}  // namespace
}  // namespace tyto::arithmetic
