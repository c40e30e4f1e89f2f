#include "language/functions.hpp"
#include <algorithm>

namespace tyto::language {

namespace {

using Numbers = std::vector<double>;

Function elementwise(const char* name, Expr (*apply)(const Exprs&, const Indices&, const Numbers&), int arguments = 1) {
  return {.name = name, .arguments = arguments, .apply = apply};
}
Function reduction(const char* name, Expr (*apply)(const Exprs&, const Indices&, const Numbers&)) {
  return {.name = name, .effect = Effect::reduction, .takes_labels = true, .apply = apply};
}

#define TYTO_ONE(function) [](const Exprs& e, const Indices&, const Numbers&) { return function(e[0]); }
#define TYTO_TWO(function) [](const Exprs& e, const Indices&, const Numbers&) { return function(e[0], e[1]); }
#define TYTO_OVER(function) [](const Exprs& e, const Indices& over, const Numbers&) { return function(e[0], over); }

Expr logarithm(const Exprs& e, const Indices&, const Numbers& base) { return base.empty() ? log(e[0]) : log(e[0], base[0]); }
Expr squared_norm(const Exprs& e, const Indices& over, const Numbers&) {
  return over.size() == e[0].shape().size() ? norm2(e[0]) : sum(square(e[0]), over);
}

std::vector<Function> table() {
  std::vector<Function> all{
      reduction("sum", TYTO_OVER(sum)),
      reduction("mean", TYTO_OVER(mean)),
      reduction("norm2", squared_norm),
      reduction("norm", TYTO_OVER(norm)),
      {.name = "inner", .effect = Effect::reduction, .arguments = 2, .apply = TYTO_TWO(inner)},
      reduction("max", TYTO_OVER(max)),
      reduction("min", TYTO_OVER(min)),
      reduction("logsumexp", TYTO_OVER(logsumexp)),
      {.name = "softmax", .effect = Effect::softmax, .takes_labels = true, .apply = TYTO_OVER(softmax)},
      elementwise("exp", TYTO_ONE(exp)),
      {.name = "log", .numbers = 1, .apply = logarithm},
      elementwise("sqrt", TYTO_ONE(sqrt)),
      elementwise("square", TYTO_ONE(square)),
      elementwise("sin", TYTO_ONE(sin)),
      elementwise("cos", TYTO_ONE(cos)),
      elementwise("tanh", TYTO_ONE(tanh)),
      elementwise("sigmoid", TYTO_ONE(sigmoid)),
      elementwise("relu", TYTO_ONE(relu)),
      elementwise("abs", TYTO_ONE(abs)),
      elementwise("sign", TYTO_ONE(sign)),
      elementwise("conj", TYTO_ONE(conj)),
      elementwise("real", TYTO_ONE(real)),
      elementwise("imag", TYTO_ONE(imag)),
      elementwise("maximum", TYTO_TWO(maximum), 2),
      elementwise("minimum", TYTO_TWO(minimum), 2),
      elementwise("greater", TYTO_TWO(greater), 2),
      elementwise("greater_equal", TYTO_TWO(greater_equal), 2),
      elementwise("equal", TYTO_TWO(equal), 2),
  };
  all.front().is_sum = true;
  return all;
}

#undef TYTO_ONE
#undef TYTO_TWO
#undef TYTO_OVER

}  // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> all = table();
  return all;
}

const Function* function_named(const std::string& name) {
  const auto& all = functions();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Function& f) { return f.name == name; });
  return at == all.end() ? nullptr : &*at;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& f : functions()) names.push_back(f.name);
  return names;
}

}  // namespace tyto::language
