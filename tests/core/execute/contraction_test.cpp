// Contractions of the cpu executor against the reference: random labels, extents, strides, types; results, flops and untouched
// gaps.
#include "execute/cpu/executor.hpp"
#include "execute/reference/executor.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include "core/execute/random_layout.hpp"
#include "core/execute/small_program.hpp"
#include <fmt/format.h>

using namespace tyto;
using namespace tyto::execute;
using program::BufferId;
using program::Contraction;

namespace {

constexpr std::int64_t largest_extent = 7;

/// One contraction between leaves of random shape.
struct Case {
  SmallProgram small;
  BufferId out = -1;
  Dtype type = Dtype::f64;
};

einsum::Labels random_labels(Engine& engine, std::int64_t pool, bool may_repeat) {
  einsum::Labels labels;
  for (einsum::Label label = 0; label < pool; ++label)
    if (chance(engine, 0.55) && labels.size() < 4) labels.push_back(label);
  if (may_repeat && !labels.empty() && chance(engine, 0.15)) labels.push_back(labels[0]);
  std::shuffle(labels.begin(), labels.end(), engine);
  return labels;
}

Extents extents_of(const einsum::Labels& labels, const Extents& extent_of_label) {
  Extents extents;
  for (const einsum::Label label : labels) extents.push_back(extent_of_label[static_cast<std::size_t>(label)]);
  return extents;
}

Case random_case(Engine& engine, std::int64_t operands) {
  Case made;
  made.type = chance(engine, 0.5) ? Dtype::f64 : Dtype::f32;
  const std::int64_t pool = between(engine, 1, 6);
  Extents extent_of_label;
  for (std::int64_t label = 0; label < pool; ++label)
    extent_of_label.push_back(chance(engine, 0.03) ? 0 : chance(engine, 0.15) ? 1 : between(engine, 2, largest_extent));
  Contraction contraction;
  for (std::int64_t k = 0; k < operands; ++k) {
    const einsum::Labels labels = random_labels(engine, pool, true);
    const Extents extents = extents_of(labels, extent_of_label);
    Extents strides = random_strides(engine, extents);
    if (!strides.empty() && chance(engine, 0.08)) strides[0] = 0;
    contraction.inputs.push_back({made.small.leaf("operand", extents, strides, made.type), labels});
  }
  const einsum::Labels labels = random_labels(engine, pool, true);
  const Extents extents = extents_of(labels, extent_of_label);
  made.out = made.small.arena("out", extents, random_strides(engine, extents), made.type);
  contraction.out = {made.out, labels};
  made.small.kernel("k", {made.small.step(contraction)}, made.out);
  made.small.randomize(engine);
  return made;
}

struct Ran {
  std::vector<double> values;
  std::int64_t flops = 0;
};

/// Runs the only step twice, the second time over the values of the first.
Ran run_on(const Executor& executor, Case& made) {
  const auto instance = executor.load(made.small.finish(executor.model()), {});
  made.small.bind_all(*instance);
  instance->run(0);
  instance->run(0);
  BOOST_TEST(instance->counts().steps == 2);
  BOOST_TEST(instance->counts().bytes == 2 * made.small.made.steps[0].bytes);
  return {contents(instance->value(made.out)), instance->counts().flops / 2};
}

void take_absolute_values(Case& made) {
  for (const program::Buffer& buffer : made.small.made.buffers) {
    if (buffer.leaf < 0) continue;
    const std::vector<double> values = contents(made.small.view(buffer.leaf));
    for (std::size_t e = 0; e < values.size(); ++e) made.small.set(buffer, static_cast<std::int64_t>(e), std::abs(values[e]));
  }
}

/// |cpu - reference| <= 64 eps times the same contraction of absolute values, element by element.
void compare(Case& made, const std::string& name) {
  const auto cpu = cpu::make_executor(), reference = reference::make_executor();
  const program::Operation& operation = made.small.made.steps[0].operation;
  BOOST_TEST_CONTEXT(name << ", kernel " << cpu->model().kernel_class(operation, made.small.made.buffers)) {
    const Ran fast = run_on(*cpu, made), plain = run_on(*reference, made);
    take_absolute_values(made);
    const Ran bound = run_on(*reference, made);
    const double epsilon = made.type == Dtype::f32 ? 0x1p-23 : 0x1p-52;
    BOOST_TEST(fast.flops == made.small.made.steps[0].flops);
    BOOST_TEST(plain.flops == made.small.made.steps[0].flops);
    BOOST_REQUIRE(fast.values.size() == plain.values.size());
    for (std::size_t e = 0; e < fast.values.size(); ++e)
      if (!(std::abs(fast.values[e] - plain.values[e]) <= 64 * epsilon * bound.values[e]))
        BOOST_ERROR(fmt::format("element {}: {} is not {}", e, fast.values[e], plain.values[e]));
  }
}

Case matrix_case(const std::string& left, const std::string& right, const std::string& out,
                 const std::map<char, std::int64_t>& extents, Dtype type = Dtype::f64) {
  Case made;
  made.type = type;
  const auto labels = [](const std::string& letters) { return einsum::Labels(letters.begin(), letters.end()); };
  const auto shape = [&](const std::string& letters) {
    Extents result;
    for (const char letter : letters) result.push_back(extents.at(letter));
    return result;
  };
  Contraction contraction;
  contraction.inputs = {{made.small.leaf("left", shape(left), type), labels(left)},
                        {made.small.leaf("right", shape(right), type), labels(right)}};
  made.out = made.small.arena("out", shape(out), type);
  contraction.out = {made.out, labels(out)};
  made.small.kernel("k", {made.small.step(contraction)}, made.out);
  return made;
}

std::string kernel_class(const std::string& left, const std::string& right, const std::string& out) {
  const Case made = matrix_case(left, right, out, {{'i', 60}, {'j', 70}, {'k', 80}, {'r', 16}, {'s', 16}});
  return cpu::make_executor()->model().kernel_class(made.small.made.steps[0].operation, made.small.made.buffers);
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_operands_agree_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Engine engine(seed);
    Case made = random_case(engine, 2);
    compare(made, fmt::format("two operands, seed {}", seed));
  }
}

