#include "session/starts.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"
#include "session/data_files.hpp"
#include "solve/unfolding.hpp"
#include "tensor/statistics.hpp"

namespace tyto::session {

namespace {

/// A start that the bounds of its unknown rule out, by the first such entry.
void check_bounds(const solve::Tensor& t, const ConstArray& start, const std::string& path, const Where& where) {
  const tensor::Dense copy = tensor::Dense::copy(start, Dtype::f64);
  for (std::int64_t k = 0; k < copy.size(); ++k) {
    const double value = copy.view().as<double>()[k];
    if (value >= t.lower && value <= t.upper) continue;
    Extents index(t.extents.size());
    std::int64_t rest = k;
    for (std::size_t axis = t.extents.size(); axis-- > 0;) index[axis] = rest % t.extents[axis], rest /= t.extents[axis];
    const bool is_negative = t.lower == 0 && value < 0;
    fail({.code = Code::contradiction,
          .where = where,
          .what = is_negative ? fmt::format("{} is not to be negative, and its start is", t.name)
                              : fmt::format("the start of {} is not within its bounds", t.name),
          .expected = std::isfinite(t.upper) ? fmt::format("{:g} to {:g}", t.lower, t.upper) : fmt::format(">= {:g}", t.lower),
          .found = fmt::format("{:g} at [{}] in {}", value, fmt::join(index, ","), path),
          .hint = "another start, or init: random"});
  }
}

tensor::Dense given_start(const Declared& d, const config::RunConfig& config, const solve::Tensor& t, const std::string& path,
                          const Where& where) {
  const tensor::Dense values = read_file(config, path, {}, "the start of " + t.name, where, Field::complex);
  const bool is_core = t.varies && values.order() == 3 && values.extents()[1] == t.extents[1];  // of any bonds
  if (values.extents() != t.extents && !is_core)
    fail({.code = Code::shape,
          .where = where,
          .what = fmt::format("the start of {} has another shape than {}", t.name, t.name),
          .expected = t.varies ? fmt::format("[any bond][{}][any bond]", t.extents[1]) : tensor::text_of(t.extents),
          .found = fmt::format("{} in {}", tensor::text_of(values.extents()), path),
          .hint = "the result of a run with the same data and settings, or init: random"});
  if ((values.dtype() == Dtype::c64 || values.dtype() == Dtype::c128) && !t.is_complex)
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("the start of {} is complex, and {} is real", t.name, t.name),
          .found = path,
          .hint = "another start, or a Hamiltonian with complex coefficients"});
  if (tensor::count_non_finite(values.view()).any())
    fail({.code = Code::not_finite,
          .where = where,
          .what = fmt::format("the start of {} has values that are not finite", t.name),
          .found = path});
  tensor::Dense start = tensor::Dense::copy(values.view(), t.is_complex ? Dtype::c128 : d.setup.precision);
  if (!t.is_complex) check_bounds(t, start.view(), path, where);
  return start;
}

/// solver.init: {file: FOLDER} takes each unknown from FOLDER/NAME.npy, which is what a run leaves in unknowns/, or from a file of
/// HDF5.
std::string file_for(const config::RunConfig& config, const std::string& unknown) {
  const std::filesystem::path folder = found_path(config, config.solver.init.file);
  if (!std::filesystem::is_directory(folder) && !tensor::is_hdf5(folder))
    fail({.code = Code::file_missing,
          .where = config.where("solver.init"),
          .what = "the start is not a folder",
          .expected = "a folder with one .npy file for each unknown, or a file of HDF5 with one dataset for each",
          .found =
              std::filesystem::exists(folder) ? folder.string() + ", which is a file" : folder.string() + ", which does not exist",
          .hint = "unknowns: {NAME: {init: {file: ...}}}, a file for each unknown"});
  return file_of_unknown(folder, unknown);
}

/// How far a given start of orthonormal vectors may be off: as half the digits of the precision.
void check_orthonormal(const Declared& d, const solve::Tensor& t, const Where& where) {
  if (t.orthonormal < 0 || !t.start.given) return;
  const tensor::Dense values = tensor::Dense::copy(t.start.given->view(), Dtype::f64);
  const std::vector<double> gram = solve::Unfolding(values.view(), t.orthonormal).gram();
  const std::int64_t n = t.extents[static_cast<std::size_t>(t.orthonormal)];
  double farthest = 0;
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t s = 0; s < n; ++s)
      farthest = std::max(farthest, std::abs(gram[static_cast<std::size_t>(r * n + s)] - (r == s ? 1 : 0)));
  if (farthest > (d.setup.precision == Dtype::f32 ? 1e-3 : 1e-7))
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("the start of {} is not orthonormal", t.name),
          .expected = "columns whose scalar products are 0 and 1",
          .found = fmt::format("one that is off by {:.2g}", farthest),
          .hint = "the result of a run with the same settings, or init: hosvd"});
}

