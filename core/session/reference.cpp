#include "session/reference.hpp"
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "session/data_files.hpp"
#include "result/ktensor.hpp"

namespace tyto::session {

namespace {

namespace fs = std::filesystem;

void check_result_is_cp(const Prepared& p, const Where& where) {
  const std::string why = why_not_ktensor(p);
  if (why.empty()) return;
  fail({.code = Code::contradiction,
        .where = where,
        .what = "the result is no CP decomposition and has no components to compare",
        .found = why,
        .hint = "removing compare_to"});
}

void check_is_folder(const fs::path& folder, const Where& where) {
  if (fs::is_directory(folder)) return;
  fail({.code = Code::file_missing,
        .where = where,
        .what = "what the result is compared with is not a folder",
        .expected = "the output folder of a run, or its folder unknowns",
        .found = folder.string() + (fs::exists(folder) ? ", which is a file" : ", which does not exist"),
        .hint = "compare_to: FOLDER"});
}

NamedArray read_factor(const Prepared& p, const fs::path& folder, const solve::Tensor& unknown, const Where& where) {
  const std::string path = file_of_unknown(folder, unknown.name);
  if (!fs::exists(data_path(path).file))
    fail({.code = Code::file_missing,
          .where = where,
          .what = fmt::format("the reference has no factor {}", unknown.name),
          .expected = fmt::format("a file {0}.npy or unknowns/{0}.npy", unknown.name),
          .found = "neither in " + folder.string(),
          .hint = "the result of a run with the same data, modes and names"});
  const tensor::Dense values = read_file(p.config, path, {}, fmt::format("the reference of {}", unknown.name), where);
  const Extents& extents = values.extents();
  if (extents.size() != 2 || extents[0] != unknown.extents[0] || extents[1] < 1)
    fail({.code = Code::shape,
          .where = where,
          .what = fmt::format("the reference of {} does not fit mode {}", unknown.name, unknown.labels[0]),
          .expected = fmt::format("{} x any number of columns", unknown.extents[0]),
          .found = fmt::format("{} in {}", tensor::text_of(extents), path),
          .hint = "the result of a run with the same data"});
  if (tensor::count_non_finite(values.view()).any())
    fail({.code = Code::not_finite,
          .where = where,
          .what = fmt::format("the reference of {} has values that are not finite", unknown.name),
          .expected = "finite numbers",
          .found = path});
  const tensor::Dense factor = tensor::Dense::copy(values.view(), Dtype::f64);
  const double* first = factor.view().as<double>();
  return {.extents = extents, .labels = unknown.labels, .values = {first, first + factor.size()}};
}

void check_one_rank(const std::map<std::string, NamedArray>& factors, const Where& where) {
  std::vector<std::string> shapes;
  bool is_one = true;
  for (const auto& [name, factor] : factors) {
    shapes.push_back(fmt::format("{} {}", name, tensor::text_of(factor.extents)));
    is_one = is_one && factor.extents[1] == factors.begin()->second.extents[1];
  }
  if (is_one) return;
  fail({.code = Code::contradiction,
        .where = where,
        .what = "the factors of the reference are not of one decomposition",
        .expected = "one number of columns",
        .found = fmt::format("{}", fmt::join(shapes, ", ")),
        .hint = "the files of one run"});
}

}  // namespace

std::map<std::string, NamedArray> reference_factors(const Prepared& p) {
  std::map<std::string, NamedArray> factors;
  if (!p.config.compare_to) return factors;
  const Where where = p.config.where("compare_to");
  check_result_is_cp(p, where);
  const fs::path folder = found_path(p.config, *p.config.compare_to);
  check_is_folder(folder, where);
  std::vector<Finding> findings;
  for (const solve::Tensor& t : p.declared.setup.tensors) {
    if (t.kind != solve::Kind::unknown) continue;
    try {
      factors[t.name] = read_factor(p, folder, t, where);
    } catch (const Error& error) {
      findings.insert(findings.end(), error.findings().begin(), error.findings().end());
    }
  }
  config::throw_if_any(std::move(findings));
  check_one_rank(factors, where);
  return factors;
}

std::optional<result::FactorMatch> matched(const Prepared& p, const result::Record& record) {
  if (p.reference.empty() || !result::why_not_ktensor(record).empty()) return std::nullopt;
  const result::Ktensor own = result::with_unit_columns(record);
  std::vector<NamedArray> factors;
  for (const std::string& name : own.unknowns) factors.push_back(p.reference.at(name));
  result::FactorMatch match = result::factor_match(own, result::with_unit_columns(own.unknowns, std::move(factors)));
  match.reference = *p.config.compare_to;
  return match;
}

}  // namespace tyto::session