BOOST_AUTO_TEST_CASE(one_operand_agrees_with_the_reference) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Engine engine(seed);
    Case made = random_case(engine, 1);
    compare(made, fmt::format("one operand, seed {}", seed));
  }
}

BOOST_AUTO_TEST_CASE(kernels_of_cp_agree_with_the_reference_where_vectors_are_long) {
  const std::map<char, std::int64_t> extents = {{'i', 5}, {'j', 19}, {'k', 37}, {'r', 45}, {'s', 45}, {'t', 700}};
  const std::vector<std::vector<std::string>> cases = {
      {"ijk", "kr", "ijr"},  {"ijk", "ir", "jkr"}, {"ijk", "jr", "ikr"}, {"ijr", "jr", "ir"},  {"ijr", "ir", "jr"},
      {"jkr", "kr", "jr"},   {"ir", "jr", "ijr"},  {"ijk", "ijr", "kr"}, {"ir", "is", "rs"},   {"rs", "rs", "rs"},
      {"ijk", "ijk", ""},    {"ijk", "jk", "i"},   {"kr", "", "kr"},     {"kr", "kr", "r"},    {"kr", "k", "r"},
      {"kr", "r", "k"},      {"ijk", "jkr", "ri"}, {"kij", "jir", "rk"}, {"ki", "rj", "kirj"}, {"ijr", "rj", "ri"},
      {"kjr", "ijr", "rik"}, {"tr", "tr", "r"},    {"tr", "t", "r"},     {"rt", "t", "r"},     {"tr", "", ""}};
  Engine engine(7);
  for (const std::vector<std::string>& one : cases) {
    for (const Dtype type : {Dtype::f64, Dtype::f32}) {
      Case made = matrix_case(one[0], one[1], one[2], extents, type);
      made.small.randomize(engine);
      compare(made, one[0] + "," + one[1] + "->" + one[2]);
    }
  }
}

