#include "solve/messages.hpp"
#include <algorithm>
#include <limits>
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

std::complex<double> number(const ConstArray& a) {
  const tensor::Dense copy = tensor::Dense::copy(a, Dtype::c128);
  return *copy.view().as<std::complex<double>>();
}

}  // namespace

Messages::Messages(const Setup& setup, const State& state, Contractions& contractions)
    : state_(state), contractions_(contractions), networks_(setup.networks), readers_(setup.tensors.size()) {
  for (const Network& network : networks_) {
    left_.push_back(chain(network, true));
    right_.push_back(chain(network, false));
  }
}

Messages::Chain Messages::chain(const Network& network, bool from_left) {
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
    Message message{.before = result.messages.back(), .operands = site(taken - 1)};
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
    after_.emplace_back();
    if (message.before >= 0) after_[static_cast<std::size_t>(message.before)].push_back(at->second);
    messages_.push_back(std::move(message));
  }
  return result;
}

void Messages::changed(std::int32_t tensor) {
  std::vector<std::int32_t> spoilt = readers_[static_cast<std::size_t>(tensor)];
  while (!spoilt.empty()) {
    const auto id = static_cast<std::size_t>(spoilt.back());
    spoilt.pop_back();
    if (!messages_[id].is_current) continue;  // then none made from it is current
    messages_[id].is_current = false;
    messages_[id].values = {};  // a sweep spoils most of them: what is not needed takes no memory
    spoilt.insert(spoilt.end(), after_[id].begin(), after_[id].end());
  }
}

void Messages::update(std::int32_t id) {
  std::vector<std::int32_t> needed;
  for (; id >= 0 && !messages_[static_cast<std::size_t>(id)].is_current; id = messages_[static_cast<std::size_t>(id)].before)
    needed.push_back(id);
  for (auto at = needed.rbegin(); at != needed.rend(); ++at) {
    Message& message = messages_[static_cast<std::size_t>(*at)];
    std::vector<Factor> factors;
    if (message.before >= 0) {
      const Message& before = messages_[static_cast<std::size_t>(message.before)];
      factors.push_back({before.values.view(), before.labels});
    }
    for (const Network::Operand& o : message.operands) factors.push_back({state_.array(o.tensor), o.labels, o.is_conjugated});
    message.values = contracted(contractions_, factors, message.labels);
    message.is_current = true;
    ++updates_;
  }
}

MessageView Messages::view(const Chain& chain, std::size_t sites) {
  if (sites == 0) return {};
  update(chain.messages[sites]);
  return {&messages_[static_cast<std::size_t>(chain.messages[sites])].values, chain.labels[sites]};
}

MessageView Messages::left(std::int32_t network, std::size_t cut) { return view(left_[static_cast<std::size_t>(network)], cut); }
MessageView Messages::right(std::int32_t network, std::size_t cut) {
  const auto n = static_cast<std::size_t>(network);
  return view(right_[n], networks_[n].sites.size() - cut);
}

std::size_t Messages::stale(const Chain& chain, std::size_t sites) const {
  std::size_t count = 0;
  for (; sites > 0 && !messages_[static_cast<std::size_t>(chain.messages[sites])].is_current; --sites) ++count;
  return count;
}

std::complex<double> Messages::value(std::int32_t network) {
  const auto n = static_cast<std::size_t>(network);
  const std::size_t count = networks_[n].sites.size();
  std::size_t best = 0, least = std::numeric_limits<std::size_t>::max();
  for (std::size_t cut = 0; cut <= count; ++cut) {
    const std::size_t needed = stale(left_[n], cut) + stale(right_[n], count - cut);
    if (needed < least) best = cut, least = needed;
  }
  std::vector<Factor> factors;
  for (const MessageView& view : {left(network, best), right(network, best)})
    if (view.values != nullptr) factors.push_back({view.values->view(), view.labels});
  return networks_[n].coefficient * number(contracted(contractions_, factors, {}).view());
}

program::ContractionRequest request_of(const std::vector<Factor>& factors, const einsum::Labels& output) {
  program::ContractionRequest request;
  for (const Factor& f : factors) {
    request.subscripts.inputs.push_back(f.labels);
    request.operands.push_back({f.values.dtype, f.is_conjugated, f.changes});
  }
  request.subscripts.output = output;
  std::map<einsum::Label, einsum::Label> number;
  for (std::size_t k = 0; k < factors.size(); ++k)
    for (std::size_t axis = 0; axis < factors[k].labels.size(); ++axis) {
      const auto [at, is_new] = number.try_emplace(factors[k].labels[axis], static_cast<einsum::Label>(number.size()));
      if (is_new) request.extents.push_back(factors[k].values.extents[axis]);
      TYTO_ASSERT(request.extents[static_cast<std::size_t>(at->second)] == factors[k].values.extents[axis]);
      request.subscripts.inputs[k][axis] = at->second;
    }
  for (einsum::Label& label : request.subscripts.output) label = number.at(label);
  return request;
}

tensor::Dense contracted(Contractions& contractions, const std::vector<Factor>& factors, const einsum::Labels& output) {
  const std::shared_ptr<LoadedContraction> loaded = contractions.loaded(request_of(factors, output));
  for (std::size_t k = 0; k < factors.size(); ++k) loaded->bind(k, factors[k].values);
  return tensor::Dense::copy(loaded->run());
}

}  // namespace tyto::solve
