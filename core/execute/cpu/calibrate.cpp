// Families of samples, each with the rates that it decides; a search downhill, one rate at a time, on the logarithms of the times.
#include "execute/cpu/calibrate.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include "arithmetic/peak.hpp"
#include "error/fail.hpp"
#include "execute/cpu/blas.hpp"
#include "execute/cpu/trial.hpp"

namespace tyto::execute::cpu {
namespace {

using Extents3 = std::array<std::int64_t, 3>;

constexpr double budget = 4e-3;  // seconds for one sample in one round
constexpr int rounds = 4;

/// Time that goes by whatever else the machine does.
class Deadline {
 public:
  explicit Deadline(double seconds) : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds))) {}
  double left() const { return Seconds(end_ - Clock::now()).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  Clock::time_point end_;
};

/// A step to be timed, as it would run or as one class would run it.
struct Planned {
  Sample sample;
  std::optional<ContractionClass> only;
  std::optional<Trial> trial(const Rates& rates) const {
    return only ? Trial::of_class(sample, rates, *only) : Trial(sample, rates);
  }
};

struct Measured {
  Trial trial;
  double seconds = 0;
};

/// Steps that decide some of the rates, those rates by name, and how many seconds may go by until all steps are measured.
struct Family {
  std::string_view name;
  std::vector<std::string_view> rates;
  std::vector<Planned> steps;
  double longest = 0;
};

/// Contractions of the labels i, j, k and b with extents m, n, depth and batch; of one class only, if one is named.
class Samples {
 public:
  Samples& only(ContractionClass one) {
    only_ = one;
    return *this;
  }
  Samples& add(const std::string& out, const std::string& left, const std::string& right, Extents3 mnk, std::int64_t batch = 1) {
    return add(sample_contraction(out, left, right, {{'i', mnk[0]}, {'j', mnk[1]}, {'k', mnk[2]}, {'b', batch}}));
  }
  Samples& add(Sample sample) {
    steps_.push_back({std::move(sample), only_});
    return *this;
  }
  std::vector<Planned> take() { return std::move(steps_); }

 private:
  std::optional<ContractionClass> only_;
  std::vector<Planned> steps_;
};

Family products() {
  Samples samples;
  const std::vector<Extents3> sizes = {{300, 384, 384}, {1000, 16, 200}, {16, 1000, 200}, {200, 300, 16},
                                       {96, 96, 96},    {48, 48, 48},    {400, 9, 60},    {9, 400, 60},
                                       {300, 40, 7},    {12, 12, 12},    {5, 5, 5},       {30, 30, 4}};
  for (const ContractionClass one : {ContractionClass::product, ContractionClass::packed_product}) {
    samples.only(one);
    for (const Extents3& size : sizes) samples.add("ij", "ik", "kj", size);
    for (const Extents3& size : {sizes[1], sizes[2], sizes[3], sizes[5], sizes[9]})
      samples.add("ij", "ki", "kj", size).add("ij", "ik", "jk", size);
    // Nothing is adjacent but the batch; rows and columns in short runs.
    for (const Extents3& size : {sizes[5], Extents3{24, 20, 30}})
      samples.add("ijb", "ikb", "kjb", size, 9).add("ibj", "bik", "kj", size, 5);
  }
  return {"matrix products",
          {"product", "product_call", "product_tile", "packed_product", "packed_product_call", "packed_product_tile", "packing",
           "packing_row", "transposed_packing", "scattered_packing", "vector_writing", "scattered_writing", "offset"},
          samples.take(),
          7};
}

/// Small enough for the first- and second-level caches. Rows of many lengths, each with every kernel.
Family rows() {
  Samples samples;
  samples.only(ContractionClass::nest);
  for (const Extents3& size : std::vector<Extents3>{{40, 400, 1},
                                                    {2, 500, 1},
                                                    {16, 80, 1},
                                                    {150, 64, 1},
                                                    {400, 24, 1},
                                                    {50, 24, 1},
                                                    {500, 9, 1},
                                                    {60, 9, 1},
                                                    {20, 5, 1},
                                                    {3, 4, 1}}) {
    samples.add("ij", "i", "j", size).add("ij", "ij", "ij", size).add("ij", "ij", "i", size).add("ij", "ij", "j", size);
    samples.add("i", "ij", "j", size).add("i", "ij", "ij", size).add("", "ij", "ij", size);
    samples.add("j", "ij", "i", size).add("j", "ij", "ij", size);
    samples.add("ij", "ji", "ij", size).add("ji", "ij", "ij", size);
  }
  samples.add("bj", "bij", "bi", {20, 16, 1}, 60).add("bj", "bij", "ij", {9, 20, 1}, 80).add("bi", "bij", "bj", {12, 24, 1}, 50);
  samples.add("bij", "bi", "bj", {12, 20, 1}, 40).add("bij", "bij", "bj", {9, 13, 1}, 50);
  return {"rows",
          {"multiply", "multiply_call", "multiply_row", "multiply_add", "multiply_add_call", "multiply_add_row", "dot", "dot_call",
           "dot_row", "any", "any_call", "any_row"},
          samples.take(),
          5};
}

