#include "verify/sample.hpp"
#include <algorithm>
#include <cmath>
#include <random>
#include "execute/evaluation.hpp"
#include "execute/reference/executor.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"

namespace tyto::verify {
namespace {

using Complex = std::complex<double>;

/// Calls body(index, offset) for every element of a row-major tensor.
template <class Body>
void for_each(const Extents& extents, Body&& body) {
  Extents index(extents.size(), 0);
  const std::int64_t count = element_count(extents);
  for (std::int64_t offset = 0; offset < count; ++offset) {
    body(index, offset);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      if (++index[axis] < extents[axis]) break;
      index[axis] = 0;
    }
  }
}

std::int64_t offset_of(const Extents& index, const Extents& extents) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) offset = offset * extents[axis] + index[axis];
  return offset;
}

/// Every element as the one whose indices along a group of exchangeable axes are sorted.
template <class T>
void make_symmetric(T* values, const Extents& extents, const std::vector<std::int32_t>& group) {
  for_each(extents, [&](const Extents& index, std::int64_t offset) {
    Extents along;
    for (const std::int32_t axis : group) along.push_back(index[static_cast<std::size_t>(axis)]);
    std::sort(along.begin(), along.end());
    Extents sorted = index;
    for (std::size_t k = 0; k < group.size(); ++k) sorted[static_cast<std::size_t>(group[k])] = along[k];
    values[offset] = values[offset_of(sorted, extents)];
  });
}

/// Gram-Schmidt over the vectors that the orthonormal axes number. More vectors than they have entries stay as they are.
template <class T>
void make_orthonormal(T* values, const Extents& extents, const std::vector<std::int32_t>& axes) {
  std::map<Extents, std::vector<std::int64_t>> vectors;  // by index along `axes`: offsets of the entries
  for_each(extents, [&](const Extents& index, std::int64_t offset) {
    Extents number;
    for (const std::int32_t axis : axes) number.push_back(index[static_cast<std::size_t>(axis)]);
    vectors[number].push_back(offset);
  });
  if (vectors.empty() || vectors.size() > vectors.begin()->second.size()) return;
  for (auto it = vectors.begin(); it != vectors.end(); ++it) {
    const std::vector<std::int64_t>& own = it->second;
    for (int round = 0; round < 2; ++round)
      for (auto before = vectors.begin(); before != it; ++before) {
        Complex overlap = 0;
        for (std::size_t e = 0; e < own.size(); ++e)
          overlap += std::conj(Complex(values[before->second[e]])) * Complex(values[own[e]]);
        for (std::size_t e = 0; e < own.size(); ++e) {
          const Complex rest = Complex(values[own[e]]) - overlap * Complex(values[before->second[e]]);
          if constexpr (std::is_same_v<T, double>) values[own[e]] = rest.real();
          else values[own[e]] = rest;
        }
      }
    double norm = 0;
    for (const std::int64_t offset : own) norm += std::norm(Complex(values[offset]));
    for (const std::int64_t offset : own) values[offset] /= std::sqrt(norm);
  }
}

template <class T>
void make_true(T* values, const Extents& extents, const graph::LeafFacts& facts) {
  for (const std::vector<std::int32_t>& group : facts.symmetric) make_symmetric(values, extents, group);
  if (!facts.orthonormal.empty()) make_orthonormal(values, extents, facts.orthonormal);
}

}  // namespace

void apply_facts(const Array& values, const graph::LeafFacts& facts) {
  if (values.dtype == Dtype::c128) make_true(values.as<Complex>(), values.extents, facts);
  else make_true(values.as<double>(), values.extents, facts);
}

Sample::Sample(const graph::Graph& graph, std::uint64_t seed, Domain domain) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  for (const graph::NodeId id : reachable(graph)) {
    const auto* leaf = graph::as<graph::Leaf>((*graph.store)[id]);
    if (leaf == nullptr) continue;
    const Extents extents = graph.store->extents(id);
    const bool is_complex = leaf->field == Field::complex,
               is_positive = domain == Domain::positive || leaf->role == graph::Role::weights;
    const auto number = [&] { return is_positive ? 0.5 + uniform() : 2 * uniform() - 1; };
    tensor::Dense values = tensor::Dense::zeros(is_complex ? Dtype::c128 : Dtype::f64, extents);
    if (is_complex) {
      auto* first = values.view().as<Complex>();
      for (std::int64_t k = 0; k < values.size(); ++k) {
        const double re = number();  // two calls in one expression have no order
        first[k] = Complex(re, 2 * uniform() - 1);
      }
    } else {
      auto* first = values.view().as<double>();
      for (std::int64_t k = 0; k < values.size(); ++k) first[k] = number();
    }
    apply_facts(values.view(), leaf->facts);
    values_.emplace(leaf->identity, std::move(values));
  }
}

const tensor::Dense& Sample::of(const graph::Leaf& leaf) const { return values_.at(leaf.identity); }

std::vector<Numbers> values_of(const graph::Graph& graph, const Sample& sample) {
  const auto executor = execute::reference::make_executor();
  const plan::Plan plan = plan::make_plan(graph, executor->model(), {.switched_off = plan::fusion_names()});
  execute::Evaluation evaluation(plan.program, executor->load(plan.program, {}));
  std::vector<tensor::Dense> memory;
  memory.reserve(plan.leaves.size());
  for (std::size_t k = 0; k < plan.leaves.size(); ++k) {
    memory.push_back(sample.of(*graph::as<graph::Leaf>((*graph.store)[plan.leaves[k]])));
    evaluation.bind(static_cast<program::LeafId>(k), memory.back().view());
  }
  std::vector<Numbers> all;
  for (const plan::Output& output : plan.outputs) {
    const ConstArray& value = evaluation.run(output.kernel);
    ConstArray in_order = value;
    for (std::size_t axis = 0; axis < output.axes.size(); ++axis) {
      in_order.extents[axis] = value.extents[static_cast<std::size_t>(output.axes[axis])];
      in_order.strides[axis] = value.strides[static_cast<std::size_t>(output.axes[axis])];
    }
    const tensor::Dense copy = tensor::Dense::copy(in_order, Dtype::c128);
    const auto* first = copy.view().as<Complex>();
    all.emplace_back(first, first + copy.size());
  }
  return all;
}

}  // namespace tyto::verify
