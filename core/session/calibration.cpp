/// Files of rates, checked like any other config; see the header.
#include "session/calibration.hpp"
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unistd.h>
#include "arithmetic/processor.hpp"
#include "config/check.hpp"
#include "config/document.hpp"
#include "error/fail.hpp"
#include "execute/cpu/calibrate.hpp"
#include "text/json.hpp"
#include "text/quantity.hpp"
#include "tyto/host.hpp"
#include "tyto/settings.hpp"
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace tyto::session {
namespace {

using arithmetic::Isa;
using execute::cpu::NamedRate;
using execute::cpu::Rates;

constexpr std::int64_t schema_number = 2;

Schema file_schema() {
  std::vector<Key> rates;
  for (const NamedRate& one : execute::cpu::named_rates())
    rates.push_back(real(std::string(one.name), std::string(one.meaning)).above(0).at_most(1e18));
  return {integer("schema", "version of this file's layout"),
          text("version", "of tyto"),
          text("processor", "its name"),
          text("instructions", "the set that was used"),
          text("date", "of the measurement"),
          group("rates", rates, "per second, in seconds, or in bytes")};
}

/// The rates of a file; throws what is wrong with it.
Rates read(const std::filesystem::path& path, Isa isa) {
  const config::Document document = config::Document::from_file(path.string());
  std::vector<Finding> findings = document.duplicates();
  const Settings file(config::check(document.root(), file_schema(), "", findings));
  config::throw_if_any(std::move(findings));
  const auto require = [&](const std::string& key, const std::string& wanted, const std::string& found) {
    if (found != wanted)
      fail({.code = Code::contradiction,
            .where = file.where(key),
            .what = fmt::format("the rates were measured for another {}", key),
            .expected = wanted,
            .found = found});
  };
  require("schema", fmt::format("{}", schema_number), fmt::format("{}", file.integer("schema")));
  require("version", version(), file.text("version"));
  require("processor", arithmetic::processor_name(), file.text("processor"));
  require("instructions", arithmetic::name_of(isa), file.text("instructions"));
  Rates rates{.source = "calibrated on " + file.text("date"), .isa = isa};
  const Settings values = file.group("rates");
  for (const NamedRate& one : execute::cpu::named_rates()) one.in(rates) = values.real(std::string(one.name));
  return rates;
}

Calibration read_or_warn(const std::filesystem::path& path, Isa isa) {
  try {
    return {.rates = read(path, isa)};
  } catch (const Error& error) {
    return {.rates = execute::cpu::built_in_rates(isa),
            .warning = fmt::format("the calibration is not used, the built-in rates are; `tyto calibrate` measures anew\n{}",
                                   error.what())};
  }
}

std::filesystem::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const std::filesystem::path folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder / "tyto";
  const std::filesystem::path home = variable("HOME");
  return home.empty() ? home : home / ".cache" / "tyto";
}

/// Letters and digits, everything between them one '-'.
std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  return name;
}

/// Four digits of what was measured; sizes of caches as they are, for products are cut by them.
std::string written(const NamedRate& one, const Rates& rates) {
  return one.unit == NamedRate::Unit::bytes ? fmt::format("{:.0f}", one.of(rates)) : fmt::format("{:.4g}", one.of(rates));
}

std::string file_text(const Rates& rates) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::string text = fmt::format(
      "# What `tyto calibrate` measured. Removed, or with TYTO_CALIBRATION=off, the built-in rates are used.\n"
      "schema: {}\nversion: {}\nprocessor: {}\ninstructions: {}\ndate: {:%Y-%m-%d}\nrates:\n",
      schema_number, json_quoted(version()), json_quoted(arithmetic::processor_name()),
      arithmetic::name_of(arithmetic::chosen_isa()), fmt::gmtime(now));
  for (const NamedRate& one : execute::cpu::named_rates())
    text += fmt::format("  {}: {}  # {}\n", one.name, written(one, rates), one.meaning);
  return text;
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, const std::string& found) {
  fail({.code = Code::output,
        .where = {.file = path.string()},
        .what = "the rates cannot be written",
        .found = found,
        .hint = "--output FILE in a folder that can be written, and TYTO_CALIBRATION=FILE to use it"});
}

std::filesystem::path temporary_of(const std::filesystem::path& path) { return fmt::format("{}.{}", path.string(), getpid()); }