/// Operands of some 60 % of the second-level cache, of 2 to 30 MB, where the last one ends on most machines, and of 60 MB.
Family streams(const Rates& rates) {
  Samples samples;
  samples.only(ContractionClass::nest);
  for (const double bytes : {0.6 * rates.second_level.size, 2e6, 5e6, 12e6, 30e6, 60e6}) {
    const auto rows = static_cast<std::int64_t>(bytes / 8000), third = std::max<std::int64_t>(rows / 3, 1);
    samples.add("", "ij", "ij", {rows / 2, 1000, 1}).add("ij", "ij", "ij", {third, 1000, 1}).add("ij", "i", "j", {rows, 1000, 1});
    samples.add("i", "ij", "j", {rows, 1000, 1}).add("j", "ij", "i", {rows, 1000, 1}).add("ij", "ij", "j", {rows / 2, 1000, 1});
    // Short rows that lie apart in one operand, whatever the order of the loops.
    for (const std::int64_t row : {8, 24, 100})
      samples.add("bij", "bij", "ibj", {12, row, 1}, static_cast<std::int64_t>(bytes / 8 / 3 / 12) / row)
          .add("bij", "bij", "ibj", {300, row, 1}, std::max<std::int64_t>(static_cast<std::int64_t>(bytes / 8 / 3 / 300) / row, 2));
  }
  return {"streams",
          {"second_level", "second_level_run", "last_level_size", "last_level", "last_level_run", "memory", "memory_run"},
          samples.take(),
          8};
}

Family transpositions(const Rates& rates) {
  Samples samples;
  const auto far = static_cast<std::int64_t>(std::sqrt(1.5 * rates.last_level.size / 8));
  samples.add("ji", "ij", "", {far, far, 1})
      .add("ji", "ij", "", {far / 4, 6 * far, 1})
      .add("bji", "bij", "", {30, far, 1}, far / 20);
  samples.add("ji", "ij", "", {200, 150, 1}).add("ji", "ij", "", {900, 40, 1}).add("bji", "bij", "", {24, 30, 1}, 50);
  samples.add("ibj", "bij", "", {20, 9, 1}, 60).add("kbji", "bijk", "", {10, 12, 14}, 9).add("ji", "ij", "", {9, 7, 1});
  return {"transpositions", {"copy", "transposition", "copy_row"}, samples.take(), 2};
}

/// Few: all else is as for real numbers.
Family complex_products() {
  Samples samples;
  for (const ContractionClass one : {ContractionClass::product, ContractionClass::packed_product})
    for (const std::int64_t n : {48, 96, 200})
      samples.only(one).add(sample_contraction("ij", "ik", "kj", {{'i', n}, {'j', n}, {'k', n}}, Dtype::c128));
  return {"products of complex numbers", {"complex_product"}, samples.take(), 1};
}

Sample system_of(std::int64_t order, std::int64_t right_sides) {
  Sample sample;
  for (const Extents& extents : {Extents{order, order}, Extents{order, right_sides}, Extents{order, right_sides}})
    sample.buffers.push_back({.extents = extents, .strides = row_major(extents)});
  sample.operation = program::Solve{0, 1, 2, 0, 1, operation::System::semidefinite};
  return sample;
}

Family factorizations() {
  Samples samples;
  for (const auto& [order, right_sides] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{8, 50}, {16, 100}, {40, 100}, {100, 200}, {200, 300}})
    samples.add(system_of(order, right_sides));
  return {"factorizations", {"factorization", "half_order"}, samples.take(), 2};
}

Family elements(std::string_view name, const program::Operation& operation) {
  Samples samples;
  Sample sample{.operation = operation, .buffers = {}};
  for (int k = 0; k < 2; ++k) sample.buffers.push_back({.extents = {5000}, .strides = {1}});
  samples.add(std::move(sample));
  return {name, {name}, samples.take(), 0.5};
}

