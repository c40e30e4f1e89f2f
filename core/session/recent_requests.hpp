#pragma once
/// What was made for requests, as far back as there is room: the one not used for longest goes first.
#include <list>
#include <map>
#include "program/plan_source.hpp"

namespace tyto::session {

/// Equal requests have equal numbers; others may have.
std::size_t hash_of(const program::ContractionRequest&);

template <class Value>
class RecentRequests {
 public:
  explicit RecentRequests(std::size_t most) : most_(most) {}

  /// Null where there is none, else what was added, valid until the next add().
  const Value* find(const program::ContractionRequest& request) {
    const auto [first, last] = by_hash_.equal_range(hash_of(request));
    for (auto at = first; at != last; ++at)
      if (at->second->request == request) {
        entries_.splice(entries_.begin(), entries_, at->second);
        return &at->second->value;
      }
    return nullptr;
  }
  const Value& add(program::ContractionRequest request, Value value) {
    while (entries_.size() >= most_) forget_oldest();
    const std::size_t hash = hash_of(request);
    entries_.push_front({std::move(request), std::move(value)});
    by_hash_.emplace(hash, entries_.begin());
    return entries_.front().value;
  }
  std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    program::ContractionRequest request;
    Value value;
  };
  using Entries = std::list<Entry>;
  void forget_oldest() {
    const auto [first, last] = by_hash_.equal_range(hash_of(entries_.back().request));
    for (auto at = first; at != last; ++at)
      if (&*at->second == &entries_.back()) {
        by_hash_.erase(at);
        break;
      }
    entries_.pop_back();
  }

  std::size_t most_;
  Entries entries_;  ///< the one used last comes first
  std::multimap<std::size_t, typename Entries::iterator> by_hash_;
};

}  // namespace tyto::session
