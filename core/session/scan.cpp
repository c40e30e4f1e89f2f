/// Runs for every value of a key, forward and back. Each is a Session of its own: a scan adds nothing to what a run is.
#include "tyto/scan.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <fmt/format.h>
#include "config/range.hpp"
#include "config/run_config.hpp"
#include "error/fail.hpp"
#include "result/folder.hpp"
#include "result/names.hpp"
#include "result/scan.hpp"
#include "session/record.hpp"
#include "session/scan_fidelities.hpp"
#include "text/json.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

/// "g=0.5" for "settings.model.g".
std::string name_of_value(const std::string& key, const std::string& value) {
  return key.substr(key.find_last_of('.') + 1) + "=" + value;
}

Where place_of(const Scan& scan) { return {.file = "scan of " + scan.key}; }

void refuse_what_cannot_be_scanned(const Scan& scan) {
  if (scan.values.empty())
    fail({.code = Code::out_of_range, .where = place_of(scan), .what = "there are no values", .expected = "one or more"});
  if (scan.key.rfind("output", 0) == 0)
    fail({.code = Code::contradiction,
          .where = place_of(scan),
          .what = "a scan decides itself where its runs are written",
          .expected = "a key that changes what is run",
          .found = scan.key,
          .hint = "--set output.directory=out/scan, the folder of the whole scan"});
}

/// Errors of `body` say for which value of the key.
template <class Body>
decltype(auto) named(const Scan& scan, const std::string& value, Body&& body) {
  return with_context(fmt::format("while scanning {} at {}", scan.key, value), body);
}

config::RunConfig config_of(const Scan& scan, const std::string& value) {
  config::Document document = config::Document::from_file(scan.file);
  for (const auto& [key, yaml] : scan.settings) document.set(key, yaml);
  document.set(scan.key, value);
  config::RunConfig config = named(scan, value, [&] { return config::read_run_config(document); });
  if (!config.output.directory)
    fail({.code = Code::missing_key,
          .where = place_of(scan),
          .what = "a scan keeps its results in a folder, and none is named",
          .expected = "output.directory",
          .hint = "--set output.directory=out/scan"});
  return config;
}

/// Why no run is to start from another's result; empty: as far as the run file goes, they may.
std::string why_not_from_neighbours(const Scan& scan, const config::RunConfig& config) {
  if (!scan.from_neighbours) return "that was asked for";
  for (const char* of_starts : {"solver.init", "solver.seed", "solver.starts"})
    if (scan.key.rfind(of_starts, 0) == 0) return fmt::format("{} says how runs start", scan.key);
  for (const auto& [name, unknown] : config.unknowns)
    if (unknown.init && !config.unknown(name).fixed.value_or(false)) return fmt::format("unknowns.{} has an init of its own", name);
  const auto& formats = config.output.formats;
  if (formats && std::find(formats->begin(), formats->end(), "npy") == formats->end())
    return "output.formats leaves out npy, from which results are read again";
  return {};
}

/// The one finding of an error says that a start does not fit; empty: it is about something else.
std::string unfit_start(const Error& error) {
  const Finding& finding = error.findings().front();
  if (finding.where.file.rfind("--set solver.init=", 0) != 0) return {};
  return finding.what + (finding.expected.empty() ? "" : fmt::format(" ({} in place of {})", finding.found, finding.expected));
}

/// By which a note is known again that another value has changed.
std::string without_numbers(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; });
  return text;
}

/// A run is its numbers; what takes memory lies in its folder.
Result without_unknowns(Result r) {
  r.history.clear();
  for (const std::string& name : r.unknowns) r.values.erase(name);
  return r;
}

/// A result from which a neighbour may start.
bool is_usable(const ScanRun& run) {
  const Stop stop = run.result.outcome.stop;
  return stop != Stop::failed && stop != Stop::interrupted && std::isfinite(run.result.objective);
}

/// See Scanned::tolerance. What is no more than rounding of the largest objective of the scan does not count.
bool is_split(const ScanPoint& point, double tolerance, double largest) {
  if (!point.backward || !is_usable(point.forward) || !is_usable(*point.backward)) return false;
  const Result &a = point.forward.result, &b = point.backward->result;
  if (a.relative_error >= 0 && b.relative_error >= 0) return std::abs(a.relative_error - b.relative_error) > tolerance;
  const double difference = std::abs(a.objective - b.objective), rounding = std::sqrt(std::numeric_limits<double>::epsilon());
  return difference > tolerance * std::max(std::abs(a.objective), std::abs(b.objective)) && difference > rounding * largest;
}

void find_splits(Scanned& s) {
  double largest = 0;
  for (const ScanPoint& point : s.points)
    if (is_usable(point.forward)) largest = std::max(largest, std::abs(point.forward.result.objective));
  for (ScanPoint& point : s.points) point.is_split = is_split(point, s.tolerance, largest);
}

/// The runs, and what has come of them so far.
class Scanner {
 public:
  Scanner(const Scan& scan, result::ScanRecord record, bool from_neighbours)
      : scan_(scan), record_(std::move(record)), folder_(record_.scanned.folder), from_neighbours_(from_neighbours) {
    std::vector<std::string> names;
    for (const std::string& value : scan.values) names.push_back(name_of_value(scan.key, value));
    folders_ = {result::array_files("forward", names, ""), result::array_files("backward", names, "")};
  }

