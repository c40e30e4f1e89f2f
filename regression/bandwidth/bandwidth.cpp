// What memory gives, and how much of it copies, row kernels and combinations use.
#include <algorithm>
#include <functional>
#include <cstdio>
#include <string>
#include "arithmetic/combination.hpp"
#include "arithmetic/row_kernels.hpp"
#include "execute/cpu/elementwise.hpp"
#include "execute/cpu/strided_copy.hpp"
#include "execute/cpu/trial.hpp"
#include "tensor/dense.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace tyto;
using namespace tyto::execute;

namespace {

constexpr double budget = 0.5;  // seconds for one figure

/// Prints a line and returns bytes per second.
double report(const std::string& name, double bytes, double limit, const std::function<void()>& run) {
  const double speed = bytes / cpu::median_seconds(run, budget);
  fmt::print("{:<44} {:6.1f} GB/s", name, speed * 1e-9);
  if (limit > 0) fmt::print("   {:.2f}", speed / limit);
  fmt::print("\n");
  std::fflush(stdout);
  return speed;
}

template <class T>
struct Memory {
  explicit Memory(std::int64_t count) : storage(tensor::Dense::zeros(dtype_of<T>(), {count})), data(storage.view().template as<T>()) {
    for (std::int64_t k = 0; k < count; ++k) data[k] = static_cast<T>(static_cast<double>(k % 1000) / 1000);
  }
  tensor::Dense storage;
  T* data;
};

/// A row-major tensor into a row-major one with its axes in another order.
template <class T>
void permutation(const Extents& extents, const std::vector<std::size_t>& order, Memory<T>& to, const Memory<T>& from, double limit,
                 cpu::Workers& workers) {
  Extents permuted;
  for (const std::size_t axis : order) permuted.push_back(extents[axis]);
  const Extents to_strides = row_major(permuted), from_strides = row_major(extents);
  std::vector<cpu::CopyAxis> axes;
  for (std::size_t a = 0; a < order.size(); ++a) axes.push_back({permuted[a], to_strides[a], from_strides[order[a]]});
  const cpu::StridedCopy copy(std::move(axes));
  report(fmt::format("{} of {} to ({})", name_of(dtype_of<T>()), tensor::text_of(extents), fmt::join(order, ",")),
         2.0 * static_cast<double>(copy.count()) * sizeof(T), limit,
         [&] { copy.run(to.data, static_cast<const T*>(from.data), workers); });
}

template <class T>
void permutations(double limit, cpu::Workers& workers) {
  constexpr std::int64_t room = 321 * 321 * 321;
  Memory<T> to(room), from(room);
  std::vector<std::size_t> order = {0, 1, 2};
  do permutation({320, 320, 320}, order, to, from, limit, workers);
  while (std::next_permutation(order.begin(), order.end()));
  permutation({317, 321, 319}, {2, 1, 0}, to, from, limit, workers);
  permutation({48, 72, 80, 104}, {3, 2, 1, 0}, to, from, limit, workers);
  permutation({45, 77, 83, 101}, {1, 3, 0, 2}, to, from, limit, workers);
  permutation({20, 35, 28, 36, 41}, {2, 4, 0, 3, 1}, to, from, limit, workers);
  permutation({18, 22, 20, 16, 14, 17}, {5, 4, 3, 2, 1, 0}, to, from, limit, workers);
}

void rows(cpu::Workers& workers) {
  constexpr std::int64_t count = 1 << 24;
  Memory<double> a(count), b(count), out(count);
  double sink = 0;
  const auto plain_sum = arithmetic::row_function<double>(workers.isa(), arithmetic::RowKernel::sum);
  const double one = 1;
  const double read = report("sum of one array", 8.0 * count, 0, [&] {
    plain_sum({.columns = count, .out = &sink, .left = a.data, .right = &one, .columns_summed = true});
  });
  for (const std::int64_t columns : {16, 64, 320}) {
    const auto dot = arithmetic::row_function<double>(workers.isa(), arithmetic::RowKernel::dot);
    const std::int64_t lines = count / columns;
    report(fmt::format("dot over {} of two arrays", columns), 16.0 * static_cast<double>(lines * columns), read, [&] {
      dot({.rows = lines, .columns = columns, .out = out.data, .left = a.data, .right = b.data, .out_row = 1, .left_row = columns,
           .right_row = columns, .columns_summed = true});
    });
    report(fmt::format("matrix with {} columns times vector", columns), 8.0 * static_cast<double>(lines * columns), read, [&] {
      dot({.rows = lines, .columns = columns, .out = out.data, .left = a.data, .right = b.data, .out_row = 1, .left_row = columns,
           .columns_summed = true});
    });
  }
}

void combinations(cpu::Workers& workers) {
  constexpr std::int64_t count = 1 << 24;
  cpu::Sample sample;
  for (int k = 0; k < 3; ++k) sample.buffers.push_back({.extents = {count}, .strides = {1}});
  const auto plan = cpu::plan_of(program::Combination{{1, 3}, {1, 2}, 0}, sample.buffers);
  Memory<double> out(count), a(count), b(count);
  const void* inputs[] = {a.data, b.data};
  const auto plain = arithmetic::combine_function<double>(workers.isa());
  const double triad = report("a = b + 3 c, one row past the caches", 24.0 * count, 0, [&] {
    plain({.count = count, .terms = 2, .coefficients = {1, 3}, .inputs = {a.data, b.data}, .out = out.data, .streams = true});
  });
  report("a = b + 3 c, a step of a program", 24.0 * count, triad, [&] { cpu::run_combination<double>(plan, out.data, inputs, workers); });
}

}  // namespace

int main() {
  cpu::Workers workers(1, 0);
  fmt::print("instruction set {}\n", arithmetic::name_of(workers.isa()));
  constexpr std::int64_t count = 320 * 320 * 320;
  double limit = 0;
  {
    Memory<double> to(count), from(count);
    const cpu::StridedCopy copy({{count, 1, 1}});
    limit = report("copy past the caches", 16.0 * count, 0, [&] { copy.run(to.data, static_cast<const double*>(from.data), workers); });
  }
  permutations<double>(limit, workers);
  permutations<float>(limit, workers);
  rows(workers);
  combinations(workers);
}
