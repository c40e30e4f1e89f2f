#include "program/slabs.hpp"
#include <boost/test/unit_test.hpp>

using namespace tyto;
using namespace tyto::program;

namespace {

constexpr BufferId x = 0, a = 1, m = 2, z = 3;

/// X(i,j) with gaps between its rows, A(j,r), M(i,r), Z(i,r).
std::vector<Buffer> buffers() {
  const auto buffer = [](const char* name, Extents extents, Extents strides) {
    return Buffer{.name = name, .extents = std::move(extents), .strides = std::move(strides)};
  };
  return {buffer("X", {6, 5}, {8, 1}), buffer("A", {5, 3}, {3, 1}), buffer("M", {6, 3}, {3, 1}), buffer("Z", {6, 3}, {1, 6})};
}

Contraction product() { return {.inputs = {{x, {0, 1}}, {a, {1, 2}}}, .out = {m, {0, 2}}}; }

const Contraction& contraction_of(const Operation& operation) { return std::get<Contraction>(operation); }

}  // namespace

BOOST_AUTO_TEST_CASE(axes_of_a_label) {
  const std::optional<SlabAxes> rows = slab_axes(product(), 0, buffers()), sum = slab_axes(product(), 1, buffers());
  BOOST_REQUIRE(rows);
  BOOST_TEST(rows->out == 0);
  BOOST_CHECK((rows->inputs == std::vector<std::int32_t>{0, -1}));
  BOOST_REQUIRE(sum);
  BOOST_TEST(sum->out == -1);
  BOOST_CHECK((sum->inputs == std::vector<std::int32_t>{1, 0}));
}

BOOST_AUTO_TEST_CASE(an_addend_is_cut_as_the_output) {
  Contraction added = product();
  added.addend = z;
  BOOST_CHECK((slab_axes(added, 0, buffers())->inputs == std::vector<std::int32_t>{0, -1, 0}));
  BOOST_CHECK((slab_axes(added, 1, buffers())->inputs == std::vector<std::int32_t>{1, 0, -1}));
}

BOOST_AUTO_TEST_CASE(steps_that_cannot_be_cut) {
  Contraction diagonal = product(), repeated = product(), tropical = product(), factors = product();
  diagonal.inputs[0].labels = {1, 1};
  BOOST_TEST(!slab_axes(diagonal, 1, buffers()));
  repeated.out = {m, {0, 3}};
  BOOST_TEST(!slab_axes(repeated, 3, buffers()));  // no operand has the label
  tropical.pair = {einsum::Reduce::min, einsum::Combine::sum};
  BOOST_TEST(!slab_axes(tropical, 0, buffers()));
  factors.inputs.push_back({a, {1, 2}});
  factors.factors = 2;
  BOOST_TEST(!slab_axes(factors, 0, buffers()));  // the product of the factors would be formed in every slab
  BOOST_TEST(slab_axes(factors, 1, buffers()).has_value());
  BOOST_TEST(!slab_axes(Power{2, x, m}, 0, buffers()));
  std::vector<Buffer> complex = buffers();
  for (Buffer& buffer : complex) buffer.dtype = Dtype::c128;
  BOOST_TEST(!slab_axes(product(), 1, complex));
  BOOST_TEST(slab_axes(product(), 0, complex).has_value());
}

BOOST_AUTO_TEST_CASE(a_slab_of_rows_looks_at_some_of_them) {
  SlabViews views(buffers());
  const Operation slab = views.slab(product(), 0, 2, true);
  const Contraction& c = contraction_of(slab);
  const auto seen = [&](BufferId id) { return views.buffers()[static_cast<std::size_t>(id)]; };
  BOOST_CHECK((seen(c.inputs[0].buffer).extents == Extents{2, 5}));
  BOOST_CHECK((seen(c.inputs[0].buffer).strides == Extents{8, 1}));
  BOOST_TEST(c.inputs[1].buffer == a);
  BOOST_CHECK((seen(c.out.buffer).extents == Extents{2, 3}));
  BOOST_TEST(c.addend == -1);
  BOOST_TEST(views.origin(c.inputs[0].buffer).whole == x);
  BOOST_TEST(views.origin(c.inputs[0].buffer).step == 8);
  BOOST_TEST(views.origin(a).whole == a);
  BOOST_TEST(views.origin(a).step == 0);
}

BOOST_AUTO_TEST_CASE(a_slab_of_a_sum_goes_on_with_it) {
  SlabViews views(buffers());
  Contraction added = product();
  added.addend = z, added.addend_scale = 2;
  const Operation first = views.slab(added, 1, 2, false), next = views.slab(added, 1, 2, true);
  BOOST_TEST(contraction_of(first).addend == z);
  BOOST_TEST(contraction_of(first).addend_scale == 2);
  BOOST_TEST(contraction_of(next).addend == m);
  BOOST_TEST(contraction_of(next).addend_scale == 1);
  BOOST_TEST(flops_of(first, views.buffers()) == 2 * 6 * 3 * 2 + 2 * 6 * 3);
  BOOST_TEST(flops_of(next, views.buffers()) == 2 * 6 * 3 * 2);
}
