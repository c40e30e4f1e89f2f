#pragma once
/// What the planner may ask about this machine's processor. Answers come from the same plans that run later.
#include "device/model.hpp"

namespace tyto::execute::cpu {

class CpuModel final : public device::Model {
 public:
  std::optional<std::string> refuses(const program::Operation&, const std::vector<program::Buffer>&) const override;
  double seconds(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::int64_t scratch_bytes(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::string kernel_class(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::int64_t memory_bytes() const override;
};

}  // namespace tyto::execute::cpu
