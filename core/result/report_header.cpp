// What was run and how it ended: the top and the bottom of the report.
#include "result/sections.hpp"
#include "result/notation.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>
#include <cmath>

namespace tyto::result {
namespace {

/// "sample 5 × emission 201 × excitation 61", without the names that are mere numbers
std::string described(const DataDescription& tensor) {
  std::string axes;
  for (std::size_t n = 0; n < tensor.shape.size(); ++n) {
    const bool named = n < tensor.labels.size() && mode_name(tensor.labels[n]) == tensor.labels[n];
    axes += fmt::format("{}{}{}", n == 0 ? "" : " × ", named ? tensor.labels[n] + " " : "", tensor.shape[n]);
  }
  return axes;
}

struct Verdict {
  const char *tone, *word, *meaning;
};

/// What each status means for somebody who did not write the algorithm.
Verdict verdict_of(Stop stop) {
  switch (stop) {
    case Stop::converged: return {"good", "Converged", "further sweeps would change the result no more than asked for."};
    case Stop::sweep_limit:
      return {"fair", "Stopped at the sweep limit", "the result may still improve with a larger solver.max_sweeps."};
    case Stop::time_limit: return {"fair", "Stopped at the time limit", "the result may still improve with more time."};
    case Stop::interrupted: return {"fair", "Interrupted", "the values are those after the last complete sweep."};
    case Stop::stalled: return {"fair", "Stalled", "the objective no longer decreases, though the stopping rule is not met."};
    case Stop::degenerate:
      return {"bad", "Degenerate",
              "components grow and cancel each other: they have no meaning one by one. Fewer components, or a ridge, would help."};
    case Stop::failed: return {"bad", "Failed", "do not use these values."};
  }
  return {"bad", "Failed", "do not use these values."};
}

std::string tile(const std::string& name, const std::string& number) {
  const std::size_t unit = number.find(' ');
  const std::string value = unit == std::string::npos || number.find(' ', unit + 1) != std::string::npos
                                ? escaped(number)
                                : escaped(number.substr(0, unit)) + " <small>" + escaped(number.substr(unit + 1)) + "</small>";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string row(const std::string& name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"wide\">{}</td></tr>\n", escaped(name), escaped(text));
}

std::string collapsible(const std::string& name, const std::string& text) {
  if (text.empty()) return {};
  return fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", name, escaped(text));
}

}  // namespace

std::string report_title(const Record& record, const Ktensor* k) {
  if (!record.title.empty()) return record.title;
  const std::string of = record.data.empty() ? "" : " of " + record.data[0].name;
  if (k) return fmt::format("CP decomposition{} into {}", of, counted(k->rank(), "component"));
  return (record.algorithm.empty() ? "Result" : record.algorithm) + of;
}

std::string header_section(const Record& record, const Ktensor* k) {
  std::string out =
      fmt::format("<p class=\"kicker\">{}{}</p>\n<h1>{}</h1>\n", escaped(record.algorithm.empty() ? "tyto" : record.algorithm),
                  record.summary.empty() ? "" : escaped(": " + record.summary), escaped(report_title(record, k)));
  for (const DataDescription& tensor : record.data)
    out += fmt::format("<p class=\"note\">{}: {}{}</p>\n", escaped(tensor.name), escaped(described(tensor)),
                       tensor.file.empty() ? "" : escaped(", from " + tensor.file));
  return out;
}

std::string outcome_section(const Record& record) {
  const Result& result = record.result;
  const Verdict verdict = verdict_of(result.outcome.stop);
  std::string out = fmt::format("<p class=\"status {}\"><b>{}</b>: {}", verdict.tone, verdict.word, verdict.meaning);
  if (!result.outcome.reason.empty()) out += fmt::format(" <span class=\"note\">({})</span>", escaped(result.outcome.reason));
  out += "</p>\n<dl class=\"numbers\">\n";
  if (result.relative_error >= 0) {
    out +=
        tile("Relative error", std::isfinite(result.relative_error) ? fmt::format("{:.6g}", result.relative_error) : "not finite");
    out += tile("Explained variance", percentage(1 - result.relative_error * result.relative_error));
  } else {
    out += tile("Objective", written(result.objective));
  }
  if (record.model_elements > 0) out += tile("Compression", fmt::format("{:.4g} to 1", compression_ratio(record)));
  if (record.kkt_residual) out += tile("KKT residual", fmt::format("{:.2g}", *record.kkt_residual));
  out += tile(record.starts.size() > 1 ? "Sweeps of the best start" : "Sweeps", fmt::format("{}", result.sweeps));
  out += tile("Time", text_of_seconds(result.seconds)) + "</dl>\n";
  if (result.warnings.empty()) return out;
  out += "<div class=\"warnings\"><b>Please note</b><ul>\n";
  for (const std::string& warning : result.warnings) out += "<li>" + escaped(warning) + "</li>\n";
  return out + "</ul></div>\n";
}

std::string provenance_section(const Record& record) {
  std::string out = "<h2>What was run</h2>\n<table>\n";
  out += row("Algorithm", fmt::format("{} {}", record.algorithm, record.algorithm_version));
  for (const DataDescription& tensor : record.data)
    out += row("Data " + tensor.name, fmt::format("{}{}, Frobenius norm {}", tensor.file.empty() ? "" : tensor.file + ", ",
                                                  written(tensor.shape), written(tensor.norm)));
  if (!record.executor.empty()) out += row("Executor", record.executor + ", " + counted(record.threads, "thread"));
  out += row("Seed", fmt::format("{}", record.seed));
  out += row("Started", record.started_at);
  if (!record.tyto_version.empty()) out += row("tyto", record.tyto_version);
  for (const auto& [name, fact] : record.host) out += row(name, fact);
  out += "</table>\n";
  return out + collapsible("Plan", record.plan) + collapsible("Solver", record.solver) +
         collapsible("Configuration", record.config);
}

}  // namespace tyto::result
