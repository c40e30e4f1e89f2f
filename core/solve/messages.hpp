#pragma once
/// Environments: what all sites of a network on one side of a cut contract to. Each message comes from the one before and one site,
/// so a sweep that changes one core at a time updates one message a step. Networks that are equal up to a cut share their messages.
#include <complex>
#include "solve/contractions.hpp"
#include "solve/message_chains.hpp"
#include "solve/state.hpp"

namespace tyto::solve {

/// An array without its elements.
struct Shape {
  Dtype dtype = Dtype::f64;
  Extents extents = {0};
  ConstArray view() const { return {nullptr, dtype, extents, row_major(extents)}; }
  std::int64_t bytes() const { return element_count(extents) * size_of(dtype); }
};

/// Which messages are made, kept and spoilt, and when. Values are tensor::Dense, or Shape.
template <class Values>
class MessagesOf : public Surroundings {
 public:
  /// The setup outlives the messages. Nothing is made yet.
  explicit MessagesOf(const Setup&);

  /// Brought up to date; valid until a tensor of theirs changes.
  std::optional<Factor> left(std::int32_t network, std::size_t cut) final;
  std::optional<Factor> right(std::int32_t network, std::size_t cut) final;
  /// The values of a tensor have changed: messages made from it are made again when they are next asked for.
  void changed(std::int32_t tensor);
  /// How many messages have been made.
  std::int64_t updates() const { return updates_; }
  /// Bytes of the messages that are kept.
  std::int64_t bytes() const { return bytes_; }

 protected:
  /// A network, but for its coefficient, at the cut where the fewest messages have to be made. Messages that no other network has,
  /// and no eigenproblem sweeps over, are let go as soon as the next one is made.
  Values number(std::int32_t network);
  virtual Values contracted(const Product&) = 0;

 private:
  struct Message {
    bool is_current = false;
    Values values = {};
  };
  std::optional<Factor> view(const MessageChains::Chain&, std::size_t sites, Factor::Origin);
  void update(std::int32_t message);
  Values made(std::int32_t message, const Values* before);
  /// The message of the first `sites` sites: one that is kept, or `running` once it has become it. Null for no sites.
  const Values* arrived(const MessageChains::Chain&, std::size_t sites, Values& running);
  std::size_t stale(const MessageChains::Chain&, std::size_t sites) const;
  Message& message(std::int32_t id) { return messages_[static_cast<std::size_t>(id)]; }
  std::size_t site_count(std::int32_t network) const { return setup_.networks[static_cast<std::size_t>(network)].sites.size(); }

  const Setup& setup_;
  MessageChains chains_;
  std::vector<Message> messages_;
  std::int64_t updates_ = 0, bytes_ = 0;
};

class Messages final : public MessagesOf<tensor::Dense> {
 public:
  /// Setup, state and contractions outlive the messages.
  Messages(const Setup& setup, const State& state, Contractions& contractions)
      : MessagesOf(setup), networks_(setup.networks), state_(state), contractions_(contractions) {}

  ConstArray array(std::int32_t tensor) const override { return state_.array(tensor); }
  /// The number that a network has, its coefficient included.
  std::complex<double> value(std::int32_t network);

 private:
  tensor::Dense contracted(const Product&) override;

  const std::vector<Network>& networks_;
  const State& state_;
  Contractions& contractions_;
};

/// The contraction, done once.
tensor::Dense contracted(Contractions&, const Product&);

}  // namespace tyto::solve
