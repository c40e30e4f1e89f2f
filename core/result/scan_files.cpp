// scan.json and scan.csv, and the order of writing.
#include "result/scan.hpp"
#include "result/folder.hpp"
#include "error/fail.hpp"
#include "tensor/write.hpp"
#include "text/json.hpp"
#include <fmt/format.h>
#include <cmath>
#include <system_error>

namespace tyto::result {
namespace {
namespace fs = std::filesystem;

const char* name_of(ScanPass pass) { return pass == ScanPass::forward ? "forward" : "backward"; }

void add_text_or_null(JsonWriter& json, const std::string& key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

void add_relative_error(JsonWriter& json, double relative_error) {
  json.key("relative_error");
  relative_error < 0 ? json.null() : json.value(relative_error);
}

void add_run(JsonWriter& json, const ScanRun& run) {
  const Result& r = run.result;
  json.begin_object(JsonWriter::Layout::line).member("pass", name_of(run.pass)).member("folder", run.folder);
  add_text_or_null(json, "start", run.start);
  json.member("objective", r.objective);
  add_relative_error(json, r.relative_error);
  json.member("status", status_name(r.outcome.stop)).member("reason", r.outcome.reason);
  json.member("sweeps", r.sweeps).member("seconds", r.seconds).end_object();
}

void add_observed(JsonWriter& json, const Result& r) {
  json.key("observed").begin_object(JsonWriter::Layout::line);
  for (const std::string& name : r.observed) {
    const NamedArray* a = find_array(r, name);
    if (a == nullptr) continue;
    if (a->extents.empty() && a->values.size() == 1) json.member(name, a->values[0]);
    else if (a->extents.size() == 1) json.member(name, a->values);
  }
  json.end_object();
}

void add_fidelities(JsonWriter& json, const Scanned& s, std::size_t k) {
  if (s.fidelities.empty()) return;
  json.key("fidelity_with_next").begin_object(JsonWriter::Layout::line);
  for (const auto& [train, values] : s.fidelities) {
    json.key(train);
    k < values.size() ? json.value(values[k]) : json.null();
  }
  json.end_object();
}

void add_point(JsonWriter& json, const Scanned& s, std::size_t k) {
  const ScanPoint& point = s.points[k];
  const ScanRun& kept = point.kept();
  json.begin_object().member("value", point.value()).member("kept", name_of(kept.pass)).member("folder", kept.folder);
  json.member("objective", kept.result.objective);
  add_relative_error(json, kept.result.relative_error);
  json.member("passes_differ", point.is_split);
  add_observed(json, kept.result);
  add_fidelities(json, s, k);
  json.key("runs").begin_array(JsonWriter::Layout::lines);
  add_run(json, point.forward);
  if (point.backward) add_run(json, *point.backward);
  json.end_array().end_object();
}

/// A field of CSV.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string field(double value) { return std::isfinite(value) ? json_number(value) : std::string(); }

}  // namespace

std::string scan_json(const ScanRecord& record) {
  const Scanned& s = record.scanned;
  JsonWriter json;
  json.begin_object().member("schema", 1).member("status", record.status);
  add_text_or_null(json, "reason", record.reason);
  json.member("key", s.key).member("values", s.wanted);
  json.member("source", record.source).member("algorithm", record.algorithm);
  json.key("versions").begin_object().member("tyto", record.tyto_version).end_object();
  json.member("started_at", record.started_at);
  add_text_or_null(json, "why_apart", s.why_apart);
  json.member("tolerance", s.tolerance);
  json.key("points").begin_array(JsonWriter::Layout::lines);
  for (std::size_t k = 0; k < s.points.size(); ++k) add_point(json, s, k);
  return json.end_array().end_object().text() + "\n";
}

std::string scan_csv(const ScanRecord& record) {
  const Scanned& s = record.scanned;
  const std::vector<ScanColumn> columns = scan_columns(s);
  std::string text = quoted(s.key);
  for (const ScanColumn& column : columns) text += "," + quoted(column.is_between ? column.name + " with next" : column.name);
  text += ",status,sweeps,pass,objective forward,objective backward,passes differ,folder\n";
  for (std::size_t k = 0; k < s.points.size(); ++k) {
    const ScanPoint& point = s.points[k];
    const ScanRun& kept = point.kept();
    text += quoted(point.value());
    for (const ScanColumn& column : columns) text += "," + field(column.values[k]);
    text += fmt::format(",{},{},{},{},{},{},{}\n", status_name(kept.result.outcome.stop), kept.result.sweeps, name_of(kept.pass),
                        field(point.forward.result.objective), point.backward ? field(point.backward->result.objective) : "",
                        point.is_split ? "yes" : "no", quoted(kept.folder));
  }
  return text;
}

void write_scan(const fs::path& folder, const ScanRecord& record) {
  with_context("while writing the scan", [&] {
    std::error_code ignored;
    if (record.status == "running") {
      for (const char* stale : {"scan.csv", "scan.html"}) fs::remove(folder / stale, ignored);
      remove_files(folder / "plots", ".svg");
    } else {
      tensor::write_file(folder / "scan.csv", scan_csv(record));
      tensor::write_file(folder / "scan.html", scan_html(record));
      const std::vector<Plot> plots = record.has_plots ? scan_plots(record) : std::vector<Plot>{};
      if (!plots.empty()) fs::create_directories(folder / "plots", ignored);  // what fails shows when a file is written
      for (const Plot& plot : plots) tensor::write_file(folder / plot.file, plot.svg);
    }
    tensor::write_file(folder / "scan.json", scan_json(record));
  });
}

}  // namespace tyto::result
