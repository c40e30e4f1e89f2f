#include "hamiltonian/rank_factorization.hpp"
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include "hamiltonian/elimination.hpp"

namespace tyto::hamiltonian {

namespace {

/// An element of a row or a column.
struct Meeting {
  std::int64_t line = 0;   ///< of the other side
  bool is_strong = false;  ///< large enough to be structure, wherever it came from
};

/// Rows and columns are lines of a bipartite graph whose edges are the elements.
struct Line {
  std::vector<Meeting> others = {};
  std::int64_t degree = 0;  ///< of those, how many no state covers yet
  bool is_state = false;    ///< its elements are all covered, by itself
};

class Factorizing {
 public:
  Factorizing(const std::vector<CoefficientRow>& matrix, double floor)
      : matrix_(matrix), floor_(floor), rows_(matrix.size()), combined_(matrix.size()) {
    for (const CoefficientRow& row : matrix)
      for (const Coefficient& c : row) columns_of_matrix_.push_back(c.column);
    std::sort(columns_of_matrix_.begin(), columns_of_matrix_.end());
    columns_of_matrix_.erase(std::unique(columns_of_matrix_.begin(), columns_of_matrix_.end()), columns_of_matrix_.end());
    columns_.resize(columns_of_matrix_.size());
    is_in_block_.resize(columns_.size(), 0);
    for (std::size_t i = 0; i < matrix.size(); ++i)
      for (const Coefficient& c : matrix[i]) {
        const std::int64_t j = number_of(c.column);
        const bool is_strong = std::abs(c.value) > floor;
        rows_[i].others.push_back({j, is_strong});
        column(j).others.push_back({static_cast<std::int64_t>(i), is_strong});
      }
    for (std::vector<Line>* side : {&rows_, &columns_})
      for (Line& line : *side) line.degree = static_cast<std::int64_t>(line.others.size());
  }

  RankFactorization run() {
    take_single_lines();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].degree > 0 && !rows_[i].is_state && !combined_[i].is_done) reduce_block(static_cast<std::int64_t>(i));
    return result();
  }

 private:
  /// A row of a block of deficient rank: a combination of the states that other rows of the block are.
  struct Combined {
    bool is_done = false, is_deficient = false;
    std::vector<std::pair<std::int64_t, std::complex<double>>> of_rows = {};
  };

  Line& row(std::int64_t i) { return rows_[static_cast<std::size_t>(i)]; }
  Line& column(std::int64_t j) { return columns_[static_cast<std::size_t>(j)]; }
  Combined& combined(std::int64_t i) { return combined_[static_cast<std::size_t>(i)]; }
  std::int64_t number_of(std::int64_t matrix_column) const {
    return std::lower_bound(columns_of_matrix_.begin(), columns_of_matrix_.end(), matrix_column) - columns_of_matrix_.begin();
  }

  // ---- lines that meet one other line

  void take_single_lines() {
    std::deque<std::pair<bool, std::int64_t>> waiting;  // (is a row, its number)
    for (const bool is_row : {true, false}) {
      const std::vector<Line>& side = is_row ? rows_ : columns_;
      for (std::size_t k = 0; k < side.size(); ++k)
        if (side[k].degree == 1) waiting.emplace_back(is_row, static_cast<std::int64_t>(k));
    }
    while (!waiting.empty()) {
      const auto [is_row, number] = waiting.front();
      waiting.pop_front();
      std::vector<Line>&own = is_row ? rows_ : columns_, &opposite = is_row ? columns_ : rows_;
      const Line& single = own[static_cast<std::size_t>(number)];
      if (single.is_state || single.degree != 1) continue;
      const auto is_open = [&](const Meeting& m) { return !opposite[static_cast<std::size_t>(m.line)].is_state; };
      const Meeting last = *std::find_if(single.others.begin(), single.others.end(), is_open);
      if (!last.is_strong) continue;  // perhaps the end of something that decays: elimination tells
      take(opposite[static_cast<std::size_t>(last.line)], own, [&](std::int64_t k) { waiting.emplace_back(is_row, k); });
    }
  }

  /// Makes a line a state; calls `single(k)` for each line that it leaves with one.
  template <class Single>
  static void take(Line& line, std::vector<Line>& across, const Single& single) {
    line.is_state = true;
    for (const Meeting& m : line.others) {
      Line& other = across[static_cast<std::size_t>(m.line)];
      if (!other.is_state && --other.degree == 1) single(m.line);
    }
  }

  // ---- the blocks that are left

  struct Block {
    std::vector<std::int64_t> rows, columns;
  };

