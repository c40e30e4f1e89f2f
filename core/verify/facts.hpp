#pragma once
/// Whether values are what was declared of the leaf they are bound to.
#include <string>
#include <vector>
#include "graph/node.hpp"
#include "tyto/array.hpp"

namespace tyto::verify {

/// What was declared of a leaf, and the words for it.
struct Declared {
  std::string name;
  std::vector<std::string> labels;  ///< of every axis
  graph::LeafFacts facts = {};
};

/// How far a value may be from what was declared: relative to the largest magnitude of a symmetric array, absolute for the scalar
/// products of orthonormal vectors. Half the digits of the type, since values are seldom declared exactly: they were computed.
double tolerance_of(Dtype);

/// A finding (Code::contradiction) for each declared fact that is not true of the values, with the entry that is farthest from it;
/// NaN is as far as can be. symmetric: a(.., i, .., j, ..) = a(.., j, .., i, ..) in each group of axes, compared with the entry
/// whose indices ascend. orthonormal: the sum over the other axes of conj(q(.., r)) q(.., s) is 1 for r = s, else 0. Any strides,
/// host memory. Time: O(elements) for symmetry, O(elements x vectors) for orthonormality, which needs a copy of the array and one
/// matrix that is no larger.
std::vector<Finding> broken_facts(const Declared&, const ConstArray&);

}  // namespace tyto::verify
