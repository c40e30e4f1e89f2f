// Formulas over the operations of a program.
#include "program/program.hpp"
#include <algorithm>
#include <numeric>
#include <utility>
#include "error/fail.hpp"

namespace tyto::program {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

const Buffer& at(const std::vector<Buffer>& buffers, BufferId id) {
  TYTO_ASSERT(id >= 0 && id < static_cast<BufferId>(buffers.size()));
  return buffers[static_cast<std::size_t>(id)];
}

std::int64_t product(const Extents& extents, std::size_t first, std::size_t last) {
  std::int64_t result = 1;
  for (std::size_t axis = first; axis < last; ++axis) result *= extents[axis];
  return result;
}

std::int64_t elements(const Buffer& buffer) { return product(buffer.extents, 0, buffer.extents.size()); }

/// Elements that differ in their address: a repeated label walks a diagonal, stride 0 stays where it is.
std::int64_t distinct_elements(const Buffer& buffer, const einsum::Labels& labels) {
  std::int64_t result = 1;
  for (std::size_t axis = 0; axis < labels.size(); ++axis) {
    const bool seen = std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(axis), labels[axis]) !=
                      labels.begin() + static_cast<std::ptrdiff_t>(axis);
    if (!seen && (buffer.strides[axis] != 0 || buffer.extents[axis] == 0)) result *= buffer.extents[axis];
  }
  return result;
}

std::int64_t distinct_elements(const Buffer& buffer) {
  einsum::Labels labels(buffer.extents.size());
  for (std::size_t axis = 0; axis < labels.size(); ++axis) labels[axis] = static_cast<einsum::Label>(axis);
  return distinct_elements(buffer, labels);
}

/// Bytes of operands: a buffer that is used twice is read once.
std::int64_t operand_bytes(const std::vector<Operand>& inputs, BufferId written, const std::vector<Buffer>& buffers) {
  std::vector<std::pair<BufferId, std::int64_t>> read;
  for (const Operand& operand : inputs) {
    const std::int64_t count = distinct_elements(at(buffers, operand.buffer), operand.labels);
    const auto known = std::find_if(read.begin(), read.end(), [&](const auto& entry) { return entry.first == operand.buffer; });
    if (known == read.end()) {
      read.emplace_back(operand.buffer, count);
    } else {
      known->second = std::max(known->second, count);
    }
  }
  const Buffer& out = at(buffers, written);
  std::int64_t bytes = elements(out) * size_of(out.dtype);
  for (const auto& [buffer, count] : read) bytes += count * size_of(at(buffers, buffer).dtype);
  return bytes;
}

std::int64_t contraction_bytes(const Contraction& contraction, const std::vector<Buffer>& buffers) {
  std::vector<Operand> read = contraction.inputs;
  if (contraction.addend >= 0) {  // all of it, whatever the labels of the output
    read.push_back({contraction.addend, einsum::Labels(contraction.out.labels.size())});
    std::iota(read.back().labels.begin(), read.back().labels.end(), 0);
  }
  return operand_bytes(read, contraction.out.buffer, buffers);
}

std::int64_t loop_flops(const std::vector<einsum::Labels>& inputs, const einsum::Labels& out, const Space& space) {
  const einsum::Subscripts dense = einsum::renumbered({inputs, out});
  Extents extent_of_label(static_cast<std::size_t>(einsum::label_count(dense)), 1);
  const auto note = [&](const einsum::Labels& renumbered, const einsum::Labels& original) {
    for (std::size_t axis = 0; axis < original.size(); ++axis)
      extent_of_label[static_cast<std::size_t>(renumbered[axis])] = space.extent(original[axis]);
  };
  for (std::size_t k = 0; k < inputs.size(); ++k) note(dense.inputs[k], inputs[k]);
  note(dense.output, out);
  return einsum::loop_flops(dense, extent_of_label);
}

/// Factors are multiplied first and count as one operand then.
std::int64_t product_flops(const Contraction& contraction, const std::vector<Buffer>& buffers) {
  const auto first_factor = contraction.inputs.end() - contraction.factors;
  std::vector<einsum::Labels> labels;
  for (auto operand = contraction.inputs.begin(); operand != first_factor; ++operand) labels.push_back(operand->labels);
  std::int64_t flops = 0;
  if (contraction.factors > 0) {
    const Space formed = space_of({first_factor, contraction.inputs.end()}, {}, buffers);
    flops = (contraction.factors - 1) * formed.points();
    labels.push_back(formed.labels);
  }
  return flops + loop_flops(labels, contraction.out.labels, space_of(contraction.inputs, contraction.out, buffers));
}

