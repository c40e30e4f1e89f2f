// The host application.
#include <cstdio>
#include <new>
#include <fmt/format.h>
#include <tyto/error.hpp>
#include "commands.hpp"
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/// What is freed stays with the process, up to some: matrices come and go from step to step, and fresh pages for them cost more
/// than sums over them.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) try {
  keep_freed_memory();
  return execute(parse(argc, argv));
} catch (const tyto::Error& error) {
  fmt::print(stderr, "{}\n", error.what());
  return exit_status::refused;
} catch (const std::bad_alloc&) {
  std::fputs(
      "there is no memory left\n  try       a smaller rank, or execution.memory_limit, which finds this out before the run\n",
      stderr);
  return exit_status::failed;
} catch (const std::exception& error) {
  fmt::print(stderr,
             "a bug in tyto: an error that nothing handles\n  found     {}\n  try       reporting this text together with the "
             "input that led to it\n",
             error.what());
  return exit_status::failed;
}
