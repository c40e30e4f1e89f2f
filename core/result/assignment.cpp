// Row after row enters along the cheapest path of exchanges, found as Dijkstra does on reduced costs.
#include "result/assignment.hpp"
#include <limits>

namespace tyto::result {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// Costs are the gains, negated; no more rows than columns. For all pairs cost(i,j) - of_row(i) - of_column(j) >= 0, with equality
/// for pairs that are assigned.
class Assignment {
 public:
  Assignment(std::vector<double> costs, std::size_t rows, std::size_t columns)
      : costs_(std::move(costs)), of_row_(rows, 0), of_column_(columns, 0), row_at_(columns, none) {}

  void enter(std::size_t row) {
    search(row);
    for (std::size_t j = 0; j < row_at_.size(); ++j) {
      if (!is_reached_[j] || j == last_) continue;
      const double surplus = distance_[last_] - distance_[j];
      of_column_[j] -= surplus, of_row_[row_at_[j]] += surplus;
    }
    of_row_[row] += distance_[last_];
    for (std::size_t j = last_; j != none; j = before_[j]) row_at_[j] = before_[j] == none ? row : row_at_[before_[j]];
  }
  const std::vector<std::size_t>& row_at() const { return row_at_; }

 private:
  /// Distances to columns over exchanges that start with `row`, until a column is reached that is free: last_.
  void search(std::size_t row) {
    const std::size_t columns = row_at_.size();
    distance_.assign(columns, std::numeric_limits<double>::infinity());
    before_.assign(columns, none), is_reached_.assign(columns, false);
    double so_far = 0;
    for (last_ = none; last_ == none || row_at_[last_] != none;) {
      const std::size_t i = last_ == none ? row : row_at_[last_];
      std::size_t nearest = none;
      for (std::size_t j = 0; j < columns; ++j) {
        if (is_reached_[j]) continue;
        const double distance = so_far + costs_[i * columns + j] - of_row_[i] - of_column_[j];
        if (distance < distance_[j]) distance_[j] = distance, before_[j] = last_;
        if (nearest == none || distance_[j] < distance_[nearest]) nearest = j;
      }
      is_reached_[nearest] = true, so_far = distance_[nearest], last_ = nearest;
    }
  }

  std::vector<double> costs_, of_row_, of_column_, distance_;
  std::vector<std::size_t> row_at_, before_;  // before: the column on the path; none where it starts
  std::vector<bool> is_reached_;
  std::size_t last_ = none;
};

}  // namespace

std::vector<std::int64_t> best_assignment(const std::vector<double>& gains, std::int64_t rows, std::int64_t columns) {
  const bool is_wide = rows <= columns;
  const auto m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  std::vector<double> costs(gains.size());
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) costs[is_wide ? i * n + j : j * m + i] = -gains[i * n + j];
  Assignment assignment(std::move(costs), is_wide ? m : n, is_wide ? n : m);
  for (std::size_t row = 0; row < (is_wide ? m : n); ++row) assignment.enter(row);
  std::vector<std::int64_t> column_of(m, -1);
  for (std::size_t j = 0; j < assignment.row_at().size(); ++j)
    if (const std::size_t i = assignment.row_at()[j]; i != none)
      column_of[is_wide ? i : j] = static_cast<std::int64_t>(is_wide ? j : i);
  return column_of;
}

}  // namespace tyto::result
