#include "session/inputs.hpp"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

namespace {

void check_finite(const std::string& name, const ConstArray& values, const Where& where) {
  const tensor::NonFinite bad = tensor::count_non_finite(values);
  if (!bad.any()) return;
  std::string what;
  if (bad.nan > 0) what = fmt::format("{} NaN", bad.nan);
  if (bad.inf > 0) what += fmt::format("{}{} infinite", what.empty() ? "" : " and ", bad.inf);
  fail({.code = Code::not_finite, .where = where, .what = fmt::format("{} has values that are not finite", name), .expected = "finite numbers",
        .found = fmt::format("{}, the first at [{}]", what, fmt::join(bad.first, ",")),
        .hint = fmt::format("weights for missing entries: {}.mask: {{file: ...}} with 0 there, and any number in the data", name)});
}

tensor::Dense read(const config::RunConfig& config, const std::string& name, const config::DataConfig& data, Dtype precision) {
  tensor::ReadOptions options{.dense = data.dense};
  if (config.places.contains("data." + name + ".index_base")) options.index_base = static_cast<int>(data.index_base);
  if (!data.shape.empty()) options.shape = data.shape;
  const tensor::Dense in_file = tensor::read_tensor(found_path(config, data.file), options);
  return tensor::Dense::copy(in_file.view(), precision);
}

/// Mask and weights of an input, multiplied; each has its shape and no negative entry.
std::optional<tensor::Dense> read_weights(const config::RunConfig& config, const std::string& name, const config::DataConfig& data, const Extents& extents, Dtype precision) {
  std::optional<tensor::Dense> product;
  for (const auto& [key, file] : {std::pair{"mask", data.mask_file}, std::pair{"weights", data.weights_file}}) {
    if (file.empty()) continue;
    const std::string place = fmt::format("data.{}.{}", name, key);
    const Where where = config.where(place);
    const tensor::Dense w = tensor::Dense::copy(tensor::read_tensor(found_path(config, file)).view(), precision);
    if (w.extents() != extents)
      fail({.code = Code::shape, .where = where, .what = fmt::format("the {} of {} has another shape", key, name), .expected = tensor::text_of(extents), .found = tensor::text_of(w.extents())});
    check_finite(fmt::format("the {} of {}", key, name), w.view(), where);
    if (tensor::minimum(w.view()) < 0)
      fail({.code = Code::out_of_range, .where = where, .what = fmt::format("the {} of {} has negative entries", key, name), .expected = ">= 0", .found = fmt::format("{}", tensor::minimum(w.view()))});
    if (w.size() > 0 && tensor::maximum(w.view()) == 0)
      fail({.code = Code::contradiction, .where = where, .what = fmt::format("the {} of {} is zero everywhere", key, name), .expected = "1 where an entry is known", .found = "0 everywhere"});
    if (!product) {
      product = w;
      continue;
    }
    for (std::int64_t k = 0; k < w.size(); ++k) {
      if (precision == Dtype::f32)
        product->view().as<float>()[k] *= w.view().as<float>()[k];
      else
        product->view().as<double>()[k] *= w.view().as<double>()[k];
    }
  }
  return product;
}

Loaded load(const config::RunConfig& config, const std::string& name, const config::DataConfig& data, const ConstArray* given, Dtype precision) {
  Loaded loaded{.name = name, .where = config.where("data." + name)};
  if (given != nullptr) {
    loaded.values = tensor::Dense::copy(*given, precision);
  } else {
    if (data.file.empty())
      fail({.code = Code::missing_key, .where = loaded.where, .what = fmt::format("the input {} has no file", name), .expected = fmt::format("data.{}.file", name)});
    loaded.file = data.file;
    loaded.values = read(config, name, data, precision);
  }
  const Extents& extents = loaded.values.extents();
  check_finite(name, loaded.values.view(), loaded.where);
  loaded.weights = read_weights(config, name, data, extents, precision);
  loaded.norm = tensor::frobenius_norm(loaded.values.view());
  loaded.wants_scale = data.scale == "auto";
  loaded.has_named_modes = !data.modes.empty();
  loaded.modes = data.modes;
  if (loaded.has_named_modes && loaded.modes.size() != extents.size())
    fail({.code = Code::contradiction, .where = config.where("data." + name + ".modes"), .what = fmt::format("the number of mode names of {} is not its order", name),
          .expected = fmt::format("{} names", extents.size()), .found = fmt::format("{}", loaded.modes.size())});
  if (!loaded.has_named_modes)
    for (std::size_t n = 0; n < extents.size(); ++n) loaded.modes.push_back(fmt::format("{}", n));
  return loaded;
}

}  // namespace

std::string found_path(const config::RunConfig& config, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::path(path).is_absolute() || fs::exists(path, ignored)) return path;
  const fs::path beside = fs::path(config.where("").file).parent_path() / path;
  return fs::exists(beside, ignored) ? beside.string() : path;
}

std::vector<Loaded> load_inputs(const config::RunConfig& config, const std::map<std::string, ConstArray>& given, Dtype precision) {
  std::vector<Loaded> inputs;
  std::vector<Finding> findings;
  std::map<std::string, config::DataConfig> wanted = config.data;
  for (const auto& [name, array] : given) wanted.try_emplace(name);
  for (const auto& [name, data] : wanted) {
    const auto array = given.find(name);
    try {
      inputs.push_back(with_context(fmt::format("while reading the input {}", name), [&] { return load(config, name, data, array == given.end() ? nullptr : &array->second, precision); }));
    } catch (const Error& error) {
      findings.insert(findings.end(), error.findings().begin(), error.findings().end());
    }
  }
  if (!findings.empty()) throw Error(findings);
  return inputs;
}

std::vector<problem::Input> described(const std::vector<Loaded>& inputs) {
  std::vector<problem::Input> result;
  for (const Loaded& in : inputs) result.push_back({in.name, in.values.extents(), in.modes, in.has_named_modes, in.weights.has_value(), in.where});
  return result;
}

}  // namespace tyto::session
