#pragma once
/// Which messages the networks of a solve have, and what each is made from: the one before and one site. Networks that are equal up
/// to a cut have the same messages there. No values.
#include <map>
#include <string>
#include "solve/surroundings.hpp"

namespace tyto::solve {

class MessageChains {
 public:
  struct Message {
    std::int32_t before = -1;                ///< message; -1: none
    std::vector<Network::Operand> operands;  ///< of its site, labels by first appearance from the end of the chain
    einsum::Labels labels;                   ///< that are open at the cut
    bool from_left = true;
    bool is_kept = false;                  ///< several networks have it, or an eigenproblem sweeps over it
    std::vector<std::int32_t> after = {};  ///< those made from it
  };
  /// The messages of one network towards one side, by how many sites they take, and its own labels of each.
  struct Chain {
    std::vector<std::int32_t> messages;  ///< [0] is -1
    std::vector<einsum::Labels> labels;
  };

  explicit MessageChains(const Setup&);

  std::size_t count() const { return messages_.size(); }
  const Message& operator[](std::int32_t id) const { return messages_[static_cast<std::size_t>(id)]; }
  const Chain& left(std::int32_t network) const { return left_[static_cast<std::size_t>(network)]; }
  const Chain& right(std::int32_t network) const { return right_[static_cast<std::size_t>(network)]; }
  /// Messages whose site has the tensor.
  const std::vector<std::int32_t>& readers(std::int32_t tensor) const { return readers_[static_cast<std::size_t>(tensor)]; }
  /// How a message is made, `before` being the array of the one before it.
  Product product(std::int32_t id, const ConstArray* before, const Surroundings&) const;

 private:
  Chain chain(const Network&, bool from_left);

  std::vector<Chain> left_, right_;
  std::vector<Message> messages_;  ///< those before come first
  std::map<std::string, std::int32_t> by_structure_;
  std::vector<std::vector<std::int32_t>> readers_;  ///< by tensor
};

}  // namespace tyto::solve
