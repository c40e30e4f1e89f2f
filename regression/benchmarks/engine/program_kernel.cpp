#include "program_kernel.hpp"

namespace tyto::benchmarks {

namespace {

CompileOptions options_of(const Arguments& arguments) {
  const Dtype type = arguments.dtype();
  return {.precision = type == Dtype::f32 || type == Dtype::c64 ? Dtype::f32 : Dtype::f64,
          .memory_limit = arguments.has("memory") ? arguments.integer("memory") : 0,
          .switched_off = arguments.switched_off()};
}

/// A plan made badly on purpose may take days.
void require_affordable(const Program& program, const Arguments& arguments) {
  const std::int64_t flops = program.forecast().flops;
  if (arguments.has("flops") && flops > arguments.integer("flops"))
    throw Error({.code = Code::out_of_range,
                 .what = "a kernel takes too long",
                 .expected = "at most " + arguments.text("flops") + " flops",
                 .found = std::to_string(flops)});
}

Extents extents_of(const Expr& e) {
  Extents extents;
  for (const Index& label : e.shape()) extents.push_back(label.extent());
  return extents;
}

/// Binds an array, if the program has the leaf: a kernel of squares, say, may not depend on all that its problem has.
bool bind_if_used(Program& program, const Leaf& leaf, const ConstArray& array) {
  try {
    program.bind(leaf.leaf, array, leaf.changes);
    return true;
  } catch (const Error& error) {
    if (error.findings().front().code != Code::label) throw;
    return false;
  }
}

}  // namespace

ProgramKernel::ProgramKernel(const Exprs& outputs, const std::vector<Leaf>& leaves, const Arguments& arguments)
    : outputs_(outputs.size()), program_(outputs, options_of(arguments)) {
  require_affordable(program_, arguments);
  values_.reserve(leaves.size());
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    values_.emplace_back(k, arguments.dtype(), extents_of(leaves[k].leaf), leaves[k].scale);
    if (!bind_if_used(program_, leaves[k], values_.back().view())) values_.back() = Values(k, arguments.dtype(), {0});
  }
  program_.run();  // compiles for what is bound
}

double ProgramKernel::seconds(int repetitions) {
  const double start = processor_seconds();
  for (int k = 0; k < repetitions; ++k) program_.run();
  return processor_seconds() - start;
}

Digest ProgramKernel::digest() {
  Digest digest;
  for (std::size_t n = 0; n < outputs_; ++n) digest.add(program_.output(n), n);
  return digest;
}

std::vector<std::pair<std::string, double>> ProgramKernel::facts() {
  return {{"forecast flops", static_cast<double>(program_.forecast().flops)}};
}

}  // namespace tyto::benchmarks
