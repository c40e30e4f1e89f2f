#pragma once
/// Random numbers for the leaves of a graph, such as its facts allow, and graphs evaluated on them by the executor that defines the
/// right answer.
#include <complex>
#include <cstdint>
#include <map>
#include "graph/graph.hpp"
#include "tensor/dense.hpp"

namespace tyto::verify {

/// What real leaves are drawn from: everything between -1 and 1, or only what logarithms and roots take.
enum class Domain : std::int8_t { any, positive };

/// Values of leaves by identity; weights are positive. Symmetric leaves are symmetric; orthonormal ones have orthonormal columns.
class Sample {
 public:
  Sample(const graph::Graph&, std::uint64_t seed, Domain);
  const tensor::Dense& of(const graph::Leaf&) const;

 private:
  std::map<std::shared_ptr<const char>, tensor::Dense> values_;
};

/// Changes row-major f64 or c128 values as little as makes the facts true of them.
void apply_facts(const Array& values, const graph::LeafFacts&);

using Numbers = std::vector<std::complex<double>>;
/// The outputs of the graph, row-major by their axes. No pass is run.
std::vector<Numbers> values_of(const graph::Graph&, const Sample&);

}  // namespace tyto::verify