  void check() {
    for (const std::string& value : scan_.values) named(scan_, value, [&] { return session(value).check(); });
  }

  Scanned run() {
    try {
      forward();
      backward();
    } catch (const Error& error) {
      keep_what_there_is(error.what());
      throw;
    }
    finish(scanned().is_interrupted ? "interrupted" : "done", "");
    return scanned();
  }

 private:
  Scanned& scanned() { return record_.scanned; }

  Session session(const std::string& value) {
    Session one = Session::from_file(scan_.file);
    for (const auto& [key, yaml] : scan_.settings) one.set(key, yaml);
    one.set(scan_.key, value);
    if (scan_.on_progress) one.on_progress(scan_.on_progress);
    if (scan_.interrupted) one.interrupt_when(scan_.interrupted);
    one.on_message([this](const std::string& text) {
      if (scan_.on_message && said_.insert(without_numbers(text)).second) scan_.on_message(text);
    });
    return one;
  }

  void forward() {
    for (std::size_t k = 0; k < scan_.values.size() && !scanned().is_interrupted; ++k) {
      std::optional<ScanRun> run;
      if (k > 0 && from_neighbours_) run = run_from(k, ScanPass::forward, scanned().points[k - 1].forward);
      if (!run) run = run_to_end(k, ScanPass::forward, nullptr);
      scanned().points.push_back({.forward = std::move(*run)});
      note(scanned().points.back().forward);
    }
  }

  /// Where the forward run started from its neighbour, the backward run can start from the other one.
  void backward() {
    for (std::size_t k = scan_.values.size() - 1; k-- > 0 && !scanned().is_interrupted;) {
      const ScanPoint& next = scanned().points[k + 1];
      if (next.forward.start.empty()) continue;
      std::optional<ScanRun> run = run_from(k, ScanPass::backward, next.backward ? *next.backward : next.forward);
      if (!run) continue;
      scanned().points[k].backward = std::move(run);
      note(*scanned().points[k].backward);
    }
  }

  /// Nothing where the result is none to start from, or does not fit.
  std::optional<ScanRun> run_from(std::size_t k, ScanPass pass, const ScanRun& from) try {
    if (is_usable(from)) return run_to_end(k, pass, &from);
    note_apart(k, fmt::format("the result at {} is none to start from", from.value));
    return std::nullopt;
  } catch (const Error& error) {
    const std::string why = unfit_start(error);
    if (why.empty()) throw;
    note_apart(k, why);
    return std::nullopt;
  }

  void note_apart(std::size_t k, const std::string& why) {
    if (scanned().why_apart.empty()) scanned().why_apart = fmt::format("at {}, {}", scan_.values[k], why);
  }

  ScanRun run_to_end(std::size_t k, ScanPass pass, const ScanRun* from) {
    ScanRun run{.value = scan_.values[k], .pass = pass, .folder = folders_[pass == ScanPass::forward ? 0 : 1][k]};
    Session one = session(run.value);
    one.set("output.directory", json_quoted((folder_ / run.folder).string()));
    if (from != nullptr) {
      run.start = from->value;
      one.set("solver.init", "{file: " + json_quoted((folder_ / from->folder).string()) + "}");
      one.set("solver.starts", "1");  // all would be the same
    }
    run.result = named(scan_, run.value, [&] { return without_unknowns(one.run()); });
    return run;
  }

  void note(const ScanRun& run) {
    scanned().is_interrupted = run.result.outcome.stop == Stop::interrupted;
    find_splits(scanned());
    result::write_scan(folder_, record_);
    if (scan_.on_run) scan_.on_run(run);
  }

  void finish(const std::string& status, const std::string& reason) {
    scanned().fidelities = session::fidelities(scanned().points, folder_);
    record_.status = status, record_.reason = reason;
    result::write_scan(folder_, record_);
  }

  void keep_what_there_is(const std::string& reason) {
    if (scanned().points.empty()) return;
    try {
      finish("failed", reason);
    } catch (const Error&) {  // the one that ended the scan says more
    }
  }

  const Scan& scan_;
  result::ScanRecord record_;
  std::filesystem::path folder_;
  bool from_neighbours_;
  std::array<std::vector<std::string>, 2> folders_;  ///< by pass and value
  std::set<std::string> said_;
};

}  // namespace

std::vector<std::string> scan_values(const std::string& text) { return config::range_values(text); }

Scanned scan(const Scan& scan) {
  refuse_what_cannot_be_scanned(scan);
  const config::RunConfig config = config_of(scan, scan.values.front());
  const std::string why = why_not_from_neighbours(scan, config);
  result::ScanRecord record{
      .scanned = {.key = scan.key,
                  .wanted = static_cast<std::int64_t>(scan.values.size()),
                  .why_apart = why,
                  .tolerance = std::sqrt(std::max(config.solver.tolerance, std::numeric_limits<double>::epsilon())),
                  .folder = *config.output.directory},
      .source = scan.file,
      .algorithm = config.algorithm,
      .tyto_version = TYTO_VERSION,
      .started_at = present_time(),
      .has_reports = config.output.report,
      .has_plots = config.output.plots};
  Scanner scanner(scan, std::move(record), why.empty());
  scanner.check();
  const result::OutputFolder folder = result::prepare_folder(*config.output.directory, config.output.overwrite);
  return scanner.run();
}

}  // namespace tyto::inline v1