  Block block_of(std::int64_t start) {
    Block block{{start}, {}};
    combined(start).is_done = true;
    for (std::size_t next = 0; next < block.rows.size(); ++next)
      for (const auto& [j, is_strong] : row(block.rows[next]).others) {
        if (column(j).is_state || std::exchange(is_in_block_[static_cast<std::size_t>(j)], 1) != 0) continue;
        block.columns.push_back(j);
        for (const auto& [i, is_also_strong] : column(j).others)
          if (!row(i).is_state && !std::exchange(combined(i).is_done, true)) block.rows.push_back(i);
      }
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.columns.begin(), block.columns.end());
    return block;
  }

  void reduce_block(std::int64_t start) {
    const Block block = block_of(start);
    const auto rows = static_cast<std::int64_t>(block.rows.size()), columns = static_cast<std::int64_t>(block.columns.size());
    Elimination elimination(rows, columns);
    for (std::int64_t i = 0; i < rows; ++i)
      for (const Coefficient& c : matrix_[static_cast<std::size_t>(block.rows[static_cast<std::size_t>(i)])]) {
        const std::int64_t j = number_of(c.column);
        if (column(j).is_state) continue;
        const auto place = std::lower_bound(block.columns.begin(), block.columns.end(), j) - block.columns.begin();
        elimination.set(i, place, c.value, c.magnitude);
      }
    elimination.run(floor_);
    if (elimination.rank() == columns)
      for (const std::int64_t j : block.columns) column(j).is_state = true;
    else if (elimination.rank() == rows)
      for (const std::int64_t i : block.rows) row(i).is_state = true;
    else combine(block, elimination);
  }

  void combine(const Block& block, const Elimination& elimination) {
    const auto row_at = [&](std::int64_t place) {
      return block.rows[static_cast<std::size_t>(elimination.row_order()[static_cast<std::size_t>(place)])];
    };
    for (std::int64_t place = 0; place < static_cast<std::int64_t>(block.rows.size()); ++place) {
      Combined& c = combined(row_at(place));
      c.is_deficient = true;
      if (place < elimination.rank()) {
        c.of_rows.emplace_back(row_at(place), 1.0);
        continue;
      }
      const std::vector<std::complex<double>> x = elimination.combination(place);
      for (std::int64_t k = 0; k < elimination.rank(); ++k)
        if (x[static_cast<std::size_t>(k)] != 0.0) c.of_rows.emplace_back(row_at(k), x[static_cast<std::size_t>(k)]);
    }
  }

  // ---- states in their order

  bool is_pivot(std::size_t i) const {
    return combined_[i].is_deficient && combined_[i].of_rows.size() == 1 &&
           combined_[i].of_rows.front().first == static_cast<std::int64_t>(i);
  }

  RankFactorization result() const {
    RankFactorization f;
    std::vector<std::int64_t> state_of_row(rows_.size(), -1), state_of_column(columns_.size(), -1);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].is_state || is_pivot(i)) {
        state_of_row[i] = static_cast<std::int64_t>(f.right.size());
        f.right.push_back(rows_[i].is_state ? matrix_[i] : outside_of_states(matrix_[i]));
      }
    for (std::size_t j = columns_.size(); j-- > 0;)
      if (columns_[j].is_state) {
        state_of_column[j] = static_cast<std::int64_t>(f.right.size());
        f.right.push_back({{columns_of_matrix_[j], 1.0, 1.0}});
      }
    for (std::size_t i = 0; i < rows_.size(); ++i) add_left(i, state_of_row, state_of_column, f);
    return f;
  }

  CoefficientRow outside_of_states(const CoefficientRow& whole) const {
    CoefficientRow part;
    for (const Coefficient& c : whole)
      if (!columns_[static_cast<std::size_t>(number_of(c.column))].is_state) part.push_back(c);
    return part;
  }

  void add_left(std::size_t i, const std::vector<std::int64_t>& state_of_row, const std::vector<std::int64_t>& state_of_column,
                RankFactorization& f) const {
    const auto row_number = static_cast<std::int64_t>(i);
    if (rows_[i].is_state) {
      f.left.push_back({row_number, state_of_row[i], 1.0});
      return;
    }
    for (const auto& [pivot, factor] : combined_[i].of_rows)
      f.left.push_back({row_number, state_of_row[static_cast<std::size_t>(pivot)], factor});
    for (const Coefficient& c : matrix_[i]) {
      const std::int64_t state = state_of_column[static_cast<std::size_t>(number_of(c.column))];
      if (state >= 0) f.left.push_back({row_number, state, c.value});
    }
  }

  const std::vector<CoefficientRow>& matrix_;
  const double floor_;
  std::vector<std::int64_t> columns_of_matrix_;  ///< number of each column in the matrix
  std::vector<Line> rows_, columns_;
  std::vector<Combined> combined_;
  std::vector<char> is_in_block_;  ///< of columns
};

}  // namespace

RankFactorization rank_factorization(const std::vector<CoefficientRow>& matrix, double scale) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return Factorizing(matrix, eps * eps * scale).run();
}

}  // namespace tyto::hamiltonian
