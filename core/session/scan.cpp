/// Runs for every value of a key, forward and back.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <fmt/format.h>
#include "config/range.hpp"
#include "error/fail.hpp"
#include "result/fidelity.hpp"
#include "result/names.hpp"
#include "result/scan.hpp"
#include "session/implementation.hpp"
#include "session/record.hpp"
#include "session/scan_starts.hpp"
#include "tensor/read.hpp"
#include "text/json.hpp"

namespace tyto::inline v1 {
using namespace session;

namespace {

using OnRun = std::function<void(const ScanRun&)>;

/// "g=0.5" for "settings.model.g".
std::string name_of_value(const std::string& key, const std::string& value) {
  return key.substr(key.find_last_of('.') + 1) + "=" + value;
}

void refuse_what_cannot_be_scanned(const Scan& scan) {
  const Where where{.file = "scan of " + scan.key};
  if (scan.values.empty()) fail({.code = Code::out_of_range, .where = where, .what = "there are no values", .expected = "one or more"});
  if (scan.key.rfind("output", 0) == 0)
    fail({.code = Code::contradiction,
          .where = where,
          .what = "a scan decides itself where its runs are written",
          .expected = "a key that changes what is run",
          .found = scan.key});
}

config::RunConfig checked_output(const config::RunConfig& config, const Scan& scan) {
  if (!config.output.directory)
    fail({.code = Code::missing_key,
          .where = {.file = "scan of " + scan.key},
          .what = "a scan keeps its results in a folder, and none is named",
          .expected = "output.directory",
          .hint = "--set output.directory=out/scan"});
  return config;
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

/// See Scanned::tolerance. What differs by rounding of the largest objective of the scan does not count.
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

std::vector<tensor::Dense> read_train(const std::filesystem::path& folder, const std::vector<std::string>& cores) {
  std::vector<tensor::Dense> train;
  for (const std::string& name : cores) train.push_back(tensor::read_tensor(file_of_unknown(folder, name).string(), {}));
  return train;
}

bool have_same_sites(const std::vector<tensor::Dense>& a, const std::vector<tensor::Dense>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const tensor::Dense& x, const tensor::Dense& y) { return x.extents()[1] == y.extents()[1]; });
}

/// The runs, and what has come of them so far.
class Scanner {
 public:
  Scanner(const Session::Impl& base, const Scan& scan, const OnRun& on_run, std::vector<Unstarted> before, result::ScanRecord record,
          std::filesystem::path folder)
      : base_(base), scan_(scan), on_run_(on_run), before_(std::move(before)), record_(std::move(record)), folder_(std::move(folder)) {
    std::vector<std::string> names;
    for (const std::string& value : scan.values) names.push_back(name_of_value(scan.key, value));
    folders_[0] = result::array_files("forward", names, ""), folders_[1] = result::array_files("backward", names, "");
  }

  Scanned run() {
    try {
      forward();
      if (scanned().why_apart.empty()) backward();
    } catch (const Error& error) {
      keep_what_there_is(error.what());
      throw;
    }
    finish(scanned().is_interrupted ? "interrupted" : "done", "");
    return scanned();
  }

 private:
  Scanned& scanned() { return record_.scanned; }

  void forward() {
    for (std::size_t k = 0; k < scan_.values.size() && !scanned().is_interrupted; ++k) {
      const ScanRun* from = k > 0 && scanned().why_apart.empty() ? &scanned().points[k - 1].forward : nullptr;
      scanned().points.push_back({.forward = run(k, ScanPass::forward, from)});
      note(scanned().points.back().forward);
    }
  }

  void backward() {
    for (std::size_t k = scan_.values.size() - 1; k-- > 0 && !scanned().is_interrupted;) {
      const ScanPoint& next = scanned().points[k + 1];
      scanned().points[k].backward = run(k, ScanPass::backward, next.backward ? &*next.backward : &next.forward);
      note(*scanned().points[k].backward);
    }
  }

