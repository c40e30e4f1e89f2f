// The arena and the checks of what is bound.
#include "execute/host_memory.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include "core/execute/small_program.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>

using namespace tyto;
using namespace tyto::execute;

BOOST_AUTO_TEST_CASE(the_arena_starts_at_a_cache_line_and_is_zero) {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{100}, std::int64_t{5} << 20}) {
    program::Program program;
    program.arena_bytes = bytes;
    const HostMemory memory(program);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(memory.scratch(0)) % 64 == 0);
    const char* first = static_cast<const char*>(memory.scratch(0));
    BOOST_TEST(std::all_of(first, first + bytes, [](char byte) { return byte == 0; }));
  }
}

BOOST_AUTO_TEST_CASE(too_large_an_arena_is_an_error_of_memory) {
  program::Program program;
  program.arena_bytes = std::int64_t{1} << 60;
  BOOST_TEST(error_of([&] { HostMemory memory(program); }) ==
             fmt::format("there is not enough memory for the plan\n"
                         "  expected  1.15 EB\n"
                         "  found     {} on this machine\n"
                         "  try       a smaller problem, or a lower `execution.memory_limit`, so that the plan recomputes more",
                         text_of_bytes(available_bytes())));
}

BOOST_AUTO_TEST_CASE(what_is_bound_must_be_what_the_program_says) {
  SmallProgram small;
  small.leaf("X", {2, 3});
  HostMemory memory(small.made);
  std::vector<double> values(6);
  std::vector<float> floats(6);
  BOOST_TEST(error_of([&] {
               memory.bind(0, Array(floats.data(), {2, 3}));
             }) ==
             "`X` has another element type than the plan\n"
             "  expected  f64\n"
             "  found     f32\n"
             "  try       binding an array of the type the problem was declared with");
  BOOST_TEST(error_of([&] {
               memory.bind(0, Array(values.data(), {2, 3}, {1, 2}));
             }) ==
             "`X` has another shape than the plan\n"
             "  expected  extents (2, 3) with strides (3, 1)\n"
             "  found     extents (2, 3) with strides (1, 2)\n"
             "  try       binding an array of the shape the problem was declared with");
  Array on_device(values.data(), {2, 3});
  on_device.space = Space::device;
  BOOST_TEST(error_of([&] { memory.bind(0, on_device); }) ==
             "`X` lies on a device\n"
             "  expected  host memory\n"
             "  found     device memory");
  BOOST_TEST(error_of([&] { memory.address(0); }) == "`X` is used before memory is bound to it");
  memory.bind(0, Array(values.data(), {2, 3}));
  BOOST_TEST(memory.address(0) == values.data());
  BOOST_TEST(memory.value(0).data == values.data());
}

BOOST_AUTO_TEST_CASE(strides_of_axes_with_one_element_do_not_matter) {
  SmallProgram small;
  small.leaf("x", {1, 3}, {3, 1});
  HostMemory memory(small.made);
  std::vector<double> values(3);
  memory.bind(0, Array(values.data(), {1, 3}, {99, 1}));
  BOOST_TEST(memory.address(0) == values.data());
}

BOOST_AUTO_TEST_CASE(the_machine_has_some_memory) { BOOST_TEST(available_bytes() > 0); }
