#include "solve/message_chains.hpp"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include "error/fail.hpp"

namespace tyto::solve {

namespace {

std::string text_of(std::int32_t before, const std::vector<Network::Operand>& operands, const einsum::Labels& labels,
                    bool from_left) {
  std::string text = fmt::format("{}{}", from_left ? "L" : "R", before);
  for (const Network::Operand& o : operands)
    text += fmt::format(" {}{}({})", o.tensor, o.is_conjugated ? "*" : "", fmt::join(o.labels, ","));
  return text + fmt::format("->({})", fmt::join(labels, ","));
}

/// By network: whether an eigenproblem takes blocks out of it, one after the other.
std::vector<char> swept_networks(const Setup& setup) {
  std::vector<char> is_swept(setup.networks.size(), 0);
  for (const Objective& f : setup.objectives)
    if (f.rayleigh)
      for (const Rayleigh::Form& form : f.rayleigh->forms) is_swept[static_cast<std::size_t>(form.network)] = 1;
  for (const EigenSolve& solve : setup.eigen_solves)
    for (const EigenSolve::Overlap& overlap : solve.orthogonal_to) is_swept[static_cast<std::size_t>(overlap.network)] = 1;
  return is_swept;
}

}  // namespace

MessageChains::MessageChains(const Setup& setup) : readers_(setup.tensors.size()) {
  const std::vector<char> is_swept = swept_networks(setup);
  std::vector<int> networks_with;  // by message
  for (std::size_t n = 0; n < setup.networks.size(); ++n)
    for (std::vector<Chain>* side : {&left_, &right_}) {
      side->push_back(chain(setup.networks[n], side == &left_));
      networks_with.resize(messages_.size(), 0);
      for (const std::int32_t id : side->back().messages)
        if (id >= 0) {
          ++networks_with[static_cast<std::size_t>(id)];
          if (is_swept[n] != 0) messages_[static_cast<std::size_t>(id)].is_kept = true;
        }
    }
  for (std::size_t id = 0; id < messages_.size(); ++id)
    if (networks_with[id] > 1) messages_[id].is_kept = true;
}

MessageChains::Chain MessageChains::chain(const Network& network, bool from_left) {
  const std::size_t count = network.sites.size();
  Chain result{{-1}, {{}}};
  std::map<einsum::Label, einsum::Label> number;  // by first appearance from this end, so that equal beginnings look equal
  std::vector<einsum::Label> own;                 // the other way
  const auto site = [&](std::size_t k) -> const std::vector<Network::Operand>& {
    return network.sites[from_left ? k : count - 1 - k];
  };
  std::map<einsum::Label, std::size_t> last;  // the last site from this end that has it
  for (std::size_t k = 0; k < count; ++k)
    for (const Network::Operand& o : site(k))
      for (const einsum::Label label : o.labels) last[label] = k;
  for (std::size_t taken = 1; taken <= count; ++taken) {
    Message message{.before = result.messages.back(), .operands = site(taken - 1), .labels = {}, .from_left = from_left};
    for (Network::Operand& o : message.operands)
      for (einsum::Label& label : o.labels) {
        const auto [at, is_new] = number.try_emplace(label, static_cast<einsum::Label>(number.size()));
        if (is_new) own.push_back(label);
        label = at->second;
      }
    const auto keep = [&](einsum::Label label) {
      if (last.at(own[static_cast<std::size_t>(label)]) >= taken &&
          std::find(message.labels.begin(), message.labels.end(), label) == message.labels.end())
        message.labels.push_back(label);
    };
    if (message.before >= 0)
      for (const einsum::Label label : messages_[static_cast<std::size_t>(message.before)].labels) keep(label);
    for (const Network::Operand& o : message.operands)
      for (const einsum::Label label : o.labels) keep(label);
    result.labels.emplace_back();
    for (const einsum::Label label : message.labels) result.labels.back().push_back(own[static_cast<std::size_t>(label)]);
    const auto [at, is_new] = by_structure_.try_emplace(text_of(message.before, message.operands, message.labels, from_left),
                                                        static_cast<std::int32_t>(messages_.size()));
    result.messages.push_back(at->second);
    if (!is_new) continue;
    for (const Network::Operand& o : message.operands) readers_[static_cast<std::size_t>(o.tensor)].push_back(at->second);
    if (message.before >= 0) messages_[static_cast<std::size_t>(message.before)].after.push_back(at->second);
    messages_.push_back(std::move(message));
  }
  return result;
}

Product MessageChains::product(std::int32_t id, const ConstArray* before, const Surroundings& around) const {
  const Message& message = (*this)[id];
  Product made{{}, message.labels};
  TYTO_ASSERT((message.before >= 0) == (before != nullptr));
  if (before != nullptr)
    made.factors.push_back({.values = *before,
                            .labels = (*this)[message.before].labels,
                            .origin = message.from_left ? Factor::Origin::left : Factor::Origin::right});
  for (const Network::Operand& o : message.operands)
    made.factors.push_back(
        {.values = around.array(o.tensor), .labels = o.labels, .is_conjugated = o.is_conjugated, .tensor = o.tensor});
  return made;
}

}  // namespace tyto::solve
