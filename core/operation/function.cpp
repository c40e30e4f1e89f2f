#include "operation/function.hpp"
#include <algorithm>

namespace tyto::operation {

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      Function::exp,     Function::log,     Function::sin,     Function::cos,     Function::tanh,          Function::sigmoid,
      Function::relu,    Function::abs,     Function::sign,    Function::conj,    Function::real,          Function::imag,
      Function::complex, Function::maximum, Function::minimum, Function::greater, Function::greater_equal, Function::equal,
  };
  return all;
}

std::string name_of(Function f) {
  switch (f) {
    case Function::exp: return "exp";
    case Function::log: return "log";
    case Function::sin: return "sin";
    case Function::cos: return "cos";
    case Function::tanh: return "tanh";
    case Function::sigmoid: return "sigmoid";
    case Function::relu: return "relu";
    case Function::abs: return "abs";
    case Function::sign: return "sign";
    case Function::conj: return "conj";
    case Function::real: return "real";
    case Function::imag: return "imag";
    case Function::complex: return "complex";
    case Function::maximum: return "maximum";
    case Function::minimum: return "minimum";
    case Function::greater: return "greater";
    case Function::greater_equal: return "greater_equal";
    case Function::equal: return "equal";
  }
  return "";
}

std::optional<Function> function_named(const std::string& name) {
  const auto at = std::find_if(functions().begin(), functions().end(), [&](Function f) { return name_of(f) == name; });
  return at == functions().end() ? std::nullopt : std::optional<Function>(*at);
}

}  // namespace tyto::operation
