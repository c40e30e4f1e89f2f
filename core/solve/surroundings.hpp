#pragma once
/// What the contractions of a solve are made of: tensors at the sites of networks, and messages from both ends. With their values,
/// or as extents alone, so that a plan may be shown of what a run will ask for.
#include <optional>
#include "solve/setup.hpp"

namespace tyto::solve {

/// A factor of a contraction at solve time.
struct Factor {
  enum class Origin : std::int8_t { tensor, left, right, block };
  ConstArray values;  ///< data may be null where only a request is made of it
  einsum::Labels labels;
  bool is_conjugated = false;
  std::int64_t changes = 1;        ///< see program::ContractionRequest
  Origin origin = Origin::tensor;  ///< for people: what it is
  std::int32_t tensor = -1;        ///< of Setup, where it is one
};

/// A contraction at solve time.
struct Product {
  std::vector<Factor> factors;
  einsum::Labels output;
};
/// What is asked of a planner for it; labels are renumbered by first appearance among the factors.
program::ContractionRequest request_of(const Product&);

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  virtual ConstArray array(std::int32_t tensor) const = 0;
  /// What the sites before `cut` contract to, or those from `cut` on, under labels of the network; nothing where there are none.
  virtual std::optional<Factor> left(std::int32_t network, std::size_t cut) = 0;
  virtual std::optional<Factor> right(std::int32_t network, std::size_t cut) = 0;
};

}  // namespace tyto::solve
