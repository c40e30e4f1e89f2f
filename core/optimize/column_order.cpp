#include "optimize/column_order.hpp"
#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include "optimize/product.hpp"

namespace tyto::optimize {

using einsum::Label;
using einsum::Labels;

std::optional<std::vector<std::int32_t>> column_order(const graph::Store& store, graph::NodeId matrix, std::int32_t batch,
                                                      std::int32_t rows) {
  const graph::Shape& shape = store[matrix].shape;
  if (shape.size() != static_cast<std::size_t>(batch + 2 * rows) || rows < 2) return std::nullopt;
  einsum::Subscripts subscripts = as_product(store, matrix).subscripts;
  subscripts = einsum::renumbered(subscripts);  // the output is 0, 1, ...: batch, rows, columns
  if (subscripts.output != graph::counted(shape.size())) return std::nullopt;
  const auto count = static_cast<std::size_t>(einsum::label_count(subscripts));
  std::vector<std::size_t> rank(count), parent(count);
  boost::disjoint_sets<std::size_t*, std::size_t*> sets(rank.data(), parent.data());
  for (std::size_t label = 0; label < count; ++label) sets.make_set(label);
  for (const Labels& labels : subscripts.inputs) {
    Label first = -1;
    for (const Label label : labels) {
      if (label < batch) continue;
      if (first >= 0) sets.union_set(static_cast<std::size_t>(first), static_cast<std::size_t>(label));
      first = label;
    }
  }
  std::vector<std::int32_t> order;
  bool is_arranged = true;
  for (std::int32_t m = 0; m < rows; ++m) {
    const auto row = static_cast<std::size_t>(batch + m);
    const auto fits = [&](std::int32_t n) {
      const auto column = static_cast<std::size_t>(batch + rows + n);
      return sets.find_set(row) == sets.find_set(column) && store.fits(shape[row], shape[column]) &&
             std::find(order.begin(), order.end(), n) == order.end();
    };
    std::int32_t n = 0;
    while (n < rows && !fits(n)) ++n;
    if (n == rows) return std::nullopt;
    order.push_back(n);
    is_arranged = is_arranged && n == m;
  }
  return is_arranged ? std::nullopt : std::optional(order);
}

}  // namespace tyto::optimize
