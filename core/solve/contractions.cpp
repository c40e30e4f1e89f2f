#include "solve/contractions.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "execute/arenas.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

namespace {

/// Loaded programs that nobody is using keep their memory up to what the caches hold; beyond, the ones not used for longest go, and
/// their memory waits for the next: loading a program again costs less than fresh pages.
constexpr std::int64_t most_bytes = std::int64_t{32} << 20, most_idle_bytes = std::int64_t{256} << 20;
constexpr std::size_t most_entries = 2000;

}  // namespace

LoadedContraction::LoadedContraction(const program::PlannedContraction& plan, std::unique_ptr<execute::Instance> instance)
    : plan_(plan), evaluation_(plan.program, std::move(instance)) {}

void LoadedContraction::bind(std::size_t operand, const ConstArray& a) {
  const program::LeafId leaf = plan_.leaves[operand];
  if (leaf >= 0) evaluation_.bind(leaf, Array(const_cast<void*>(a.data), a.dtype, a.extents, a.strides));
}

ConstArray LoadedContraction::run() { return permuted(evaluation_.run(0), plan_.axes); }

Contractions::Contractions(program::PlanSource& plans, const execute::Executor& executor, execute::Options options)
    : plans_(plans), executor_(executor), options_(std::move(options)) {
  options_.arenas = std::make_shared<execute::Arenas>(most_idle_bytes);
}

std::shared_ptr<LoadedContraction> Contractions::loaded(const program::ContractionRequest& request) {
  Entry& entry = entries_[key_of(request)];
  entry.last_use = ++now_;
  if (entry.loaded && entry.loaded.use_count() == 1) return entry.loaded;
  const program::PlannedContraction& plan = plans_.plan(request);
  // Somebody has bound operands to the one that is known: another one, which nobody else will get.
  if (entry.loaded) return std::make_shared<LoadedContraction>(plan, executor_.load(plan.program, options_));
  entry.loaded = std::make_shared<LoadedContraction>(plan, executor_.load(plan.program, options_));
  bytes_ += entry.loaded->arena_bytes();
  std::shared_ptr<LoadedContraction> result = entry.loaded;
  make_room();
  return result;
}

void Contractions::make_room() {
  while (bytes_ > most_bytes || entries_.size() > most_entries) {
    auto oldest = entries_.end();
    for (auto at = entries_.begin(); at != entries_.end(); ++at)
      if (at->second.loaded.use_count() == 1 && (oldest == entries_.end() || at->second.last_use < oldest->second.last_use))
        oldest = at;
    if (oldest == entries_.end()) return;
    bytes_ -= oldest->second.loaded->arena_bytes();
    entries_.erase(oldest);
  }
}

std::string key_of(const program::ContractionRequest& r) {
  std::string key;
  for (std::size_t k = 0; k < r.operands.size(); ++k)
    key += fmt::format("{}{}x{}({})", name_of(r.operands[k].dtype), r.operands[k].is_conjugated ? "*" : "", r.operands[k].changes,
                       fmt::join(r.subscripts.inputs[k], ","));
  return key + fmt::format("->({})[{}]", fmt::join(r.subscripts.output, ","), fmt::join(r.extents, ","));
}

}  // namespace tyto::solve
