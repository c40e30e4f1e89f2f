// The host application.
#include <cstdio>
#include <new>
#include <fmt/format.h>
#include <tyto/error.hpp>
#include "commands.hpp"

int main(int argc, char** argv) try { return execute(parse(argc, argv)); } catch (const tyto::Error& error) {
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
