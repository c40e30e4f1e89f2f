#pragma once
/// What a sweep over trains does, as text that people read: contractions that are planned while a solve runs, step by step with
/// what they cost, for blocks that are alike once. Stable, as plan_text.
#include <memory>
#include "device/model.hpp"
#include "program/program.hpp"

namespace tyto::explain {

/// A planned contraction under the names by which people know its operands and labels.
struct NamedContraction {
  std::shared_ptr<const program::Program> program;
  std::vector<program::LeafId> leaves;  ///< by operand; -1: not read
  std::vector<std::string> operands;    ///< "L", "theta", ...
  std::vector<std::string> labels;      ///< by label, which axes of the program are called after: "m0", "m1", ...
  std::string kinds;                    ///< by label, the letter of its extent in formulas of costs: D, d, w
  std::string result;
};

/// One block of a train: the messages that are renewed for it, its eigenproblem, its split.
struct TrainBlock {
  std::int64_t first = 0, count = 1;  ///< sites, from 0
  Extents extents;
  bool is_complex = false;
  std::vector<NamedContraction> messages, products, overlaps, directions;
  std::int64_t most_products = 0;
  std::int64_t rows = 0, columns = 0, kept = 0;  ///< of the matrix that is split; 0: it is not
  bool by_density = false, keeps_left = true;
};

/// Blocks in the order of a sweep, and from which sweep on they are like this.
struct TrainSweep {
  std::int64_t sweep = 1;
  std::int64_t largest_bond = 0;
  std::vector<TrainBlock> blocks;
};

struct TrainSubject {
  std::string train;  ///< by name
  std::int64_t sites = 0;
  std::vector<std::string> networks;  ///< whose sum is minimized over the norm: "<psi|H|psi>"
  std::int64_t counted_on = 0;        ///< products of an eigenproblem, by which it was decided what is contracted once
  std::vector<TrainSweep> sweeps;     ///< the first and, where a schedule changes it, the last
  const device::Model* device = nullptr;
  std::vector<std::string> notes;  ///< eigensolver, memory
};

std::string train_text(const TrainSubject&);

/// Flops of factoring a block, by the formulas of program::flops_of: an SVD, or where noise is mixed in, the density matrix of the
/// block and of what the forms make of it, its eigenvectors, the other factor and its singular values.
std::int64_t split_flops(const TrainBlock&);

}  // namespace tyto::explain
