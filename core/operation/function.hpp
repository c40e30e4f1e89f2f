#pragma once
/// Elementwise functions: what they are called and what is known of them. Graph, derivative rules and executors share this list.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tyto::operation {

enum class Function : std::int8_t {
  exp,
  log,
  sin,
  cos,
  tanh,
  sigmoid,
  relu,
  abs,
  sign,
  conj,
  real,
  imag,
  complex,  // real values as complex ones
  maximum,  // from here on of two arguments
  minimum,
  greater,
  greater_equal,
  equal,
};

const std::vector<Function>& functions();
/// "exp"
std::string name_of(Function);
std::optional<Function> function_named(const std::string&);

constexpr int argument_count(Function f) { return f >= Function::maximum ? 2 : 1; }
/// Values are real whatever the arguments are.
constexpr bool is_real(Function f) {
  return f == Function::abs || f == Function::real || f == Function::imag || f >= Function::maximum;
}
/// Has a derivative by its complex argument.
constexpr bool is_holomorphic(Function f) { return f <= Function::sigmoid; }
/// Takes complex arguments.
constexpr bool takes_complex(Function f) { return f < Function::maximum && f != Function::relu; }
/// Constant between jumps: the derivative is 0 wherever it exists.
constexpr bool is_step(Function f) { return f == Function::sign || f >= Function::greater; }

}  // namespace tyto::operation
