#pragma once
/// Subscripts of a contraction: which axes of which operands share a label. Labels are integers without a limit; letters exist
/// only in text. This folder knows labels and extents, never tensors.
#include <cstdint>
#include <string>
#include <vector>
#include "tyto/array.hpp"

namespace tyto::einsum {

using Label = std::int32_t;
using Labels = std::vector<Label>;

/// out(output) = reduce over every label absent from `output` of combine over operands k of operand_k(inputs[k]).
/// A label repeated within one operand takes the diagonal, so it does in the output: entries off that diagonal are zero.
struct Subscripts {
  std::vector<Labels> inputs;
  Labels output;
  friend bool operator==(const Subscripts&, const Subscripts&) = default;
};

enum class Reduce : std::int8_t { sum, min, max };
enum class Combine : std::int8_t { product, sum };

/// The pair of operations of a contraction. (sum, product) is the ordinary one; passes say which pairs they accept.
struct Pair {
  Reduce reduce = Reduce::sum;
  Combine combine = Combine::product;
  friend bool operator==(const Pair&, const Pair&) = default;
};
constexpr bool is_ordinary(Pair pair) { return pair == Pair{}; }

/// "ij,jk->ik"; letters are numbered in order of appearance, "->" may be missing (numpy's rule: labels seen once, sorted).
/// Throws Error{syntax} with the column of the first character that does not fit.
Subscripts parse(const std::string& text);
/// The same for operands of known orders, which says what an ellipsis stands for: "...ij,...jk->...ik". Shorter ellipses stand for
/// the last of the axes of the longest, as in numpy; without "->" they come first. Throws Error{shape} where an operand has
/// another order than its subscripts.
Subscripts parse(const std::string& text, const std::vector<std::int32_t>& orders);
/// Letters a..z, A..Z, then {52}, {53}, ...
std::string print(const Subscripts&);

/// Largest label + 1.
std::int32_t label_count(const Subscripts&);
/// Labels renumbered by first appearance: output first, then operands in order.
Subscripts renumbered(const Subscripts&);
bool contains(const Labels&, Label);

/// What a label does in a contraction of two operands.
struct Roles {
  Labels batch;                      ///< in both operands and the output
  Labels left, right;                ///< in one operand and the output
  Labels contracted;                 ///< in both operands only
  Labels left_summed, right_summed;  ///< in one operand only
};
/// Roles in order of first appearance: batch, left and right as in the output, the others as in the operands.
Roles roles(const Subscripts& of_two);

/// Flops of one contraction of any number of operands done as one loop nest over all labels: per point one operation for each
/// operand after the first, and one for the reduction if any label is summed. Multiply 1, add 1.
std::int64_t loop_flops(const Subscripts&, const Extents& extent_of_label);

}  // namespace tyto::einsum
