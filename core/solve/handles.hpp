#pragma once
/// What both the real iteration and the recording refuse.
#include <fmt/format.h>
#include "error/fail.hpp"
#include "solve/setup.hpp"

namespace tyto::solve {

/// The entry of a handle; Error{plugin_rule} if the handle was never assigned.
template <class Entry, class Tag>
const Entry& entry(const std::vector<Entry>& entries, Handle<Tag> handle, const char* what) {
  if (handle.id < 0 || handle.id >= static_cast<std::int32_t>(entries.size()))
    fail(Code::plugin_rule, fmt::format("a handle to {} that was never declared is spent", what), "a handle kept from declare()", "one that was never assigned");
  return entries[static_cast<std::size_t>(handle.id)];
}

/// The tensor of a leaf by its name; Error{plugin_rule} if there is none.
inline std::int32_t tensor_of(const Setup& setup, const Expr& leaf) {
  for (std::size_t k = 0; k < setup.tensors.size(); ++k)
    if (leaf.is_leaf() && setup.tensors[k].name == leaf.name()) return static_cast<std::int32_t>(k);
  fail(Code::plugin_rule, "a tensor is read or written that the run does not have", "a leaf from declare()", leaf.text());
}

}  // namespace tyto::solve
