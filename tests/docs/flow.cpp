// Prints the parts of docs/guide/how-it-works.md that are made by the core: check_docs.py compares.
#include <cstdio>
#include <string>

#include "graph/text.hpp"
#include "optimize/pipeline.hpp"
#include "tyto/derivative.hpp"

using namespace tyto::v1;

namespace {

struct Example {
  Index i{"i", 50}, j{"j", 60}, k{"k", 70}, r{"r", 16};
  Expr x = tensor("X", {i, j, k}), a = tensor("A", {i, r}), b = tensor("B", {j, r}), c = tensor("C", {k, r});
  Expr f = 0.5 * norm2(x - tyto::v1::einsum({a, b, c}, {i, j, k}));
};

std::string optimized_text(const Expr& e) {
  const tyto::graph::Graph graph{e.store(), {{"value", e.id()}}};
  return tyto::graph::print(tyto::optimize::optimize(graph, {}, {}).graph);
}

std::string text_of(const std::string& part) {
  const Example e;
  if (part == "objective") return e.f.text() + "\n";
  if (part == "gradient") return tyto::graph::print({e.f.store(), {{"value", gradient(e.f, e.a).id()}}});
  if (part == "optimized-gradient") return optimized_text(gradient(e.f, e.a));
  if (part == "optimized-hessian") return optimized_text(hessian(e.f, e.a));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string text = argc == 2 ? text_of(argv[1]) : "";
  std::fputs(text.c_str(), stdout);
  return text.empty() ? 2 : 0;
}
