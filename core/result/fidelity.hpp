#pragma once
/// How near two states are that are given as trains of tensors.
#include "tensor/dense.hpp"
#include <vector>

namespace tyto::result {

/// |<a|b>| / (|a| |b|) of two trains A_k(l,s,r), B_k(l',s,r') of as many sites, with the same extents of s at each and outer bonds
/// of 1; real or complex. E(r,r') = sum over l,l',s of conj(A_k(l,s,r)) E(l,l') B_k(l',s,r'), site by site: no more memory than two
/// bonds. 0 where one of them is 0; norms may lie outside the range of a double.
double fidelity(const std::vector<tensor::Dense>& a, const std::vector<tensor::Dense>& b);

}  // namespace tyto::result
