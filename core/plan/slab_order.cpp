// Groups and single steps are the nodes of a graph, sorted topologically: of those that may come next, the one that came first.
#include "plan/slab_order.hpp"
#include <algorithm>
#include <set>

namespace tyto::plan {

using program::StepId;

namespace {

std::size_t at(std::int32_t id) { return static_cast<std::size_t>(id); }

/// By step: the first step of its group, itself if it is in none.
std::vector<StepId> heads_of(const program::Program& p, const std::vector<std::vector<StepId>>& groups) {
  std::vector<StepId> heads;
  for (StepId id = 0; id < static_cast<StepId>(p.steps.size()); ++id) heads.push_back(id);
  for (const std::vector<StepId>& group : groups)
    for (const StepId id : group) heads[at(id)] = group.front();
  return heads;
}

/// By buffer: the step that writes it, or -1.
std::vector<StepId> makers_of(const program::Program& p) {
  std::vector<StepId> makers(p.buffers.size(), -1);
  for (StepId id = 0; id < static_cast<StepId>(p.steps.size()); ++id)
    makers[at(program::output_of(p.steps[at(id)].operation))] = id;
  return makers;
}

}  // namespace

std::optional<std::vector<StepId>> order_with(const program::Program& p, const std::vector<std::vector<StepId>>& groups) {
  const std::vector<StepId> heads = heads_of(p, groups), makers = makers_of(p);
  std::vector<std::set<StepId>> followers(p.steps.size());
  std::vector<int> waits_for(p.steps.size(), 0);
  std::vector<std::vector<StepId>> members(p.steps.size());
  for (StepId id = 0; id < static_cast<StepId>(p.steps.size()); ++id) {
    members[at(heads[at(id)])].push_back(id);
    for (const program::BufferId input : program::inputs_of(p.steps[at(id)].operation)) {
      const StepId maker = makers[at(input)];
      if (maker < 0 || heads[at(maker)] == heads[at(id)]) continue;
      if (followers[at(heads[at(maker)])].insert(heads[at(id)]).second) ++waits_for[at(heads[at(id)])];
    }
  }
  std::set<StepId> ready;
  for (StepId id = 0; id < static_cast<StepId>(p.steps.size()); ++id)
    if (heads[at(id)] == id && waits_for[at(id)] == 0) ready.insert(id);
  std::vector<StepId> order;
  while (!ready.empty()) {
    const StepId next = *ready.begin();
    ready.erase(ready.begin());
    order.insert(order.end(), members[at(next)].begin(), members[at(next)].end());
    for (const StepId follower : followers[at(next)])
      if (--waits_for[at(follower)] == 0) ready.insert(follower);
  }
  if (order.size() != p.steps.size()) return std::nullopt;
  return order;
}

void reorder(program::Program& p, const std::vector<StepId>& order) {
  std::vector<program::Step> steps;
  std::vector<StepId> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    steps.push_back(std::move(p.steps[at(order[k])]));
    place[at(order[k])] = static_cast<StepId>(k);
  }
  p.steps = std::move(steps);
  const auto renumber = [&](std::vector<StepId>& ids) {
    for (StepId& id : ids) id = place[at(id)];
    std::sort(ids.begin(), ids.end());
  };
  renumber(p.constants);
  for (program::Kernel& kernel : p.kernels) renumber(kernel.steps);
}

}  // namespace tyto::plan
