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
    fail(Code::plugin_rule, fmt::format("a handle to {} that was never declared is spent", what), "a handle kept from declare()",
         "one that was never assigned");
  return entries[static_cast<std::size_t>(handle.id)];
}

/// The tensor of a leaf by its name; Error{plugin_rule} if there is none.
inline std::int32_t tensor_of(const Setup& setup, const Expr& leaf) {
  for (std::size_t k = 0; k < setup.tensors.size(); ++k)
    if (leaf.is_leaf() && setup.tensors[k].name == leaf.name()) return static_cast<std::int32_t>(k);
  fail(Code::plugin_rule, "a tensor is read or written that the run does not have", "a leaf from declare()", leaf.text());
}

/// The same for a tensor that run() may write: an unknown that the user did not fix, a state or a parameter.
inline std::int32_t writable(const Setup& setup, const Expr& leaf) {
  const std::int32_t tensor = tensor_of(setup, leaf);
  const Tensor& t = setup.tensors[static_cast<std::size_t>(tensor)];
  if (t.kind == Kind::data || t.kind == Kind::constant)
    fail(Code::plugin_rule, fmt::format("write() is called for the data {}", t.name), "an unknown or a state", {},
         "copying it into a state");
  if (t.is_fixed) fail(Code::plugin_rule, fmt::format("write() is called for {}, which the user fixed", t.name));
  return tensor;
}

/// The same for what parameter() returned.
inline std::int32_t parameter_of(const Setup& setup, const Expr& leaf) {
  const std::int32_t tensor = tensor_of(setup, leaf);
  if (setup.tensors[static_cast<std::size_t>(tensor)].kind != Kind::parameter)
    fail(Code::plugin_rule, fmt::format("set() is called for {}", leaf.text()), "what parameter() returned");
  return tensor;
}

/// The entry of an observed expression that is a number.
inline const Observed& scalar_of(const Setup& setup, tyto::Value v) {
  const Observed& o = entry(setup.observed, v, "a value");
  if (!o.extents.empty())
    fail(Code::plugin_rule, fmt::format("value() is asked for the observed tensor {}", o.name), "a number",
         fmt::format("{} axes", o.extents.size()));
  return o;
}

/// How many vectors a basis has; 0 where the user fixed it.
inline std::int64_t vectors_of(const Setup& setup, const Subspace& s) {
  if (s.tensor < 0) return 0;
  const Tensor& t = setup.tensors[static_cast<std::size_t>(s.tensor)];
  return t.extents[static_cast<std::size_t>(t.orthonormal)];
}

/// The kernels of one kind that an objective has, without those that nothing is left of once fixed unknowns are out.
template <class Handle, class Entry>
std::vector<Handle> handles_of(const std::vector<Entry>& entries, tyto::Objective f, bool (*is_used)(const Entry&)) {
  std::vector<Handle> all;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].objective == f.id && is_used(entries[k])) all.push_back({static_cast<std::int32_t>(k)});
  return all;
}
inline bool is_free(const BlockSolve& b) { return b.tensor >= 0; }
inline bool is_free_basis(const Subspace& s) { return s.tensor >= 0; }
inline bool has_blocks(const Step& s) { return !s.blocks.empty(); }

}  // namespace tyto::solve