std::int64_t contraction_flops(const Contraction& contraction, const std::vector<Buffer>& buffers) {
  const Buffer& out = at(buffers, contraction.out.buffer);
  const std::int64_t reached = distinct_elements(out, contraction.out.labels);  // all but for a diagonal
  std::int64_t around = contraction.scale != 1 ? reached : 0;
  const bool goes_on = contraction.addend == contraction.out.buffer && contraction.addend_scale == 1;
  if (contraction.addend >= 0 && !goes_on) around += reached;
  if (contraction.addend >= 0 && contraction.addend_scale != 1) around += elements(out);
  return product_flops(contraction, buffers) + around;
}

std::int64_t combination_flops(const Combination& combination, const std::vector<Buffer>& buffers) {
  if (combination.inputs.empty()) return 0;
  const auto scaled =
      std::count_if(combination.coefficients.begin(), combination.coefficients.end(), [](double c) { return c != 1; });
  const auto additions = static_cast<std::int64_t>(combination.inputs.size()) - 1;
  return elements(at(buffers, combination.out)) * (static_cast<std::int64_t>(scaled) + additions);
}

std::int64_t elementwise_flops(const Elementwise& elementwise, const std::vector<Buffer>& buffers) {
  const Space space = space_of(elementwise.inputs, elementwise.out, buffers);
  std::int64_t per_point = space.labels.size() > elementwise.out.labels.size() ? 1 : 0;  // the sum
  for (const Elementwise::Instruction& instruction : elementwise.instructions) per_point += point_flops(instruction);
  return per_point * space.points() + (elementwise.scale != 1 ? elements(at(buffers, elementwise.out.buffer)) : 0);
}

std::int64_t solve_flops(const Solve& solve, const std::vector<Buffer>& buffers) {
  const SystemSize size = size_of(solve, buffers);
  const std::int64_t n = size.order;
  if (size.right_sides == 0) return 0;
  // Each unknown enters once: a slope for all, a new row of the factor, two substitutions. How often one leaves is not known.
  if (!operation::is_linear(solve.system)) return size.systems * size.right_sides * n * (2 * n * n + n * (n + 1) / 2 * 3);
  const std::int64_t factorization = operation::is_definite(solve.system) ? n * (n + 1) * (2 * n + 1) / 6 : 2 * n * n * n / 3;
  return size.systems * (factorization + 2 * n * n * size.right_sides);
}

std::int64_t inverse_flops(const Inverse& inverse, const std::vector<Buffer>& buffers) {
  const SystemSize size = size_of(inverse, buffers);
  return size.systems * 2 * size.order * size.order * size.order;
}

std::int64_t factorization_flops(const Factorization& f, const std::vector<Buffer>& buffers) {
  const MatrixSize size = size_of(f, buffers);
  const std::int64_t n = size.rows, m = size.columns;
  switch (f.decomposition) {
    case operation::Decomposition::cholesky: return size.matrices * (n * n * n / 3);
    case operation::Decomposition::qr: return size.matrices * 4 * n * m * m;
    case operation::Decomposition::svd: return size.matrices * 14 * n * m * std::min(n, m);
    case operation::Decomposition::eigen: return size.matrices * 9 * n * n * n;
  }
  return 0;
}

std::int64_t elementwise_bytes(const std::vector<BufferId>& inputs, BufferId out, const std::vector<Buffer>& buffers) {
  std::vector<BufferId> distinct = inputs;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::int64_t bytes = elements(at(buffers, out)) * size_of(at(buffers, out).dtype);
  for (const BufferId input : distinct) bytes += distinct_elements(at(buffers, input)) * size_of(at(buffers, input).dtype);
  return bytes;
}

}  // namespace

BufferId output_of(const Operation& operation) {
  return std::visit(Overloaded{[](const Contraction& contraction) { return contraction.out.buffer; },
                               [](const Elementwise& elementwise) { return elementwise.out.buffer; },
                               [](const auto& other) { return other.out; }},
                    operation);
}

