#pragma once
/// Contractions whose extents are known when they run: planned and loaded once for each, kept as long as there is room.
#include <memory>
#include <string>
#include <unordered_map>
#include "execute/evaluation.hpp"
#include "solve/setup.hpp"
#include "tensor/dense.hpp"

namespace tyto::solve {

/// A planned contraction in an executor, with its operands bound one by one.
class LoadedContraction {
 public:
  LoadedContraction(const program::PlannedContraction&, std::unique_ptr<execute::Instance>);

  /// Uses the array in place, row-major, until it is bound anew; its values count as changed.
  void bind(std::size_t operand, const ConstArray&);
  /// The result with its axes in order, in memory of the executor, valid until the next run.
  ConstArray run();
  std::int64_t arena_bytes() const { return evaluation_.program().arena_bytes; }

 private:
  program::PlannedContraction plan_;
  execute::Evaluation evaluation_;
};

class Contractions {
 public:
  Contractions(program::PlanSource&, const execute::Executor&, execute::Options);
  /// For the caller alone, who binds all operands before it runs.
  std::shared_ptr<LoadedContraction> loaded(const program::ContractionRequest&);

 private:
  struct Entry {
    std::shared_ptr<LoadedContraction> loaded;
    std::int64_t last_use = 0;
  };
  void make_room();

  program::PlanSource& plans_;
  const execute::Executor& executor_;
  execute::Options options_;
  std::unordered_map<std::string, Entry> entries_;
  std::int64_t now_ = 0, bytes_ = 0;
};

/// A request as text: equal for equal requests.
std::string key_of(const program::ContractionRequest&);

}  // namespace tyto::solve
