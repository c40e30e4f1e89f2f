#include "cost/twins.hpp"
#include <algorithm>
#include <map>

namespace tyto::cost {

using einsum::Labels;

WithoutTwins without_twins(const Network& network) {
  const std::vector<Labels>& inputs = network.subscripts.inputs;
  const bool changes = !network.changes.operands.empty();
  using Key = std::pair<Labels, std::uint64_t>;     // sorted labels, and when operands change
  std::map<Key, std::vector<std::int32_t>> groups;  // members in order
  std::vector<Key> keys;                            // in order of first appearance
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    Labels key = inputs[k];
    std::sort(key.begin(), key.end());
    key.erase(std::unique(key.begin(), key.end()), key.end());
    const Key full{key, changes ? network.changes.operands[k] : 0};
    std::vector<std::int32_t>& members = groups[full];
    if (members.empty()) keys.push_back(full);
    members.push_back(static_cast<std::int32_t>(k));
  }
  WithoutTwins result{{{{}, network.subscripts.output}, network.extents, {}, {network.changes.times, {}}}, {}, {}};
  auto next = static_cast<std::int32_t>(inputs.size());
  for (const Key& key : keys) {
    const std::vector<std::int32_t>& members = groups.at(key);
    if (changes) result.network.changes.operands.push_back(key.second);
    std::int32_t value = members.front();
    for (std::size_t m = 1; m < members.size(); ++m) result.pairs.emplace_back(value, members[m]), value = next++;
    result.value.push_back(value);
    result.network.subscripts.inputs.push_back(members.size() == 1 ? inputs[static_cast<std::size_t>(value)] : key.first);
  }
  // What only twins had is summed when the last of them is multiplied.
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (result.value[k] < static_cast<std::int32_t>(inputs.size())) continue;
    std::erase_if(result.network.subscripts.inputs[k], [&](einsum::Label label) {
      bool is_needed = einsum::contains(network.subscripts.output, label);
      for (std::size_t other = 0; other < keys.size(); ++other)
        is_needed = is_needed || (other != k && einsum::contains(keys[other].first, label));
      return !is_needed;
    });
  }
  return result;
}

std::vector<std::pair<std::int32_t, std::int32_t>> with_twins(const WithoutTwins& small, std::size_t operands,
                                                              const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs) {
  std::vector<std::pair<std::int32_t, std::int32_t>> all = small.pairs;
  const auto left = static_cast<std::int32_t>(small.value.size());
  const auto first = static_cast<std::int32_t>(operands + small.pairs.size());
  const auto whole = [&](std::int32_t value) {
    return value < left ? small.value[static_cast<std::size_t>(value)] : first + value - left;
  };
  for (const auto& [a, b] : pairs) all.emplace_back(whole(a), whole(b));
  return all;
}

}  // namespace tyto::cost