void refuse_word(const solve::Tensor& t, const Where& where) {
  const std::string& word = t.start.word;
  if (t.start.given) return;
  if (t.orthonormal >= 0 && (word == "ones" || word == "zeros"))
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("{} cannot start with {}: its columns are orthonormal", t.name, word),
          .expected = "init: hosvd, st-hosvd, random or random-normal",
          .found = "init: " + word});
  if (t.orthonormal < 0 && word == "st-hosvd")
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("{} cannot start by st-hosvd: its columns are not orthonormal", t.name),
          .expected = "init: hosvd, random or random-normal",
          .found = "init: " + word});
}

/// A product of vectors of the sites: all bonds are 1.
tensor::Dense product_core(const std::vector<double>& vector, bool is_complex) {
  const ConstArray values(vector.data(), {1, static_cast<std::int64_t>(vector.size()), 1});
  return tensor::Dense::copy(values, is_complex ? Dtype::c128 : Dtype::f64);
}

/// Neighbouring cores have the bond between them in common, and the ends of a train have none.
void check_bonds(const Declared& d, const Where& where) {
  for (const solve::Train& train : d.setup.trains) {
    const std::size_t count = train.cores.size();
    const auto core = [&](std::size_t k) -> const solve::Tensor& {
      return d.setup.tensors[static_cast<std::size_t>(train.cores[k])];
    };
    const auto extents = [&](std::size_t k) { return core(k).start.given ? core(k).start.given->extents() : core(k).extents; };
    for (std::size_t k = 0; k <= count; ++k) {
      const std::int64_t left = k == 0 ? 1 : extents(k - 1).back(), right = k == count ? 1 : extents(k).front();
      if (left == right) continue;
      const std::string after = k == 0 ? "the left end" : core(k - 1).name, before = k == count ? "the right end" : core(k).name;
      fail({.code = Code::shape,
            .where = where,
            .what = fmt::format("the starts of {} and {} do not fit: they share a bond", after, before),
            .expected = fmt::format("extent {} on both sides", left),
            .found = fmt::format("{} on the right", right),
            .hint = "solver.init: {file: FOLDER}, all cores of one result"});
    }
  }
}

void set_hosvd(const Declared& d, solve::Tensor& t, const Expr& unknown, const Where& where) {
  for (std::size_t k = 0; k < d.problem.data.size() && unknown.order() > 0; ++k) {
    const Expr& data = d.problem.data[k].expression;
    for (int axis = 0; axis < data.order(); ++axis)
      if (data.axis(axis).dimension() == unknown.axis(0).dimension()) {
        t.start.data = static_cast<std::int32_t>(k), t.start.axis = axis;
        return;
      }
  }
  fail({.code = Code::contradiction,
        .where = where,
        .what = fmt::format("{} cannot start by {}", t.name, t.start.word),
        .expected = "data that shares its first axis",
        .found = unknown.text(),
        .hint = "init: random"});
}

}  // namespace

void set_starts(Declared& d, const config::RunConfig& config) {
  const bool user_says = config.places.contains("solver.init");
  for (std::size_t k = 0; k < d.nodes.size(); ++k) {
    solve::Tensor& t = d.setup.tensors[k];
    if (t.kind != solve::Kind::unknown) continue;
    const problem::Unknown& u = *std::find_if(d.problem.unknowns.begin(), d.problem.unknowns.end(),
                                              [&](const problem::Unknown& other) { return other.expression.id() == d.nodes[k]; });
    const bool own = config.unknown(t.name).init.has_value();
    const Where where = own ? u.where : config.where("solver.init");
    t.start.word = u.traits.init;
    if (own && !u.init_file.empty()) {
      t.start.given = given_start(d, config, t, u.init_file, where);
    } else if (!own && user_says && !config.solver.init.file.empty()) {
      t.start.given = given_start(d, config, t, file_for(config, t.name), where);
    } else if (!own && user_says) {
      t.start.word = config.solver.init.word;
    } else if (!own && !u.vector.empty()) {
      t.start.given = product_core(u.vector, t.is_complex);
    }
    if (!t.start.given && t.start.word == "given")
      fail({.code = Code::missing_key,
            .where = where,
            .what = fmt::format("the plugin wants a given start for {}", t.name),
            .expected = fmt::format("unknowns: {{{}: {{init: {{file: ...}}}}}}", t.name)});
    check_orthonormal(d, t, where);
    refuse_word(t, where);
    if (!t.start.given && (t.start.word == "hosvd" || t.start.word == "st-hosvd")) set_hosvd(d, t, u.expression, where);
  }
  check_bonds(d, config.where("solver.init"));
}

}  // namespace tyto::session
