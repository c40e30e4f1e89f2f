#pragma once
/// What a sweep over trains asks of a planner, from the extents of bonds alone: the requests are made by the code that makes those
/// of the run, so they are the very ones once its bonds have these extents.
#include "solve/local_products.hpp"
#include "solve/recording.hpp"

namespace tyto::solve {

/// A request under the names by which people know its operands and labels.
struct NamedRequest {
  program::ContractionRequest request;
  std::vector<std::string> operands;  ///< "L" and "R" for messages from both ends, "theta" for a block, "H", "psi"
  std::vector<std::string> labels;    ///< by label of the request: a, b, ... bonds of trains, s, t, ... sites, w, x, ... others; a
                                      ///< prime says that only the bra has it
  std::string kinds;                  ///< by label: D a bond of a train, d a site, w another
  std::string result;                 ///< "L", "R" or "H theta"
};

/// One eigenproblem, and the split that follows it.
struct BlockForecast {
  std::int32_t objective = -1;
  Block block;
  Krylov krylov;
  std::vector<NamedRequest> products;  ///< theta -> d form / d conj(theta), by form
  std::vector<NamedRequest> messages;  ///< made since the block before
  std::vector<NamedRequest> overlaps;  ///< with states of which the eigenvector is to have no part
  bool is_split = false;
  Weight to = Weight::right;
  Truncation cut;
  std::int64_t rows = 0, columns = 0, kept = 0;  ///< of the matrix that is split
  std::vector<NamedRequest> directions;          ///< by form, where noise is mixed in: opened on the side that is kept
};

struct SweepForecast {
  std::vector<BlockForecast> blocks;  ///< in the order of the sweep
  std::int64_t message_bytes = 0;     ///< the most that messages take at a time, those that values of networks need included
  std::int64_t core_bytes = 0;
  std::int64_t largest_bond = 0;
};

/// `sweep` as recorded_cycle() gives it. Bonds are as large as its splits allow, and as what lies on either side can fill.
SweepForecast forecast(const Setup&, const std::vector<Recorded>& sweep);

}  // namespace tyto::solve
