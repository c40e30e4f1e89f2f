#pragma once
/// Starting values of unknowns: from random numbers that depend on seed, name and element only, from the data, or as given.
#include "solve/state.hpp"

namespace tyto::solve {

/// Fills every unknown by its rule, states with 0, parameters with their first value. `message` hears what a person should know
/// ("hosvd: 2 columns of A_1 filled at random"). Values are brought within the bounds of the unknown, of one that is not negative
/// by taking magnitudes.
void fill_start(const std::vector<Tensor>&, State&, std::uint64_t seed, const std::function<void(const std::string&)>& message);

/// The leading left singular vectors of the unfolding of `data` along `axis`, as an extent x count row-major matrix; at most
/// `extent` of them. See leading_basis().
std::vector<double> leading_vectors(const ConstArray& data, std::int32_t axis, std::int64_t count);

}  // namespace tyto::solve