std::vector<NamedRate> rates_named(const std::vector<std::string_view>& names) {
  std::vector<NamedRate> found;
  for (const NamedRate& one : named_rates())
    if (std::find(names.begin(), names.end(), one.name) != names.end()) found.push_back(one);
  TYTO_ASSERT(found.size() == names.size());
  return found;
}

constexpr double trust = 0.003;  // of a built-in rate, against that of all samples of a family; decides what these leave open

double square_of_logarithm(double ratio) { return std::log(ratio) * std::log(ratio); }

/// Mean square of log(predicted / measured), and a little of log(rate / where it began).
double misfit(const std::vector<Measured>& measured, const Rates& rates, const std::vector<NamedRate>& fitted, const Rates& began) {
  double sum = 0, moved = 0;
  for (const Measured& one : measured) sum += square_of_logarithm(one.trial.predicted(rates) / one.seconds);
  for (const NamedRate& one : fitted) moved += square_of_logarithm(one.of(rates) / one.of(began));
  return sum / static_cast<double>(std::max<std::size_t>(measured.size(), 1)) + trust * moved;
}

/// Moves one rate after another by a factor, as long as that helps, then by smaller factors.
void fit(Rates& rates, const std::vector<NamedRate>& fitted, const std::vector<Measured>& measured) {
  const Rates began = rates;
  double least = misfit(measured, rates, fitted, began);
  for (double factor = 2; factor > 1.005; factor = std::sqrt(factor)) {
    bool moved = true;
    for (int round = 0; moved && round < 20; ++round) {
      moved = false;
      for (const NamedRate& one : fitted) {
        for (const double by : {factor, 1 / factor}) {
          Rates tried = rates;
          one.in(tried) *= by;
          if (one.unit == NamedRate::Unit::flops_per_second && one.of(tried) > rates.peak) continue;
          const double found = misfit(measured, tried, fitted, began);
          if (found >= least * (1 - 1e-9)) continue;
          rates = std::move(tried), least = found, moved = true;
          break;
        }
      }
    }
  }
}

/// What neighbours on the machine do lasts longer than the batches of one sample: steps are measured in several rounds, and the
/// shortest of the medians counts. When the time is over, the steps that were measured decide.
void measure(Rates& rates, const Family& family, const std::function<void(std::string_view)>& progress) {
  progress(family.name);
  const Deadline deadline(family.longest);
  std::vector<Measured> measured;
  const auto time = [&](Measured& one) { one.seconds = std::min(one.seconds, one.trial.measured(budget)); };
  for (const Planned& step : family.steps) {
    if (deadline.left() <= 0) break;
    std::optional<Trial> trial = step.trial(rates);
    if (!trial) continue;
    time(measured.emplace_back(std::move(*trial), std::numeric_limits<double>::infinity()));
  }
  for (int round = 1; round < rounds; ++round)
    for (Measured& one : measured)
      if (deadline.left() > 0) time(one);
  fit(rates, rates_named(family.rates), measured);
}

double measured_peak(arithmetic::Isa isa) {
  double best = 0, seed = 1;
  for (int batch = 0; batch < 20; ++batch) {
    const double start = thread_seconds();
    const std::int64_t flops = arithmetic::run_multiply_adds(isa, 1'000'000, seed);
    best = std::max(best, static_cast<double>(flops) / (thread_seconds() - start));
  }
  return best;
}

/// The smallest step there is, which writes one number.
double measured_step(const Rates& rates) {
  Sample sample{.operation = program::Fill{1, 0}, .buffers = {{.extents = {1}, .strides = {1}}}};
  return Trial(std::move(sample), rates).measured(budget);
}

}  // namespace

Rates measured_rates(arithmetic::Isa isa, const std::function<void(std::string_view)>& progress) {
  blas::set_threads(1);
  Rates rates = built_in_rates(isa);
  // What the last cache holds is not asked but measured, for it is shared.
  const arithmetic::Caches caches = arithmetic::caches_of_this_machine();
  rates.first_level_size = static_cast<double>(caches.first), rates.second_level.size = static_cast<double>(caches.second);
  progress("peak");
  rates.step = measured_step(rates);
  rates.peak = measured_peak(isa);
  measure(rates, rows(), progress);
  measure(rates, streams(rates), progress);
  measure(rates, products(), progress);
  measure(rates, complex_products(), progress);
  measure(rates, transpositions(rates), progress);
  measure(rates, factorizations(), progress);
  measure(rates, elements("power", program::Power{1.7, 0, 1}), progress);
  measure(rates, elements("function", program::Map{operation::Function::exp, {0}, 1}), progress);
  return rates;
}

}  // namespace tyto::execute::cpu
