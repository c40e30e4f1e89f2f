#include "graph/infer.hpp"
#include <algorithm>
#include <fmt/format.h>
#include "error/fail.hpp"

namespace tyto::graph {
namespace {

/// Infers the shape of an operation with operands, or says why they do not fit.
class ShapeOf {
 public:
  ShapeOf(const Store& store, const std::vector<NodeId>& operands) : store_(store), operands_(operands) {}

  Shape operator()(const Leaf&) const { refuse("a leaf has no operands"); }
  Shape operator()(const Fill&) const { refuse("a fill has no operands"); }
  Shape operator()(const Identity&) const { refuse("an identity has no operands"); }
  Shape operator()(const ImaginaryUnit&) const { refuse("the imaginary unit has no operands"); }
  Shape operator()(const Triangle&) const { refuse("a triangle has no operands"); }
  Shape operator()(const Power&) const { return operand(0); }
  Shape operator()(const Einsum& e) const {
    const einsum::Subscripts& s = e.subscripts;
    if (s.inputs.size() != operands_.size()) refuse("an einsum has one list of labels per operand");
    Shape of_label(static_cast<std::size_t>(einsum::label_count(s)), -1);
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const Shape& shape = operand(k);
      if (shape.size() != s.inputs[k].size()) refuse("an einsum labels every axis of every operand");
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        DimensionId& known = of_label[static_cast<std::size_t>(s.inputs[k][axis])];
        if (known < 0) known = shape[axis];
        if (!store_.fits(known, shape[axis])) refuse_extents(known, shape[axis]);
      }
    }
    Shape result;
    for (const einsum::Label label : s.output) {
      if (of_label[static_cast<std::size_t>(label)] < 0) refuse("an output label of an einsum is on no operand");
      if (std::count(s.output.begin(), s.output.end(), label) > 1) refuse("an output label of an einsum is given twice");
      result.push_back(of_label[static_cast<std::size_t>(label)]);
    }
    return result;
  }
  Shape operator()(const Combination& c) const {
    if (operands_.empty() || c.coefficients.size() != operands_.size()) refuse("a combination has one coefficient per operand");
    for (std::size_t k = 1; k < operands_.size(); ++k)
      if (!store_.fits(operand(0), operand(k))) refuse("the operands of a combination have one shape");
    return operand(0);
  }
  Shape operator()(const Inverse& i) const {
    const Shape& shape = operand(0);
    check_square(shape, i.batch, i.rows);
    return shape;
  }
  Shape operator()(const Solve& s) const {
    const Shape &matrix = operand(0), &right = operand(1);
    check_square(matrix, s.batch, s.rows);
    const auto is_complex = [&](NodeId id) { return store_[id].field == Field::complex; };
    if (!operation::is_linear(s.system) && std::any_of(operands_.begin(), operands_.end(), is_complex))
      refuse("a non-negative solve is of real tensors");
    const auto leading = static_cast<std::size_t>(s.batch + s.rows);
    if (right.size() < leading || !store_.fits(Shape(matrix.begin(), matrix.begin() + static_cast<std::ptrdiff_t>(leading)),
                                               Shape(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(leading))))
      refuse("the right side of a solve begins with the batch and row axes of its matrix");
    Shape result(matrix.begin(), matrix.begin() + s.batch);
    result.insert(result.end(), matrix.begin() + static_cast<std::ptrdiff_t>(leading), matrix.end());
    result.insert(result.end(), right.begin() + static_cast<std::ptrdiff_t>(leading), right.end());
    return result;
  }
  Shape operator()(const Map& m) const {
    const auto count = static_cast<std::size_t>(operation::argument_count(m.function));
    if (operands_.size() != count) refuse(fmt::format("{} has {} operands", operation::name_of(m.function), count));
    if (!store_.fits(operand(0), operand(count - 1)))
      refuse(fmt::format("the operands of {} have one shape", operation::name_of(m.function)));
    return operand(0);
  }
  Shape operator()(const LogSumExp& l) const {
    check_reduced(l.reduced);
    return Shape(operand(0).begin(), operand(0).end() - l.reduced);
  }
  Shape operator()(const Softmax& s) const {
    check_reduced(s.reduced);
    return operand(0);
  }
  Shape operator()(const Reshape& r) const {
    const std::int64_t before = elements(operand(0)), after = elements(r.shape);
    if (before != after)
      fail(Code::extent, "a reshape keeps the number of elements", fmt::format("{}", before), fmt::format("{}", after));
    return r.shape;
  }
  Shape operator()(const Slice& s) const {
    Shape shape = operand(0);
    check_positions("slice", s.axis, s.first, s.step, store_.extent(s.part), axis_extent(shape, s.axis));
    shape[static_cast<std::size_t>(s.axis)] = s.part;
    return shape;
  }
  Shape operator()(const Pad& p) const {
    Shape shape = operand(0);
    check_positions("pad", p.axis, p.first, p.step, axis_extent(shape, p.axis), store_.extent(p.whole));
    shape[static_cast<std::size_t>(p.axis)] = p.whole;
    return shape;
  }
  Shape operator()(const Concatenate& c) const {
    Shape shape = operand(0);
    const auto axis = static_cast<std::size_t>(c.axis);
    std::int64_t total = 0;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      total += axis_extent(operand(k), c.axis);
      for (std::size_t other = 0; other < shape.size(); ++other)
        if (operand(k).size() != shape.size() || (other != axis && !store_.fits(operand(k)[other], shape[other])))
          refuse("concatenated tensors agree in all axes but one");
    }
    if (total != store_.extent(c.whole))
      fail(Code::extent, "a concatenation is as long as its parts together", fmt::format("{}", total),
           fmt::format("{}={}", store_(c.whole).name, store_.extent(c.whole)));
    shape[axis] = c.whole;
    return shape;
  }
  Shape operator()(const Factorization& f) const {
    using operation::Part;
    const Shape& matrix = operand(0);
    if (f.batch < 0 || matrix.size() != static_cast<std::size_t>(f.batch) + 2)
      refuse("a matrix to factorize has one row and one column axis");
    const Shape batch(matrix.begin(), matrix.end() - 2);
    const DimensionId row = matrix[matrix.size() - 2], column = matrix.back();
    const std::int64_t n = store_.extent(row), m = store_.extent(column);
    const auto shape = [&](std::initializer_list<DimensionId> axes) {
      Shape all = batch;
      all.insert(all.end(), axes);
      return all;
    };
    const bool is_square = f.part == Part::cholesky || f.part == Part::values || f.part == Part::vectors;
    if (is_square && n != m)
      fail(Code::shape, "the matrix to factorize is not square", fmt::format("{} columns", n), fmt::format("{} columns", m));
    if ((f.part == Part::q || f.part == Part::r) && n < m) refuse("a QR factorization has at least as many rows as columns");
    if (store_.extent(f.bond) != std::min(n, m))
      fail(Code::extent, "the bond of a factorization has the smaller of rows and columns", fmt::format("{}", std::min(n, m)),
           fmt::format("{}={}", store_(f.bond).name, store_.extent(f.bond)));
    switch (f.part) {
      case Part::cholesky: return matrix;
      case Part::q:
      case Part::u:
      case Part::vectors: return shape({row, f.bond});
      case Part::r: return shape({f.bond, column});
      case Part::v: return shape({column, f.bond});
      case Part::s:
      case Part::values: return shape({f.bond});
    }
    return {};
  }
  Shape operator()(const Reciprocal& r) const {
    Shape shape = operand(0);
    if (shape.empty()) refuse("a reciprocal is of values along an axis");
    if (r.pairs) shape.push_back(shape.back());
    return shape;
  }

 private:
  std::int64_t elements(const Shape& shape) const {
    std::int64_t count = 1;
    for (const DimensionId d : shape) count *= store_.extent(d);
    return count;
  }
  std::int64_t axis_extent(const Shape& shape, std::int32_t axis) const {
    if (axis < 0 || axis >= static_cast<std::int32_t>(shape.size())) refuse("an axis is not there");
    return store_.extent(shape[static_cast<std::size_t>(axis)]);
  }
  void check_reduced(std::int32_t reduced) const {
    if (reduced < 0 || reduced > static_cast<std::int32_t>(operand(0).size())) refuse("a reduction is over axes that are there");
  }
  void check_positions(const char* what, std::int32_t axis, std::int64_t first, std::int64_t step, std::int64_t count,
                       std::int64_t whole) const {
    const std::int64_t last = first + (count - 1) * step;
    if (step < 1 || first < 0 || (count > 0 && last >= whole))
      fail(Code::out_of_range, fmt::format("the {} reaches beyond axis {}", what, axis),
           fmt::format("positions in 0..{}", whole - 1), fmt::format("{}, step {}, to {}", first, step, last));
  }
  const Shape& operand(std::size_t k) const {
    if (k >= operands_.size()) refuse("an operand is missing");
    return store_[operands_[k]].shape;
  }
  void check_square(const Shape& matrix, std::int32_t batch, std::int32_t rows) const {
    if (batch < 0 || rows < 0 || batch + rows > static_cast<std::int32_t>(matrix.size()))
      refuse("a matrix has batch, row and column axes");
    std::int64_t row_count = 1, column_count = 1;
    for (std::size_t axis = static_cast<std::size_t>(batch); axis < matrix.size(); ++axis)
      (axis < static_cast<std::size_t>(batch + rows) ? row_count : column_count) *= store_.extent(matrix[axis]);
    if (row_count != column_count)
      fail(Code::shape, "the matrix to invert is not square", fmt::format("{} columns", row_count),
           fmt::format("{} columns", column_count));
  }
  [[noreturn]] static void refuse(const std::string& rule) { fail(Code::shape, rule); }
  [[noreturn]] void refuse_extents(DimensionId a, DimensionId b) const {
    const Dimension &first = store_(a), &second = store_(b);
    fail(Code::extent, "a label joins axes of different extents", fmt::format("{}={}", first.name, first.extent),
         fmt::format("{}={}", second.name, second.extent));
  }

  const Store& store_;
  const std::vector<NodeId>& operands_;
};

}  // namespace