std::vector<BufferId> inputs_of(const Operation& operation) {
  using Ids = std::vector<BufferId>;
  return std::visit(Overloaded{[](const Contraction& contraction) {
                                 Ids ids;
                                 for (const Operand& operand : contraction.inputs) ids.push_back(operand.buffer);
                                 if (contraction.addend >= 0) ids.push_back(contraction.addend);
                                 return ids;
                               },
                               [](const Elementwise& elementwise) {
                                 Ids ids;
                                 for (const Operand& operand : elementwise.inputs) ids.push_back(operand.buffer);
                                 return ids;
                               },
                               [](const Solve& solve) {
                                 return Ids{solve.matrix, solve.right};
                               },
                               []<class Other>(const Other& other) {
                                 if constexpr (requires { other.inputs; }) return other.inputs;
                                 else if constexpr (requires { other.input; }) return Ids{other.input};
                                 else return Ids{};
                               }},
                    operation);
}

void rename_buffers(Operation& operation, const std::vector<BufferId>& renamed) {
  const auto rename = [&](BufferId& id) {
    if (id >= 0) id = renamed[static_cast<std::size_t>(id)];
  };
  const auto rename_operands = [&](auto& of_operands) {
    for (Operand& operand : of_operands.inputs) rename(operand.buffer);
    rename(of_operands.out.buffer);
  };
  std::visit(Overloaded{[&](Contraction& contraction) {
                          rename_operands(contraction);
                          rename(contraction.addend);
                        },
                        [&](Elementwise& elementwise) { rename_operands(elementwise); },
                        [&](Solve& solve) { rename(solve.matrix), rename(solve.right), rename(solve.out); },
                        [&]<class Other>(Other& other) {
                          if constexpr (requires { other.inputs; }) std::for_each(other.inputs.begin(), other.inputs.end(), rename);
                          else if constexpr (requires { other.input; }) rename(other.input);
                          rename(other.out);
                        }},
             operation);
}

bool can_take_place(const Operation& operation, BufferId input, const std::vector<Buffer>& buffers) {
  const Buffer &from = at(buffers, input), &to = at(buffers, output_of(operation));
  if (from.dtype != to.dtype || from.extents != to.extents || from.strides != to.strides) return false;
  return std::visit(
      Overloaded{[&](const Contraction& contraction) {
                   return contraction.addend == input &&
                          std::none_of(contraction.inputs.begin(), contraction.inputs.end(),
                                       [&](const Operand& operand) { return operand.buffer == input; });
                 },
                 [&](const Elementwise& elementwise) {
                   const Space space = space_of(elementwise.inputs, elementwise.out, buffers);
                   return space.labels == elementwise.out.labels &&
                          std::all_of(elementwise.inputs.begin(), elementwise.inputs.end(), [&](const Operand& operand) {
                            return operand.buffer != input || operand.labels == elementwise.out.labels;
                          });
                 },
                 [](const Combination&) { return true; }, [](const Power&) { return true; }, [](const Map&) { return true; },
                 [](const auto&) { return false; }},
      operation);
}

bool share_place(BufferId a, BufferId b, const std::vector<Buffer>& buffers) {
  const Buffer &first = at(buffers, a), &second = at(buffers, b);
  if (a == b) return true;
  return first.offset == second.offset && std::find(first.overlaps.begin(), first.overlaps.end(), b) != first.overlaps.end();
}

std::int64_t Space::points() const { return product(extents, 0, extents.size()); }

std::int64_t Space::extent(einsum::Label label) const {
  const auto known = std::find(labels.begin(), labels.end(), label);
  TYTO_ASSERT(known != labels.end());
  return extents[static_cast<std::size_t>(known - labels.begin())];
}

Space space_of(const std::vector<Operand>& inputs, const Operand& out, const std::vector<Buffer>& buffers) {
  Space space;
  const auto note = [&](const Operand& operand) {
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      const Buffer& buffer = at(buffers, operand.buffer);
      TYTO_ASSERT(operand.labels.size() == buffer.extents.size());
      if (einsum::contains(space.labels, operand.labels[axis])) continue;
      space.labels.push_back(operand.labels[axis]);
      space.extents.push_back(buffer.extents[axis]);
    }
  };
  note(out);
  std::for_each(inputs.begin(), inputs.end(), note);
  return space;
}

