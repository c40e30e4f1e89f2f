#include "solve/messages.hpp"
#include <limits>
#include <map>
#include "error/fail.hpp"

namespace tyto::solve {

template <class Values>
MessagesOf<Values>::MessagesOf(const Setup& setup) : setup_(setup), chains_(setup), messages_(chains_.count()) {}

template <class Values>
void MessagesOf<Values>::changed(std::int32_t tensor) {
  std::vector<std::int32_t> spoilt = chains_.readers(tensor);
  while (!spoilt.empty()) {
    const std::int32_t id = spoilt.back();
    spoilt.pop_back();
    if (!message(id).is_current) continue;  // then none made from it is current
    bytes_ -= message(id).values.bytes();
    message(id) = {};  // a sweep spoils most of them: what is not needed takes no memory
    spoilt.insert(spoilt.end(), chains_[id].after.begin(), chains_[id].after.end());
  }
}

template <class Values>
Values MessagesOf<Values>::made(std::int32_t id, const Values* before) {
  ++updates_;
  const ConstArray view = before != nullptr ? before->view() : ConstArray();
  return contracted(chains_.product(id, before != nullptr ? &view : nullptr, *this));
}

template <class Values>
void MessagesOf<Values>::update(std::int32_t id) {
  std::vector<std::int32_t> needed;
  for (; id >= 0 && !message(id).is_current; id = chains_[id].before) needed.push_back(id);
  for (auto at = needed.rbegin(); at != needed.rend(); ++at) {
    const std::int32_t before = chains_[*at].before;
    message(*at) = {true, made(*at, before >= 0 ? &message(before).values : nullptr)};
    bytes_ += message(*at).values.bytes();
  }
}

template <class Values>
std::optional<Factor> MessagesOf<Values>::view(const MessageChains::Chain& chain, std::size_t sites, Factor::Origin origin) {
  if (sites == 0) return std::nullopt;
  update(chain.messages[sites]);
  const Values& values = message(chain.messages[sites]).values;
  return Factor{.values = values.view(), .labels = chain.labels[sites], .origin = origin};
}

template <class Values>
std::optional<Factor> MessagesOf<Values>::left(std::int32_t network, std::size_t cut) {
  return view(chains_.left(network), cut, Factor::Origin::left);
}
template <class Values>
std::optional<Factor> MessagesOf<Values>::right(std::int32_t network, std::size_t cut) {
  return view(chains_.right(network), site_count(network) - cut, Factor::Origin::right);
}

template <class Values>
std::size_t MessagesOf<Values>::stale(const MessageChains::Chain& chain, std::size_t sites) const {
  std::size_t count = 0;
  for (; sites > 0 && !messages_[static_cast<std::size_t>(chain.messages[sites])].is_current; --sites) ++count;
  return count;
}

template <class Values>
const Values* MessagesOf<Values>::arrived(const MessageChains::Chain& chain, std::size_t sites, Values& running) {
  const auto is_stored = [&](std::size_t k) {
    const std::int32_t id = chain.messages[k];
    return message(id).is_current || chains_[id].is_kept;
  };
  std::size_t at = sites;
  while (at > 0 && !is_stored(at)) --at;
  const Values* before = nullptr;
  if (at > 0) {
    update(chain.messages[at]);
    before = &message(chain.messages[at]).values;
  }
  for (++at; at <= sites; ++at) {
    running = made(chain.messages[at], before);
    before = &running;
  }
  return before;
}

template <class Values>
Values MessagesOf<Values>::number(std::int32_t network) {
  const MessageChains::Chain &left = chains_.left(network), &right = chains_.right(network);
  const std::size_t count = site_count(network);
  std::size_t best = 0, least = std::numeric_limits<std::size_t>::max();
  for (std::size_t cut = 0; cut <= count; ++cut) {
    const std::size_t needed = stale(left, cut) + stale(right, count - cut);
    if (needed < least) best = cut, least = needed;
  }
  Values from_left, from_right;
  Product both;
  if (const Values* at = arrived(left, best, from_left))
    both.factors.push_back({.values = at->view(), .labels = left.labels[best], .origin = Factor::Origin::left});
  if (const Values* at = arrived(right, count - best, from_right))
    both.factors.push_back({.values = at->view(), .labels = right.labels[count - best], .origin = Factor::Origin::right});
  return contracted(both);
}

template class MessagesOf<tensor::Dense>;
template class MessagesOf<Shape>;

tensor::Dense Messages::contracted(const Product& product) { return solve::contracted(contractions_, product); }

std::complex<double> Messages::value(std::int32_t network) {
  const tensor::Dense found = tensor::Dense::copy(number(network).view(), Dtype::c128);
  return networks_[static_cast<std::size_t>(network)].coefficient * *found.view().as<std::complex<double>>();
}

program::ContractionRequest request_of(const Product& product) {
  program::ContractionRequest request;
  for (const Factor& f : product.factors) {
    request.subscripts.inputs.push_back(f.labels);
    request.operands.push_back({f.values.dtype, f.is_conjugated, f.changes});
  }
  request.subscripts.output = product.output;
  std::map<einsum::Label, einsum::Label> number;
  for (std::size_t k = 0; k < product.factors.size(); ++k)
    for (std::size_t axis = 0; axis < product.factors[k].labels.size(); ++axis) {
      const std::int64_t extent = product.factors[k].values.extents[axis];
      const auto [at, is_new] = number.try_emplace(product.factors[k].labels[axis], static_cast<einsum::Label>(number.size()));
      if (is_new) request.extents.push_back(extent);
      TYTO_ASSERT(request.extents[static_cast<std::size_t>(at->second)] == extent);
      request.subscripts.inputs[k][axis] = at->second;
    }
  for (einsum::Label& label : request.subscripts.output) label = number.at(label);
  return request;
}

tensor::Dense contracted(Contractions& contractions, const Product& product) {
  const std::shared_ptr<LoadedContraction> loaded = contractions.loaded(request_of(product));
  for (std::size_t k = 0; k < product.factors.size(); ++k) loaded->bind(k, product.factors[k].values);
  return tensor::Dense::copy(loaded->run());
}

}  // namespace tyto::solve
