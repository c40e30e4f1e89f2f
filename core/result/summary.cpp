// The text of result.json.
#include "result/write.hpp"
#include "result/json.hpp"
#include "result/ktensor.hpp"
#include "result/names.hpp"

namespace tyto::result {
namespace {

void add_text(JsonWriter& json, const std::string& key, const std::string& text) {
  if (!text.empty()) json.key(key).text(text);
}

void add_relative_error(JsonWriter& json, double relative_error) {
  json.key("relative_error");
  relative_error < 0 ? json.null() : json.number(relative_error);
}

void add_shape(JsonWriter& json, const Extents& shape) {
  json.key("shape").open_array(true);
  for (const std::int64_t extent : shape) json.integer(extent);
  json.close_array();
}

void add_texts(JsonWriter& json, const std::string& key, const std::vector<std::string>& texts, bool on_one_line) {
  json.key(key).open_array(on_one_line);
  for (const std::string& text : texts) json.text(text);
  json.close_array();
}

void add_outcome(JsonWriter& json, const Result& result) {
  json.key("schema").integer(1);
  json.key("status").text(status_name(result.outcome.stop));
  json.key("reason").text(result.outcome.reason);
  json.key("objective").number(result.objective);
  add_relative_error(json, result.relative_error);
  if (result.relative_error >= 0) {
    json.key("fit").number(1 - result.relative_error);
    json.key("explained_variance").number(1 - result.relative_error * result.relative_error);
  } else {
    json.key("fit").null().key("explained_variance").null();
  }
  json.key("sweeps").integer(result.sweeps);
  json.key("seconds").number(result.seconds);
}

void add_provenance(JsonWriter& json, const Record& record) {
  json.key("seed").integer(record.seed);
  json.key("algorithm").text(record.algorithm);
  json.key("versions").open_object().key("tyto").text(record.tyto_version);
  json.key(record.algorithm.empty() ? "algorithm" : record.algorithm).text(record.algorithm_version).close_object();
  add_text(json, "executor", record.executor);
  json.key("threads").integer(record.threads);
  add_text(json, "started_at", record.started_at);
  if (!record.host.empty()) {
    json.key("host").open_object();
    for (const auto& [key, text] : record.host) json.key(key).text(text);
    json.close_object();
  }
}

void add_data(JsonWriter& json, const std::vector<DataDescription>& data) {
  json.key("data").open_array();
  for (const DataDescription& tensor : data) {
    json.open_object().key("name").text(tensor.name);
    add_text(json, "file", tensor.file);
    add_shape(json, tensor.shape);
    add_texts(json, "labels", tensor.labels, true);
    json.key("norm").number(tensor.norm).close_object();
  }
  json.close_array();
}

void add_array(JsonWriter& json, const std::string& file, const NamedArray& a, const Formats& formats) {
  if (formats.npy) json.key("file").text(file);
  add_shape(json, a.extents);
  add_texts(json, "labels", a.labels, true);
}

void add_unknowns(JsonWriter& json, const Result& result, const Formats& formats) {
  const std::vector<std::string> files = array_files("unknowns", result.unknowns);
  json.key("unknowns").open_array();
  for (std::size_t n = 0; n < files.size(); ++n) {
    const NamedArray* a = find_array(result, result.unknowns[n]);
    if (!a) continue;
    json.open_object().key("name").text(result.unknowns[n]);
    add_array(json, files[n], *a, formats);
    json.close_object();
  }
  json.close_array();
}

void add_observed(JsonWriter& json, const Result& result, const Formats& formats) {
  const std::vector<std::string> files = array_files("observed", result.observed);
  json.key("observed").open_object();
  for (std::size_t n = 0; n < files.size(); ++n) {
    const NamedArray* a = find_array(result, result.observed[n]);
    if (!a) continue;
    json.key(result.observed[n]);
    if (a->extents.empty() && a->values.size() == 1) {
      json.number(a->values[0]);
    } else {
      json.open_object();
      add_array(json, files[n], *a, formats);
      json.close_object();
    }
  }
  json.close_object();
}

void add_weights(JsonWriter& json, const Record& record) {
  if (!why_not_ktensor(record).empty()) return;
  json.key("weights").open_array(true);
  for (const double weight : normalized_ktensor(record).weights) json.number(weight);
  json.close_array();
}

void add_starts(JsonWriter& json, const Record& record) {
  json.key("best_start").integer(record.result.best_start);
  json.key("starts").open_array();
  for (const StartSummary& start : record.starts) {
    json.open_object().key("start").integer(start.start).key("objective").number(start.objective);
    add_relative_error(json, start.relative_error);
    json.key("sweeps").integer(start.sweeps).key("status").text(status_name(start.outcome.stop));
    json.key("reason").text(start.outcome.reason).close_object();
  }
  json.close_array();
}

}  // namespace

std::string result_json(const Record& record, const Formats& formats) {
  JsonWriter json(JsonStyle::indented);
  json.open_object();
  add_outcome(json, record.result);
  add_provenance(json, record);
  add_data(json, record.data);
  add_unknowns(json, record.result, formats);
  add_weights(json, record);
  add_observed(json, record.result, formats);
  add_starts(json, record);
  add_texts(json, "warnings", record.result.warnings, false);
  json.key("config");
  record.config.empty() ? json.null() : json.raw(record.config);
  return json.close_object().str() + "\n";
}

}  // namespace tyto::result
