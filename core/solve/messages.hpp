#pragma once
/// Environments: what all sites of a network on one side of a cut contract to. Each message comes from the one before and one site,
/// so a sweep that changes one core at a time updates one message a step. Networks that are equal up to a cut share their messages.
#include <complex>
#include <map>
#include "solve/contractions.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

/// A message as an operand: null values where there is nothing on that side. Labels are those of the network.
struct MessageView {
  const tensor::Dense* values = nullptr;
  einsum::Labels labels;
};

class Messages {
 public:
  /// Setup, state and contractions outlive the messages. Nothing is computed yet.
  Messages(const Setup&, const State&, Contractions&);

  /// Sites before `cut`, and sites from `cut` on, brought up to date; valid until a tensor of theirs changes.
  MessageView left(std::int32_t network, std::size_t cut);
  MessageView right(std::int32_t network, std::size_t cut);
  /// The values of a tensor have changed: messages made from it are made again when they are next asked for.
  void changed(std::int32_t tensor);
  /// The number that a network has, its coefficient included, at the cut where the fewest messages have to be made.
  std::complex<double> value(std::int32_t network);
  /// How many messages have been made.
  std::int64_t updates() const { return updates_; }

 private:
  struct Message {
    std::int32_t before = -1;                ///< message; -1: none
    std::vector<Network::Operand> operands;  ///< of its site, labels by first appearance from the end of the chain
    einsum::Labels labels;                   ///< that are open at the cut
    bool is_current = false;
    tensor::Dense values = {};
  };
  /// The messages of one network towards one side, by how many sites they take, and its own labels of each.
  struct Chain {
    std::vector<std::int32_t> messages;  ///< [0] is -1
    std::vector<einsum::Labels> labels;
  };

  Chain chain(const Network&, bool from_left);
  MessageView view(const Chain&, std::size_t sites);
  void update(std::int32_t message);
  std::size_t stale(const Chain&, std::size_t sites) const;

  const State& state_;
  Contractions& contractions_;
  std::vector<Network> networks_;
  std::vector<Chain> left_, right_;  ///< by network
  std::vector<Message> messages_;    ///< those before come first
  std::map<std::string, std::int32_t> by_structure_;
  std::vector<std::vector<std::int32_t>> readers_;  ///< by tensor: messages whose site has it
  std::vector<std::vector<std::int32_t>> after_;    ///< by message: those made from it
  std::int64_t updates_ = 0;
};

/// A factor of a contraction at solve time.
struct Factor {
  ConstArray values;
  einsum::Labels labels;
  bool is_conjugated = false;
  std::int64_t changes = 1;  ///< see program::ContractionRequest
};
/// What is asked of a planner for these factors; labels are renumbered.
program::ContractionRequest request_of(const std::vector<Factor>&, const einsum::Labels& output);
/// The contraction, done once.
tensor::Dense contracted(Contractions&, const std::vector<Factor>&, const einsum::Labels& output);

}  // namespace tyto::solve