/// The temporary file that is to become `path`, whose folders are made.
std::ofstream opened(const std::filesystem::path& path, const std::filesystem::path& temporary) {
  std::error_code trouble;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), trouble);
  if (trouble) fail_to_write(path, trouble.message());
  std::ofstream file(temporary);
  if (!file) fail_to_write(path, std::strerror(errno));
  return file;
}

/// "51.8 Gflop/s", "85.0 GB/s", "70.1 ns", "512 kB", "8.44"
std::string with_unit(NamedRate::Unit unit, double value) {
  switch (unit) {
    case NamedRate::Unit::flops_per_second: return fmt::format("{:.3g} Gflop/s", value * 1e-9);
    case NamedRate::Unit::bytes_per_second: return fmt::format("{:.3g} GB/s", value * 1e-9);
    case NamedRate::Unit::seconds: return fmt::format("{:.3g} ns", value * 1e9);
    case NamedRate::Unit::bytes: return text_of_bytes(value);
    case NamedRate::Unit::extent: break;
  }
  return fmt::format("{:.3g}", value);
}

}  // namespace

Calibration found_calibration() {
  const Isa isa = arithmetic::chosen_isa();
  const char* variable = std::getenv("TYTO_CALIBRATION");
  const std::string asked = variable == nullptr ? "" : variable;
  if (asked == "off") return {.rates = execute::cpu::built_in_rates(isa)};
  for (const Isa one : {Isa::portable, Isa::avx2, Isa::avx512})
    if (asked == arithmetic::name_of(one)) return {.rates = execute::cpu::built_in_rates(one)};
  if (!asked.empty()) return read_or_warn(asked, isa);
  const std::filesystem::path path = calibration_path();
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return {.rates = execute::cpu::built_in_rates(isa)};
  return read_or_warn(path, isa);
}

std::filesystem::path calibration_path() {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) return folder;
  return folder / fmt::format("calibration-{}-{}-{}-{}.yaml", as_file_name(arithmetic::processor_name()),
                              arithmetic::name_of(arithmetic::chosen_isa()), version(), schema_number);
}

void write_calibration(const std::filesystem::path& path, const Rates& rates) {
  const std::filesystem::path temporary = temporary_of(path);
  std::ofstream file = opened(path, temporary);
  file << file_text(rates);
  file.close();
  std::error_code trouble;
  if (file) std::filesystem::rename(temporary, path, trouble);
  if (file && !trouble) return;
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  fail_to_write(path, trouble ? trouble.message() : "the file system refuses the file");
}

void check_writable(const std::filesystem::path& path) {
  const std::filesystem::path temporary = temporary_of(path);
  opened(path, temporary).close();
  std::filesystem::remove(temporary);
}

std::string table_of(const Rates& measured, const Rates& built_in) {
  std::string text = fmt::format("{:<30}  {:>14}  {:>14}  {:>6}\n", "", "measured", "built-in", "ratio");
  for (const NamedRate& one : execute::cpu::named_rates())
    text += fmt::format("{:<30}  {:>14}  {:>14}  {:>6.2f}\n", one.meaning, with_unit(one.unit, one.of(measured)),
                        with_unit(one.unit, one.of(built_in)), one.of(measured) / one.of(built_in));
  return text;
}

}  // namespace tyto::session

namespace tyto::inline v1 {

std::string calibrate(const std::string& output, const std::function<void(const std::string&)>& on_progress) {
  const arithmetic::Isa isa = arithmetic::chosen_isa();
  const std::filesystem::path path = output.empty() ? session::calibration_path() : std::filesystem::path(output);
  if (path.empty())
    fail(Code::output, "there is no folder for the rates", "XDG_CACHE_HOME or HOME in the environment", "neither", "--output FILE");
  session::check_writable(path);
  const execute::cpu::Rates rates =
      execute::cpu::measured_rates(isa, [&](std::string_view name) { on_progress(std::string(name)); });
  session::write_calibration(path, rates);
  return fmt::format("{}, {}\n\n{}\nwritten to {}\n", arithmetic::processor_name(), arithmetic::name_of(isa),
                     session::table_of(rates, execute::cpu::built_in_rates(isa)), path.string());
}

}  // namespace tyto::inline v1
