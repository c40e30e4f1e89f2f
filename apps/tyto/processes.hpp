#pragma once
/// The processes that the host was started as. The one place that names the world communicator.

/// Initializes MPI, where the host was built with it and started by a launcher, for the life of this object; finalizes only what it
/// initialized.
class Processes {
 public:
  Processes();
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_ = 0, size_ = 1;
  bool is_mine_ = false;
};
