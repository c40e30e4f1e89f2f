#pragma once
/// What the planner may ask about this machine's processor. Answers come from the same plans that run later.
#include "device/model.hpp"
#include "execute/cpu/rates.hpp"

namespace tyto::execute::cpu {

class CpuModel final : public device::Model {
 public:
  explicit CpuModel(Rates rates) : rates_(std::move(rates)) {}
  std::optional<std::string> refuses(const program::Operation&, const std::vector<program::Buffer>&) const override;
  double seconds(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::int64_t scratch_bytes(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::string kernel_class(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::int64_t near_bytes() const override { return static_cast<std::int64_t>(rates_.second_level.size); }
  double seconds(const program::Slabs&, const std::vector<program::Step>&, const std::vector<program::Buffer>&) const override;
  std::int64_t scratch_bytes(const program::Slabs&, const std::vector<program::Step>&,
                             const std::vector<program::Buffer>&) const override;
  std::optional<device::Alternative> runner_up(const program::Operation&, const std::vector<program::Buffer>&) const override;
  std::int64_t memory_bytes() const override;
  std::string source() const override { return rates_.source; }
  const Rates& rates() const { return rates_; }

 private:
  double streaming_seconds(const program::Operation&, const std::vector<program::Buffer>&) const;
  double elementwise_seconds(const program::Operation&, const std::vector<program::Buffer>&) const;
  double strided_seconds(const program::Operation&, const std::vector<program::Buffer>&) const;
  double system_seconds(const program::Operation&, const std::vector<program::Buffer>&, const program::SystemSize&) const;
  Rates rates_;
};

}  // namespace tyto::execute::cpu