Shape shape_of(const Store& store, const Operation& operation, const std::vector<NodeId>& operands) {
  return std::visit(ShapeOf(store, operands), operation);
}

Field field_of(const Store& store, const Operation& operation, const std::vector<NodeId>& operands) {
  if (const auto* leaf = std::get_if<Leaf>(&operation)) return leaf->field;
  if (std::holds_alternative<ImaginaryUnit>(operation)) return Field::complex;
  const auto* promoted = std::get_if<Map>(&operation);
  if (promoted != nullptr && promoted->function == operation::Function::complex) return Field::complex;
  const bool any = std::any_of(operands.begin(), operands.end(), [&](NodeId id) { return store[id].field == Field::complex; });
  if (!any) return Field::real;
  const auto refuse = [](const std::string& what) {
    fail_unsupported(what + " of complex values", "real(), imag() or abs() of them first");
  };
  if (const auto* map = std::get_if<Map>(&operation)) {
    if (!operation::takes_complex(map->function)) refuse(operation::name_of(map->function));
    return operation::is_real(map->function) ? Field::real : Field::complex;
  }
  if (const auto* e = std::get_if<Einsum>(&operation); e != nullptr && e->pair.reduce != einsum::Reduce::sum)
    refuse("the largest or smallest");
  if (std::holds_alternative<LogSumExp>(operation)) refuse("logsumexp");
  if (std::holds_alternative<Softmax>(operation)) refuse("softmax");
  if (const auto* f = std::get_if<Factorization>(&operation)) return operation::is_real(f->part) ? Field::real : Field::complex;
  return Field::complex;
}

}  // namespace tyto::graph
