#pragma once
/// A pool of threads that share the tiles of a loop. What a tile is follows from the problem alone, never from the number of
/// threads: then results are the same, bit by bit, however many there are.
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace tyto::arithmetic {

/// Refers to a callable `body(std::int64_t tile, int worker)` without owning it: valid as long as the callable.
class TileBody {
 public:
  template <class Body>
  requires(!std::is_same_v<std::remove_cvref_t<Body>, TileBody>)
      TileBody(Body&& body)  // implicit, so that a lambda can be passed where a TileBody is expected
      : callable_(const_cast<void*>(static_cast<const void*>(&body))), call_([](void* callable, std::int64_t tile, int worker) {
          (*static_cast<std::remove_reference_t<Body>*>(callable))(tile, worker);
        }) {}
  void operator()(std::int64_t tile, int worker) const { call_(callable_, tile, worker); }

 private:
  void* callable_;
  void (*call_)(void*, std::int64_t, int);
};

/// The thread that calls run() is worker 0; the others belong to the pool and live as long as it does.
class Pool {
 public:
  /// Throws Error{third_party} if the system starts no more threads.
  explicit Pool(int threads);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  /// At least 1; workers are numbered from 0.
  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(tile, worker) once for every tile in [0, tiles) and returns when all calls have returned. Tiles are handed out in
  /// rising order to whoever is free. With one thread, one tile, or from within a body of this pool, it is a loop in the caller,
  /// which keeps the worker's number. Allocates nothing. An exception of a body is thrown here, that of the lowest tile if there
  /// are several; tiles not begun by then are left out. Only one thread at a time may call it, bodies apart.
  void run(std::int64_t tiles, TileBody body);

 private:
  struct Job {
    const TileBody* body = nullptr;
    std::int64_t tiles = 0;
    int number = 0;
  };
  void serve(int worker);
  void work(int worker);
  void call(std::int64_t tile, int worker);
  void finish(std::int64_t tiles);
  void stop();
  int worker_of_this_thread() const;

  // Written by run() while no tile is in hand, read by whoever has taken one.
  Job job_;
  std::thread::id caller_;
  std::atomic<bool> running_ = false;
  // Each on a cache line of its own: all workers write the first two.
  alignas(64) std::atomic<std::int64_t> not_begun_ = 0;
  alignas(64) std::atomic<std::int64_t> not_finished_ = 0;
  alignas(64) std::atomic<int> announced_ = 0;  ///< number of the latest job; workers park on it
  alignas(64) std::atomic<int> finished_ = 0;   ///< number of the latest job that is done; the caller parks on it
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::int64_t failed_tile_ = 0;
  std::vector<std::thread> workers_;  ///< worker 1 first
};

}  // namespace tyto::arithmetic
