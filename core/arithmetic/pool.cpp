// Tiles are taken from a counter that runs down to zero. A worker that comes late finds it there and has no other trace of the job,
// so run() waits for tiles in hand, never for workers that the system has not scheduled.
#include "arithmetic/pool.hpp"
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::arithmetic {
namespace {

/// Waking a parked thread costs the caller some microseconds; steps of a plan follow each other faster than this.
constexpr std::chrono::microseconds patience(20);

constexpr int no_more_jobs = -1;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Returns when `value` is no longer `old`: looks for a while, then parks.
void await_change(const std::atomic<int>& value, int old) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (value.load(std::memory_order_acquire) == old) {
    for (int look = 0; look < 64 && value.load(std::memory_order_acquire) == old; ++look) pause();
    if (std::chrono::steady_clock::now() >= give_up) value.wait(old, std::memory_order_acquire);
  }
}

/// Sets `value` and wakes whoever is parked on it. The store comes before the look for sleepers in every thread's order: a weaker
/// one could lose a wake-up.
void announce(std::atomic<int>& value, int number) {
  value.store(number, std::memory_order_seq_cst);
  value.notify_all();
}

}  // namespace

Pool::Pool(int threads) {
  TYTO_ASSERT(threads >= 1);
  workers_.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int worker = 1; worker < threads; ++worker) workers_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error& error) {
    const std::size_t started = workers_.size() + 1;
    stop();
    fail(Code::third_party, fmt::format("the system does not start a thread: {}", error.what()), fmt::format("{} threads", threads),
         fmt::format("{} threads", started), "fewer `execution.threads`");
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() {
  announce(announced_, no_more_jobs);
  for (std::thread& worker : workers_) worker.join();
}

void Pool::run(std::int64_t tiles, TileBody body) {
  const bool nested = running_.load(std::memory_order_relaxed);
  if (workers_.empty() || tiles <= 1 || nested) {
    const int worker = nested ? worker_of_this_thread() : 0;
    for (std::int64_t tile = 0; tile < tiles; ++tile) body(tile, worker);
    return;
  }
  running_.store(true, std::memory_order_relaxed);
  caller_ = std::this_thread::get_id();
  const int last = job_.number, number = last == std::numeric_limits<int>::max() ? 0 : last + 1;
  job_ = {.body = &body, .tiles = tiles, .number = number};
  not_finished_.store(tiles, std::memory_order_relaxed);
  not_begun_.store(tiles, std::memory_order_release);
  announce(announced_, number);
  work(0);
  await_change(finished_, last);
  running_.store(false, std::memory_order_relaxed);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Pool::serve(int worker) {
  for (int seen = 0;;) {
    await_change(announced_, seen);
    seen = announced_.load(std::memory_order_acquire);
    if (seen == no_more_jobs) return;
    work(worker);
  }
}

void Pool::work(int worker) {
  std::int64_t left = not_begun_.load(std::memory_order_relaxed);
  while (left > 0) {
    // Only a tile in hand keeps job_ as it is, so nothing of it is read before.
    if (!not_begun_.compare_exchange_weak(left, left - 1, std::memory_order_acquire, std::memory_order_relaxed)) continue;
    call(job_.tiles - left, worker);
    finish(1);
    left = not_begun_.load(std::memory_order_relaxed);
  }
}

void Pool::call(std::int64_t tile, int worker) {
  try {
    (*job_.body)(tile, worker);
  } catch (...) {
    {
      const std::lock_guard lock(failure_mutex_);
      if (!failure_ || tile < failed_tile_) failure_ = std::current_exception(), failed_tile_ = tile;
    }
    // Tiles below this one are in hand already, so the lowest that fails is always among those that run.
    finish(not_begun_.exchange(0, std::memory_order_relaxed));
  }
}

void Pool::finish(std::int64_t tiles) {
  const int number = job_.number;
  if (not_finished_.fetch_sub(tiles, std::memory_order_acq_rel) != tiles) return;
  announce(finished_, number);
}

int Pool::worker_of_this_thread() const {
  const std::thread::id self = std::this_thread::get_id();
  if (self == caller_) return 0;
  for (std::size_t w = 0; w < workers_.size(); ++w)
    if (workers_[w].get_id() == self) return static_cast<int>(w) + 1;
  return 0;
}

}  // namespace tyto::arithmetic