std::int64_t point_flops(const Elementwise::Instruction& instruction) {
  const auto arguments = static_cast<std::int64_t>(instruction.arguments.size());
  switch (instruction.kind) {
    case Elementwise::Kind::product: return arguments - 1;
    case Elementwise::Kind::power:
    case Elementwise::Kind::function: return 1;
    case Elementwise::Kind::combination: break;
  }
  const std::vector<double>& c = instruction.coefficients;
  const auto scaled = std::count_if(c.begin(), c.end(), [](double x) { return x != 1; });
  return scaled + std::max<std::int64_t>(arguments - 1, 0) + (arguments > 0 && instruction.constant != 0 ? 1 : 0);
}

std::int64_t flops_of(const Operation& operation, const std::vector<Buffer>& buffers) {
  const auto read = [&](BufferId input) { return elements(at(buffers, input)); };
  const std::int64_t flops = std::visit(
      Overloaded{[&](const Contraction& contraction) { return contraction_flops(contraction, buffers); },
                 [&](const Elementwise& elementwise) { return elementwise_flops(elementwise, buffers); },
                 [&](const Combination& combination) { return combination_flops(combination, buffers); },
                 [&](const Power& power) { return elements(at(buffers, power.out)); },
                 [&](const Solve& solve) { return solve_flops(solve, buffers); },
                 [&](const Inverse& inverse) { return inverse_flops(inverse, buffers); },
                 [&](const Map& map) { return read(map.inputs.front()); }, [&](const LogSumExp& l) { return read(l.input); },
                 [&](const Softmax& s) { return read(s.input); }, [&](const Reciprocal& r) { return elements(at(buffers, r.out)); },
                 [&](const Factorization& f) { return factorization_flops(f, buffers); },
                 [](const auto&) { return std::int64_t{0}; }},  // constants, and what only moves elements
      operation);
  return is_complex(at(buffers, output_of(operation)).dtype) ? 4 * flops : flops;
}

std::int64_t bytes_of(const Operation& operation, const std::vector<Buffer>& buffers) {
  if (const Contraction* contraction = std::get_if<Contraction>(&operation)) return contraction_bytes(*contraction, buffers);
  if (const Elementwise* elementwise = std::get_if<Elementwise>(&operation))
    return operand_bytes(elementwise->inputs, elementwise->out.buffer, buffers);
  if (std::holds_alternative<Slice>(operation) || std::holds_alternative<Part>(operation)) {
    const Buffer& out = at(buffers, output_of(operation));
    return 2 * elements(out) * size_of(out.dtype);
  }
  return elementwise_bytes(inputs_of(operation), output_of(operation), buffers);
}

MatrixSize size_of(const Factorization& f, const std::vector<Buffer>& buffers) {
  const Extents& in = at(buffers, f.input).extents;
  TYTO_ASSERT(in.size() >= 2);
  return {in[in.size() - 2], in.back(), product(in, 0, in.size() - 2)};
}

std::vector<std::int64_t> part_sizes(operation::Decomposition decomposition, std::int64_t n, std::int64_t m) {
  const std::int64_t k = std::min(n, m);
  switch (decomposition) {
    case operation::Decomposition::cholesky: return {n * n};
    case operation::Decomposition::qr: return {n * k, k * m};
    case operation::Decomposition::svd: return {n * k, k, m * k};
    case operation::Decomposition::eigen: return {n, n * n};
  }
  return {};
}

SystemSize size_of(const Solve& solve, const std::vector<Buffer>& buffers) {
  const Extents& matrix = at(buffers, solve.matrix).extents;
  const Extents& right = at(buffers, solve.right).extents;
  const auto batch = static_cast<std::size_t>(solve.batch);
  const auto rows_end = static_cast<std::size_t>(solve.batch + solve.rows);
  TYTO_ASSERT(matrix.size() >= rows_end && right.size() >= rows_end);
  const SystemSize size{product(matrix, batch, rows_end), product(right, rows_end, right.size()), product(matrix, 0, batch)};
  TYTO_ASSERT(product(matrix, rows_end, matrix.size()) == size.order);
  return size;
}

SystemSize size_of(const Inverse& inverse, const std::vector<Buffer>& buffers) {
  const Extents& input = at(buffers, inverse.input).extents;
  const auto batch = static_cast<std::size_t>(inverse.batch);
  const auto rows_end = static_cast<std::size_t>(inverse.batch + inverse.rows);
  TYTO_ASSERT(input.size() >= rows_end);
  const SystemSize size{product(input, batch, rows_end), 0, product(input, 0, batch)};
  TYTO_ASSERT(product(input, rows_end, input.size()) == size.order);
  return size;
}

}  // namespace tyto::program
