#pragma once
/// The assignment problem: which row goes with which column, so that the gains add up to the most.
#include <cstdint>
#include <vector>

namespace tyto::result {

/// gains(row, column), row-major and finite. The column of each row, -1 for the rows that are left over where there are more rows
/// than columns; each column at most once, min(rows, columns) of them in all. Exact, in O(rows^2 columns) steps where rows <=
/// columns: shortest augmenting paths with dual variables (Kuhn 1955; in this form Jonker and Volgenant, Computing 38, 1987).
std::vector<std::int64_t> best_assignment(const std::vector<double>& gains, std::int64_t rows, std::int64_t columns);

}  // namespace tyto::result
