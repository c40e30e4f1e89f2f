#pragma once
/// An expression as it was written: names, labels and signs, each with its place. It knows no tensors and makes no Expr.
#include "language/source.hpp"

namespace tyto::language {

using Names = std::vector<std::string>;

struct Label {
  std::string name = {};
  Span span = {};
};

enum class Kind {
  number,
  tensor,    ///< name[labels], or a name alone
  sum,       ///< operands[0] +- operands[1] ...; the first one is never subtracted
  product,   ///< operands[0] */ operands[1] ...: flat, so that a*(b*c) is one product; -a is -1 * a
  power,     ///< operands[0] ^ operands[1]
  call,      ///< name[labels](operands)
  labelled,  ///< (operands[0])[labels]
};

struct Node {
  Kind kind = Kind::number;
  Span span = {};  ///< all of it, without parentheses around it
  double number = 0;
  std::string name = {};  ///< of a tensor or function
  bool has_brackets = false;
  std::vector<Label> labels = {};  ///< in the brackets
  std::vector<Node> operands = {};
  std::vector<char> is_opposite = {};  ///< for each operand of a sum, whether it is subtracted; of a product, divided by

  // What labels.cpp finds. A label that is repeated in a product may be summed or not; the surroundings decide.
  Names must = {};    ///< labels that the value has in any case
  Names may = {};     ///< labels that it can have
  Names summed = {};  ///< labels that are summed within although nothing there says so
  Names result = {};  ///< labels that it has
  bool is_scalar() const { return must.empty() && may.empty(); }
};

/// "i,j,k"
std::string listed(const std::vector<Label>&);
std::string listed_names(const Names&);
bool contains(const Names&, const std::string&);
/// Appends what is not there yet.
void unite(Names&, const Names&);

}  // namespace tyto::language
