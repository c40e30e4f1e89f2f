// The text of result.json.
#include "result/write.hpp"
#include "result/ktensor.hpp"
#include "result/names.hpp"
#include "text/json.hpp"

namespace tyto::result {
namespace {

void add_text(JsonWriter& json, const std::string& key, const std::string& text) {
  if (!text.empty()) json.member(key, text);
}

void add_relative_error(JsonWriter& json, double relative_error) {
  json.key("relative_error");
  relative_error < 0 ? json.null() : json.value(relative_error);
}

void add_outcome(JsonWriter& json, const Result& result) {
  json.member("schema", 1);
  json.member("status", status_name(result.outcome.stop));
  json.member("reason", result.outcome.reason);
  json.member("objective", result.objective);
  add_relative_error(json, result.relative_error);
  if (result.relative_error >= 0) {
    json.member("fit", 1 - result.relative_error);
    json.member("explained_variance", 1 - result.relative_error * result.relative_error);
  } else {
    json.key("fit").null().key("explained_variance").null();
  }
  json.member("sweeps", result.sweeps);
  json.member("seconds", result.seconds);
}

void add_provenance(JsonWriter& json, const Record& record) {
  json.member("seed", record.seed);
  json.member("algorithm", record.algorithm);
  json.key("versions").begin_object().member("tyto", record.tyto_version);
  json.member(record.algorithm.empty() ? "algorithm" : record.algorithm, record.algorithm_version).end_object();
  add_text(json, "executor", record.executor);
  json.member("threads", record.threads);
  add_text(json, "started_at", record.started_at);
  if (!record.host.empty()) {
    json.key("host").begin_object();
    for (const auto& [key, text] : record.host) json.member(key, text);
    json.end_object();
  }
}

void add_data(JsonWriter& json, const std::vector<DataDescription>& data) {
  json.key("data").begin_array(JsonWriter::Layout::lines);
  for (const DataDescription& tensor : data) {
    json.begin_object().member("name", tensor.name);
    add_text(json, "file", tensor.file);
    json.member("shape", tensor.shape);
    json.member("labels", tensor.labels);
    json.member("norm", tensor.norm).end_object();
  }
  json.end_array();
}

void add_array(JsonWriter& json, const std::string& file, const NamedArray& a) {
  add_text(json, "file", file);
  json.member("shape", a.extents);
  json.member("labels", a.labels);
}

void add_unknowns(JsonWriter& json, const Result& result, const Formats& formats) {
  std::vector<std::string> files = array_files("unknowns", result.unknowns);
  if (!formats.npy && formats.hdf5 != nullptr)
    for (std::string& dataset : files = array_files("", result.unknowns, "")) dataset = "unknowns.h5:" + dataset;
  else if (!formats.npy) files.assign(files.size(), "");
  json.key("unknowns").begin_array(JsonWriter::Layout::lines);
  for (std::size_t n = 0; n < files.size(); ++n) {
    const NamedArray* a = find_array(result, result.unknowns[n]);
    if (!a) continue;
    json.begin_object().member("name", result.unknowns[n]);
    add_array(json, files[n], *a);
    json.end_object();
  }
  json.end_array();
}

void add_observed(JsonWriter& json, const Result& result, const Formats& formats) {
  const std::vector<std::string> files = array_files("observed", result.observed);
  json.key("observed").begin_object();
  for (std::size_t n = 0; n < files.size(); ++n) {
    const NamedArray* a = find_array(result, result.observed[n]);
    if (!a) continue;
    json.key(result.observed[n]);
    if (a->extents.empty() && a->values.size() == 1) {
      json.value(a->values[0]);
    } else {
      json.begin_object();
      add_array(json, formats.npy ? files[n] : "", *a);
      json.end_object();
    }
  }
  json.end_object();
}

void add_weights(JsonWriter& json, const Record& record) {
  if (!why_not_ktensor(record).empty()) return;
  json.member("weights", normalized_ktensor(record).weights);
}

void add_match(JsonWriter& json, const FactorMatch& match) {
  json.key("factor_match").begin_object().member("reference", match.reference);
  json.member("score", match.score).member("score_without_weights", match.score_without_weights);
  json.key("permutation").begin_array();
  for (const std::int64_t column : match.permutation) column < 0 ? json.null() : json.value(column);
  json.end_array();
  json.key("components").begin_array(JsonWriter::Layout::lines);
  for (const MatchedComponent& c : match.components) {
    json.begin_object(JsonWriter::Layout::line).member("column", c.component).member("reference", c.reference);
    json.member("score", c.weights * c.congruence()).member("weights", c.weights);
    json.member("cosines", c.cosines).member("signs", c.signs).end_object();
  }
  json.end_array().end_object();
}

void add_starts(JsonWriter& json, const Record& record) {
  json.member("best_start", record.result.best_start);
  json.key("starts").begin_array(JsonWriter::Layout::lines);
  for (const StartSummary& start : record.starts) {
    json.begin_object().member("start", start.start).member("objective", start.objective);
    add_relative_error(json, start.relative_error);
    json.member("sweeps", start.sweeps).member("status", status_name(start.outcome.stop));
    json.member("reason", start.outcome.reason).end_object();
  }
  json.end_array();
}

}  // namespace

std::string result_json(const Record& record, const Formats& formats) {
  JsonWriter json;
  json.begin_object();
  add_outcome(json, record.result);
  if (record.kkt_residual) json.member("kkt_residual", *record.kkt_residual);
  add_provenance(json, record);
  add_data(json, record.data);
  add_unknowns(json, record.result, formats);
  add_weights(json, record);
  if (record.match) add_match(json, *record.match);
  if (record.model_elements > 0) json.member("compression_ratio", compression_ratio(record));
  add_observed(json, record.result, formats);
  add_starts(json, record);
  json.key("warnings").begin_array(JsonWriter::Layout::lines);
  for (const std::string& warning : record.result.warnings) json.value(warning);
  json.end_array();
  json.key("config");
  record.config.empty() ? json.null() : json.raw(record.config);
  return json.end_object().text() + "\n";
}

}  // namespace tyto::result
