// Which component is which of the reference.
#include "result/sections.hpp"
#include "result/chart.hpp"
#include "result/notation.hpp"
#include <fmt/format.h>
#include <algorithm>

namespace tyto::result {
namespace {

constexpr std::int64_t most_rows = 50;  ///< the components with the largest weights; result.json lists all

const MatchedComponent* match_of(const FactorMatch& match, std::int64_t column) {
  const auto found = std::find_if(match.components.begin(), match.components.end(),
                                  [&](const MatchedComponent& c) { return c.component == column; });
  return found == match.components.end() ? nullptr : &*found;
}

std::string head(const Ktensor& k) {
  std::string out = "<tr><th>Component</th><th class=\"number\">Column</th><th class=\"number\">Of the reference</th>";
  out += "<th class=\"number\">Score</th><th class=\"number\">Weights</th>";
  for (const NamedArray& factor : k.factors)
    out += fmt::format("<th class=\"number\">{}</th>", escaped(mode_name(factor.labels[0])));
  return out + "</tr>\n";
}

std::string row(std::int64_t r, std::int64_t column, const MatchedComponent* c) {
  std::string out = fmt::format("<tr><th scope=\"row\"><span class=\"swatch {}\"></span>{}</th><td class=\"number\">{}</td>",
                                fill_class(r), r + 1, column);
  if (!c) return out + "<td class=\"number\">none</td></tr>\n";
  out += fmt::format("<td class=\"number\">{}</td>", c->reference);
  for (const double value : {c->weights * c->congruence(), c->weights})
    out += fmt::format("<td class=\"number\">{}</td>", with_decimals(value, 4));
  for (std::size_t n = 0; n < c->cosines.size(); ++n)
    out += fmt::format("<td class=\"number\">{}{}</td>", with_decimals(c->cosines[n], 4), c->signs[n] < 0 ? ", turned" : "");
  return out + "</tr>\n";
}

}  // namespace

std::string match_section(const Record& record, const Ktensor& k) {
  if (!record.match) return {};
  const FactorMatch& match = *record.match;
  std::string out = fmt::format("<h2>Match with {}</h2>\n<p>Factor match score {:.6g}, without weights {:.6g}.</p>\n",
                                escaped(match.reference), match.score, match.score_without_weights);
  out += "<div class=\"scroll\"><table>\n" + head(k);
  for (std::int64_t r = 0; r < std::min(k.rank(), most_rows); ++r) {
    const std::int64_t column = k.columns[static_cast<std::size_t>(r)];
    out += row(r, column, match_of(match, column));
  }
  return out +
         "</table></div>\n<p class=\"note\">Columns of the unknowns' .npy files, here and of the reference, counted from 0. Score: "
         "weights "
         "times the cosines of the columns in all modes; weights: the smaller over the larger. Turned: the column has the other "
         "sign there.</p>\n";
}

}  // namespace tyto::result