  ScanRun run(std::size_t k, ScanPass pass, const ScanRun* from) {
    const std::string& value = scan_.values[k];
    ScanRun run{.value = value, .pass = pass, .folder = folders_[pass == ScanPass::forward ? 0 : 1][k]};
    Session::Impl one = base_;
    one.document.set(scan_.key, value);
    one.document.set("output.directory", json_quoted((folder_ / run.folder).string()));
    if (from != nullptr && is_usable(*from)) {
      run.start = from->value;
      one.document.set("solver.init", "{file: " + json_quoted((folder_ / from->folder).string()) + "}");
      one.document.set("solver.starts", "1");  // all would be the same
    }
    one.on_message = [this](const std::string& text) {
      if (base_.on_message && said_.insert(text).second) base_.on_message(text);
    };
    run.result = with_context(fmt::format("while scanning {} at {}", scan_.key, value), [&] { return without_unknowns(one.run()); });
    return run;
  }

  void note(const ScanRun& run) {
    scanned().is_interrupted = run.result.outcome.stop == Stop::interrupted;
    find_splits(scanned());
    result::write_scan(folder_, record_);
    if (on_run_) on_run_(run);
  }

  void finish(const std::string& status, const std::string& reason) {
    find_fidelities();
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

  void find_fidelities() {
    if (!before_.front().is_readable) return;
    const std::vector<ScanPoint>& points = scanned().points;
    for (const Unstarted::Train& train : before_.front().trains) {
      std::vector<double> values;
      std::vector<tensor::Dense> last;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const auto same = std::find_if(before_[k].trains.begin(), before_[k].trains.end(),
                                       [&](const Unstarted::Train& t) { return t.name == train.name; });
        std::vector<tensor::Dense> next;
        if (same != before_[k].trains.end()) next = read_train(folder_ / points[k].kept().folder, same->cores);
        if (k > 0)
          values.push_back(!next.empty() && have_same_sites(last, next) ? result::fidelity(last, next)
                                                                        : std::numeric_limits<double>::quiet_NaN());
        last = std::move(next);
      }
      scanned().fidelities[train.name] = std::move(values);
    }
  }

  const Session::Impl& base_;
  const Scan& scan_;
  const OnRun& on_run_;
  std::vector<Unstarted> before_;  ///< by value
  result::ScanRecord record_;
  std::filesystem::path folder_;
  std::array<std::vector<std::string>, 2> folders_;
  std::set<std::string> said_;
};

}  // namespace

Scan Scan::over(const std::string& key, const std::string& text) { return {key, config::range_values(key, text)}; }

Scanned Session::Impl::scan(const Scan& scan, const OnRun& on_run) {
  refuse_what_cannot_be_scanned(scan);
  if (resumed)
    fail({.code = Code::contradiction, .what = "a resumed run cannot be scanned", .expected = "a run file", .found = resumed_folder});
  std::vector<Unstarted> before;
  result::ScanRecord record{.scanned = {.key = scan.key, .wanted = static_cast<std::int64_t>(scan.values.size())},
                            .source = document.name(),
                            .tyto_version = TYTO_VERSION,
                            .started_at = present_time()};
  std::optional<config::RunConfig> first;
  for (const std::string& value : scan.values) {
    Impl one = *this;
    one.document.set(scan.key, value);
    Prepared p{.registry = built_in_backends(found_calibration().rates)};
    with_context(fmt::format("while scanning {} at {}", scan.key, value), [&] {
      one.configure(p);
      one.load(p);
    });
    before.push_back(unstarted(p));
    if (first) continue;
    first = checked_output(p.config, scan);
    record.algorithm = p.plugin->name, record.algorithm_version = p.plugin->version;
    record.has_reports = p.config.output.report, record.has_plots = p.config.output.plots;
    record.scanned.tolerance = std::sqrt(std::max(p.config.solver.tolerance, std::numeric_limits<double>::epsilon()));
  }
  record.scanned.why_apart = why_apart(scan, before);
  const result::OutputFolder folder = output_folder(*first);
  record.scanned.folder = folder.path().string();
  return Scanner(*this, scan, on_run, std::move(before), std::move(record), folder.path()).run();
}

}  // namespace tyto::inline v1