BOOST_AUTO_TEST_CASE(outputs_of_many_scattered_axes_agree_with_the_reference) {
  const std::string letters = "abcdefkl";
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Engine engine(seed);
    const std::int64_t axes = between(engine, 4, 6);
    std::map<char, std::int64_t> extents;
    std::string out, left, right;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const bool is_summed = letters[k] >= 'k';
      if (!is_summed && static_cast<std::int64_t>(k) >= axes) continue;
      if (letters[k] == 'l' && chance(engine, 0.5)) continue;
      extents[letters[k]] = axes == 6 ? between(engine, 2, 5) : between(engine, 3, 9);
      const bool is_batch = !is_summed && chance(engine, 0.1);
      const bool on_left = is_summed || is_batch || chance(engine, 0.5);
      if (!is_summed) out += letters[k];
      if (on_left) left += letters[k];
      if (!on_left || is_summed || is_batch) right += letters[k];
    }
    for (std::string* axes_of : {&out, &left, &right}) std::shuffle(axes_of->begin(), axes_of->end(), engine);
    Case made = matrix_case(left, right, out, extents, chance(engine, 0.7) ? Dtype::f64 : Dtype::f32);
    made.small.randomize(engine);
    compare(made, fmt::format("{},{}->{}, seed {}", left, right, out, seed));
  }
}

BOOST_AUTO_TEST_CASE(layout_and_roles_choose_the_kernel) {
  BOOST_TEST(kernel_class("ijk", "kr", "ijr") == "gemm in place");
  BOOST_TEST(kernel_class("ijk", "ir", "jkr") == "gemm in place");
  BOOST_TEST(kernel_class("ijk", "ijr", "kr") == "gemm in place");
  BOOST_TEST(kernel_class("ir", "is", "rs") == "gemm in place");
  BOOST_TEST(kernel_class("ijk", "jr", "ikr") == "batched gemm in place");
  BOOST_TEST(kernel_class("ijk", "ikr", "jr") == "gemm in place");
  BOOST_TEST(kernel_class("ijr", "jr", "ir") == "batched gemv");
  BOOST_TEST(kernel_class("jr", "kr", "jkr") == "batched outer product");
  BOOST_TEST(kernel_class("rs", "rs", "rs") == "hadamard");
  BOOST_TEST(kernel_class("ijk", "ijk", "") == "dot");
  BOOST_TEST(kernel_class("ij", "ij", "i") == "batched dot");
  BOOST_TEST(kernel_class("ij", "kr", "ijkr") == "outer product");
  BOOST_TEST(kernel_class("ij", "", "ij") == "scaling");
}

BOOST_AUTO_TEST_CASE(operands_without_unit_strides_are_packed_through_offsets) {
  Engine engine(11);
  // Bit 0: the output, 1: left, 2: right has elements two apart. Axes in an order that does not merge.
  for (int strided = 0; strided < 8; ++strided) {
    for (const Dtype type : {Dtype::f64, Dtype::f32}) {
      Case made;
      made.type = type;
      const auto strides = [&](const Extents& extents, int bit) {
        Extents result = row_major(extents);
        for (std::int64_t& stride : result) stride *= (strided >> bit & 1) != 0 ? 2 : 1;
        return result;
      };
      const Extents left = {11, 5, 12, 6}, right = {6, 40, 11}, out = {5, 40, 12};  // (k, a, i, l), (l, j, k), (a, j, i)
      made.out = made.small.arena("out", out, strides(out, 0), type);
      const BufferId in_left = made.small.leaf("left", left, strides(left, 1), type);
      const BufferId in_right = made.small.leaf("right", right, strides(right, 2), type);
      const Contraction contraction{.inputs = {{in_left, {2, 0, 1, 3}}, {in_right, {3, 4, 2}}}, .out = {made.out, {0, 4, 1}}};
      made.small.step(contraction);
      made.small.randomize(engine);
      const auto executor = cpu::make_executor();
      const device::Model& model = executor->model();
      if (strided == 7) BOOST_TEST(model.kernel_class(contraction, made.small.made.buffers) == "gemm through offsets");
      if (strided == 7) BOOST_TEST(model.scratch_bytes(contraction, made.small.made.buffers) > 0);
      compare(made, fmt::format("strided {}", strided));
    }
  }
}
