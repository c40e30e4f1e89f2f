#pragma once
/// The functions that an expression may call, each by its name in tyto/expr.hpp.
#include <optional>
#include <string>
#include <vector>
#include "tyto/expr.hpp"

namespace tyto::language {

/// What becomes of the labels of the arguments.
enum class Effect {
  elementwise,  ///< they stay; two arguments have the same ones
  reduction,    ///< those in brackets are gone, all of them without brackets
  softmax,      ///< those in brackets are normalized over and stay
};

struct Function {
  std::string name;
  Effect effect = Effect::elementwise;
  int arguments = 1;  ///< expressions
  int numbers = 0;    ///< that may follow them
  bool takes_labels = false;
  bool is_sum = false;  ///< a sum of sums is a sum: labels repeated in its argument are summed either way
  Expr (*apply)(const Exprs&, const Indices& over, const std::vector<double>& numbers) = nullptr;
};

const std::vector<Function>& functions();
/// Null if there is none of that name.
const Function* function_named(const std::string& name);
std::vector<std::string> function_names();

}  // namespace tyto::language
