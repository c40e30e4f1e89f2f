#include "derivatives.hpp"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace {

using Row = std::array<std::string, 8>;
constexpr std::size_t first_number = 5, last_number = 6;  // columns of a row that stand to the right

Row row_of(const tyto::ObjectiveDerivative& d) {
  return {d.objective,
          d.unknown,
          d.derivative,
          d.checked,
          d.result.method,
          fmt::format("{:.1e}", d.result.largest_difference),
          fmt::format("{:.1e}", d.result.allowed),
          d.result.agrees ? "ok" : "no"};
}

std::string verdict_on(const std::vector<tyto::ObjectiveDerivative>& all) {
  if (all.empty()) return "there is no derivative to check: every unknown is fixed\n";
  if (all_agree(all)) return fmt::format("all {} derivatives agree\n", all.size());
  const tyto::ObjectiveDerivative* worst = nullptr;
  std::ptrdiff_t count = 0;
  for (const tyto::ObjectiveDerivative& d : all) {
    if (d.result.agrees) continue;
    ++count;
    if (worst == nullptr || d.result.largest_difference > worst->result.largest_difference) worst = &d;
  }
  return fmt::format("{} of {} derivatives {} not agree; the worst is the {} of {} by {}, {}\n", count, all.size(),
                     count == 1 ? "does" : "do", worst->derivative, worst->objective, worst->unknown, worst->result.worst);
}

}  // namespace

bool all_agree(const std::vector<tyto::ObjectiveDerivative>& all) {
  return std::all_of(all.begin(), all.end(), [](const tyto::ObjectiveDerivative& d) { return d.result.agrees; });
}

std::string table_of(const std::vector<tyto::ObjectiveDerivative>& all) {
  std::vector<Row> rows{{"objective", "unknown", "derivative", "checked", "by", "largest difference", "allowed", ""}};
  for (const tyto::ObjectiveDerivative& d : all) rows.push_back(row_of(d));
  std::array<std::size_t, 8> width{};
  for (const Row& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const bool is_number = k >= first_number && k <= last_number;
      line += k == 0 ? "" : "  ";
      line += is_number ? fmt::format("{:>{}}", row[k], width[k]) : fmt::format("{:<{}}", row[k], width[k]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return (all.empty() ? "" : text + "\n") + verdict_on(all);
}
