#include "session/inputs.hpp"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "config/check.hpp"
#include "error/fail.hpp"
#include "session/data_files.hpp"
#include "session/file_lists.hpp"
#include "solve/sequential_hosvd.hpp"
#include "tensor/read.hpp"

namespace tyto::session {

namespace {

void check_finite(const std::string& name, const ConstArray& values, const Where& where, const std::string& hint) {
  const tensor::NonFinite bad = tensor::count_non_finite(values);
  if (!bad.any()) return;
  std::string what;
  if (bad.nan > 0) what = fmt::format("{} NaN", bad.nan);
  if (bad.inf > 0) what += fmt::format("{}{} infinite", what.empty() ? "" : " and ", bad.inf);
  fail({.code = Code::not_finite,
        .where = where,
        .what = fmt::format("{} has values that are not finite", name),
        .expected = "finite numbers",
        .found = fmt::format("{}, the first at [{}]", what, fmt::join(bad.first, ",")),
        .hint = hint});
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// An input, or an item of one that is a list.
struct Source {
  std::string name, entry;  ///< "H[3]" of the entry "H"; else both are the same
  std::string file, key;    ///< empty for an array given by the caller; the key that names the file
  bool is_item() const { return name != entry; }
};

Dtype wanted_type(Dtype in_file, Dtype precision) {
  if (in_file != Dtype::c64 && in_file != Dtype::c128) return precision;
  return precision == Dtype::f32 ? Dtype::c64 : Dtype::c128;
}

tensor::Dense read(const config::RunConfig& config, const Source& source, const config::DataConfig& data, Dtype precision) {
  tensor::ReadOptions options{.dense = data.dense};
  if (config.places.contains("data." + source.entry + ".index_base")) options.index_base = static_cast<int>(data.index_base);
  if (!data.shape.empty()) options.shape = data.shape;
  const tensor::Dense in_file =
      read_file(config, source.file, options, "the input " + source.name, config.where("data." + source.entry + "." + source.key),
                source.is_item() ? Field::complex : Field::real);
  return tensor::Dense::copy(in_file.view(), wanted_type(in_file.dtype(), precision));
}

/// Entry by entry.
void multiply(tensor::Dense& product, const tensor::Dense& factor) {
  for (std::int64_t k = 0; k < product.size(); ++k) {
    if (product.dtype() == Dtype::f32) product.view().as<float>()[k] *= factor.view().as<float>()[k];
    else product.view().as<double>()[k] *= factor.view().as<double>()[k];
  }
}

void check_any_counts(const std::string& name, const tensor::Dense& weights, const Where& where) {
  if (weights.size() == 0 || tensor::maximum(weights.view()) > 0) return;
  fail({.code = Code::contradiction,
        .where = where,
        .what = fmt::format("no entry of {} counts: each is missing or has weight 0", name),
        .expected = "an entry that is observed and has a weight",
        .found = "none",
        .hint = "1 where an entry is known in the mask"});
}

/// NaN becomes 0, and 1 where there was a number, 0 where there was none, is returned; nothing where none is missing.
std::optional<tensor::Dense> take_missing(const std::string& name, tensor::Dense& values, const Where& where) {
  const std::int64_t missing = tensor::count_non_finite(values.view()).nan;
  if (missing == 0) return std::nullopt;
  if (missing == values.size())
    fail({.code = Code::contradiction,
          .where = where,
          .what = fmt::format("every entry of {} is missing", name),
          .expected = "a number somewhere",
          .found = fmt::format("{} NaN", missing)});
  if (values.dtype() == Dtype::c64 || values.dtype() == Dtype::c128)
    fail({.code = Code::unsupported,
          .where = where,
          .what = fmt::format("missing entries of complex numbers, as in {}, are not part of this version", name),
          .hint = "missing: error"});
  tensor::Dense observed = tensor::Dense::zeros(values.dtype(), values.extents());
  const auto split = [&]<class T>(T* value, T* is_observed) {
    for (std::int64_t k = 0; k < values.size(); ++k) {
      is_observed[k] = std::isnan(value[k]) ? T{0} : T{1};
      if (std::isnan(value[k])) value[k] = 0;
    }
  };
  if (values.dtype() == Dtype::f32) split(values.view().as<float>(), observed.view().as<float>());
  else split(values.view().as<double>(), observed.view().as<double>());
  return observed;
}

/// Mask and weights of an input, multiplied; each has its shape and no negative entry.
std::optional<tensor::Dense> read_weights(const config::RunConfig& config, const std::string& name, const config::DataConfig& data,
                                          const Extents& extents, Dtype precision) {
  std::optional<tensor::Dense> product;
  for (const auto& [key, file] : {std::pair{"mask", data.mask_file}, std::pair{"weights", data.weights_file}}) {
    if (file.empty()) continue;
    const std::string place = fmt::format("data.{}.{}", name, key);
    const Where where = config.where(place);
    const tensor::Dense w = tensor::Dense::copy(
        read_file(config, file, {}, fmt::format("the {} of {}", key, name), config.where(place + ".file")).view(), precision);
    if (w.extents() != extents)
      fail({.code = Code::shape,
            .where = where,
            .what = fmt::format("the {} of {} has another shape than {}", key, name, name),
            .expected = tensor::text_of(extents),
            .found = tensor::text_of(w.extents()),
            .hint = "one entry for each entry of the data"});
    check_finite(fmt::format("the {} of {}", key, name), w.view(), where, "0 where an entry is to be left out");
    if (tensor::minimum(w.view()) < 0)
      fail({.code = Code::out_of_range,
            .where = where,
            .what = fmt::format("there are negative entries in the {} of {}", key, name),
            .expected = ">= 0",
            .found = fmt::format("{}", tensor::minimum(w.view())),
            .hint = "0 where an entry is to be left out"});
    if (w.size() > 0 && tensor::maximum(w.view()) == 0)
      fail({.code = Code::contradiction,
            .where = where,
            .what = fmt::format("the {} of {} is zero everywhere", key, name),
            .expected = "1 where an entry is known",
            .found = "0 everywhere",
            .hint = "exchanging 0 and 1"});
    if (!product) {
      product = w;
      continue;
    }
    multiply(*product, w);
  }
  return product;
}

Loaded load(const config::RunConfig& config, const Source& source, const config::DataConfig& data, const ConstArray* given,
            Dtype precision) {
  const std::string& name = source.name;
  Loaded loaded{.name = name, .where = config.where("data." + source.entry)};
  if (given != nullptr) {
    loaded.values = tensor::Dense::copy(*given, precision);
  } else {
    if (source.file.empty())
      fail({.code = Code::missing_key,
            .where = loaded.where,
            .what = fmt::format("the input {} has no file", name),
            .expected = fmt::format("data.{}.file", name),
            .hint = "{file: ...}"});
    loaded.file = source.file;
    loaded.values = read(config, source, data, precision);
  }
  const Extents& extents = loaded.values.extents();
  std::optional<tensor::Dense> observed;
  if (data.missing == "nan") observed = take_missing(name, loaded.values, config.where("data." + source.entry + ".missing"));
  const bool has_infinite = tensor::count_non_finite(loaded.values.view()).inf > 0;
  check_finite(
      name, loaded.values.view(), loaded.where,
      has_infinite
          ? fmt::format(
                "data.{}.mask: {{file: ...}} with 0 where values are missing and 1 elsewhere, and any number in their place",
                source.entry)
          : fmt::format("data.{}.missing: nan, if these entries are missing", source.entry));
  loaded.weights = read_weights(config, name, data, extents, precision);
  if (observed && loaded.weights) {
    multiply(*loaded.weights, *observed);
    check_any_counts(name, *loaded.weights, loaded.where);
  } else if (observed) {
    loaded.weights = std::move(observed);
  }
  loaded.norm = tensor::frobenius_norm(loaded.values.view());
  loaded.wants_scale = data.scale == "auto";
  loaded.has_named_modes = !data.modes.empty();
  loaded.modes = data.modes;
  if (loaded.has_named_modes && loaded.modes.size() != extents.size())
    fail({.code = Code::contradiction,
          .where = config.where("data." + name + ".modes"),
          .what = fmt::format("{} has another number of modes than of names for them", name),
          .expected = fmt::format("{} names, for {}", extents.size(), tensor::text_of(extents)),
          .found = fmt::format("{}", fmt::join(loaded.modes, ", ")),
          .hint = "a name for each mode, or no names"});
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
  if (fs::exists(beside, ignored)) return beside.string();
  const DataPath data = data_path(path);
  return data.dataset.empty() ? path : found_path(config, data.file) + ":" + data.dataset;
}

std::string file_of_unknown(const std::filesystem::path& folder, const std::string& name) {
  namespace fs = std::filesystem;
  for (const fs::path& file : {folder / (name + ".npy"), folder / "unknowns" / (name + ".npy")})
    if (fs::exists(file)) return file.string();
  for (const fs::path& file : {folder / "unknowns.h5", folder})
    if (tensor::is_hdf5(file)) return file.string() + ":/" + name;
  return (folder / (name + ".npy")).string();
}

void fail_missing_file(const config::RunConfig& config, const std::string& path, const Where& where) {
  namespace fs = std::filesystem;
  const fs::path beside = fs::path(config.where("").file).parent_path();
  std::vector<fs::path> starts{fs::path()};
  if (!fs::path(path).is_absolute() && !beside.empty()) starts.push_back(beside);
  std::string looked, hint;
  for (const fs::path& start : starts) {
    const fs::path tried = start / path;
    const std::string close =
        nearest(tried.filename().string(), names_in(tried.has_parent_path() ? tried.parent_path() : fs::path(".")));
    looked += fmt::format("{}{}", looked.empty() ? "nothing at " : ", nothing at ", tried.string());
    if (hint.empty() && !close.empty()) hint = (fs::path(path).parent_path() / close).string();
  }
  fail({.code = Code::file_missing,
        .where = where,
        .what = fmt::format("the file {} does not exist", path),
        .found = looked,
        .hint = hint.empty() ? fs::path(path).is_absolute()
                                   ? "checking the path"
                                   : "checking the path, which starts at the current folder or at that of the run file"
                             : hint});
}

tensor::Dense read_file(const config::RunConfig& config, const std::string& path, const tensor::ReadOptions& options,
                        const std::string& purpose, const Where& where, Field widest) {
  const DataPath data = data_path(found_path(config, path));
  std::error_code ignored;
  if (!std::filesystem::exists(data.file, ignored)) fail_missing_file(config, data_path(path).file, where);
  const std::string place = where.line > 0 ? fmt::format("{}:{}:{}", where.file, where.line, where.column) : where.file;
  tensor::Dense values =
      with_context(fmt::format("while reading {}, named at {}", purpose, place), [&] { return read_data(data, options); });
  if (widest == Field::real && (values.dtype() == Dtype::c64 || values.dtype() == Dtype::c128))
    fail({.code = Code::unsupported,
          .where = where,
          .what = "complex data are not part of this version",
          .expected = "real numbers",
          .found = fmt::format("{} in {}", name_of(values.dtype()), path),
          .hint = "saving their real part, imaginary part or magnitude"});
  return values;
}

namespace {

/// The sources of one entry of the config.
std::vector<Source> sources_of(const config::RunConfig& config, const std::string& entry, const config::DataConfig& data) {
  if (data.files.empty() && !config.places.contains("data." + entry + ".files")) return {{entry, entry, data.file, "file"}};
  std::vector<Source> items;
  for (const std::string& file : files_of_list(config, entry, data))
    items.push_back({item(entry, items.size()), entry, file, "files"});
  return items;
}

}  // namespace

std::vector<Loaded> load_inputs(const config::RunConfig& config, const std::map<std::string, ConstArray>& given, Dtype precision) {
  std::vector<Loaded> inputs;
  std::vector<Finding> findings;
  const auto collect = [&](const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      findings.insert(findings.end(), error.findings().begin(), error.findings().end());
    }
  };
  std::set<std::string> names;
  const auto add = [&](const Source& source, const config::DataConfig& data) {
    if (!names.insert(source.name).second)
      fail({.code = Code::contradiction,
            .where = config.where("data." + source.entry),
            .what = fmt::format("two inputs are called {}", source.name),
            .hint = "another name for one of them"});
    const auto array = given.find(source.name);
    inputs.push_back(load(config, source, data, array == given.end() ? nullptr : &array->second, precision));
  };
  for (const auto& [entry, data] : config.data)
    collect([&] {
      for (const Source& source : sources_of(config, entry, data)) collect([&] { add(source, data); });
    });
  for (const auto& [name, array] : given)
    if (!names.contains(name)) collect([&] { add({name, name, "", "file"}, {}); });
  if (!findings.empty()) throw Error(findings);
  return inputs;
}

std::vector<problem::Input> described(const std::vector<Loaded>& inputs) {
  std::vector<problem::Input> result;
  for (const Loaded& in : inputs)
    result.push_back({in.name, in.values.extents(), in.modes, in.has_named_modes, in.weights.has_value(), in.where,
                      [&in](double tolerance) { return solve::truncated_hosvd(in.values.view(), tolerance).ranks; },
                      in.values.dtype() == Dtype::c64 || in.values.dtype() == Dtype::c128});
  return result;
}

}  // namespace tyto::session
