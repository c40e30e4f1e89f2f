#pragma once
/// What the names of an objective stand for, and whether they are used as what they are.
#include <optional>
#include "language/objective.hpp"

namespace tyto::language {

enum class Meaning {
  data,
  weights,  ///< NAME.weights: mask times weights of the data NAME, 1 where the user gives none
  unknown,
  definition,
  ones,      ///< ones[i,j]: 1 everywhere
  identity,  ///< identity[i,j]: 1 where i = j, else 0
};

struct Symbol {
  Meaning meaning = Meaning::data;
  int order = -1;                             ///< how many labels it takes; negative: any number, or not known yet
  std::optional<double> number = {};          ///< of a definition that is one
  std::optional<std::string> first_use = {};  ///< as it was written
};

/// Everything that may be named, in the order in which it was given.
class Vocabulary {
 public:
  Vocabulary(const Statement&, const std::vector<Input>&);
  const Symbol* find(const std::string& name) const;
  Symbol* find(const std::string& name);
  void define(const std::string& name, Symbol);
  const Names& names() const { return names_; }  ///< of tensors, as a message lists them

 private:
  std::map<std::string, Symbol> symbols_;
  Names names_;
};

/// The number that an expression without tensors stands for.
std::optional<double> number_of(const Node&, const Vocabulary&);

/// Checks names, numbers of labels and of arguments, letter case, and that nothing declared is left unused. Fills in `axes`.
std::vector<Finding> check_names(Objective&, const std::vector<Input>&);

}  // namespace tyto::language
