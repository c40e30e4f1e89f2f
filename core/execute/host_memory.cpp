// Reservation, binding with its checks, and addresses.
#include "execute/host_memory.hpp"
#include <algorithm>
#include "error/fail.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tyto::execute {
namespace {

bool same_strides(const Extents& extents, const Extents& left, const Extents& right) {
  if (left.size() != extents.size() || right.size() != extents.size()) return false;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    if (extents[axis] > 1 && left[axis] != right[axis]) return false;
  return true;
}

std::string described(const Extents& extents, const Extents& strides) {
  return fmt::format("extents ({}) with strides ({})", fmt::join(extents, ", "), fmt::join(strides, ", "));
}

}  // namespace

void HostMemory::Release::operator()(char* memory) const {
  if (arenas) arenas->give_back(memory, bytes);
  else release(memory);
}

namespace {

std::unique_ptr<char[], HostMemory::Release> arena_of(std::int64_t bytes, std::shared_ptr<Arenas> arenas) {
  char* const memory = arenas ? arenas->take(bytes) : reserve(bytes);
  return {memory, HostMemory::Release{std::move(arenas), bytes}};
}

}  // namespace

HostMemory::HostMemory(const program::Program& program, std::shared_ptr<Arenas> arenas)
    : arena_(arena_of(program.arena_bytes, std::move(arenas))), leaves_(program.leaves) {
  if (arena_ == nullptr)
    fail(Code::memory, "there is not enough memory for the plan", text_of_bytes(program.arena_bytes),
         fmt::format("{} on this machine", text_of_bytes(available_bytes())),
         "a smaller problem, or a lower `execution.memory_limit`, so that the plan recomputes more");
  bound_.assign(leaves_.size(), 0);
  for (const program::Buffer& buffer : program.buffers) {
    const bool is_leaf = buffer.storage == program::Storage::leaf;
    TYTO_ASSERT(is_leaf || (buffer.offset >= 0 && buffer.offset <= program.arena_bytes));
    TYTO_ASSERT(!is_leaf || (buffer.leaf >= 0 && buffer.leaf < static_cast<program::LeafId>(leaves_.size())));
    leaf_of_.push_back(is_leaf ? buffer.leaf : -1);
    values_.emplace_back(is_leaf ? nullptr : arena_.get() + buffer.offset, buffer.dtype, buffer.extents, buffer.strides);
  }
}

void HostMemory::bind(program::LeafId id, const Array& array) {
  TYTO_ASSERT(id >= 0 && id < static_cast<program::LeafId>(leaves_.size()));
  const program::Leaf& leaf = leaves_[static_cast<std::size_t>(id)];
  if (array.space != Space::host)
    fail(Code::shape, fmt::format("`{}` lies on a device", leaf.name), "host memory", "device memory");
  if (array.dtype != leaf.dtype)
    fail(Code::element_type, fmt::format("`{}` has another element type than the plan", leaf.name), name_of(leaf.dtype),
         name_of(array.dtype), "binding an array of the type the problem was declared with");
  if (array.extents != leaf.extents || !same_strides(leaf.extents, array.strides, leaf.strides))
    fail(Code::shape, fmt::format("`{}` has another shape than the plan", leaf.name), described(leaf.extents, leaf.strides),
         described(array.extents, array.strides), "binding an array of the shape the problem was declared with");
  bound_[static_cast<std::size_t>(id)] = 1;
  for (std::size_t b = 0; b < leaf_of_.size(); ++b)
    if (leaf_of_[b] == id) values_[b].data = array.data;
}

void* HostMemory::address(program::BufferId id) const {
  const auto b = static_cast<std::size_t>(id);
  const program::LeafId leaf = leaf_of_[b];
  if (leaf >= 0 && bound_[static_cast<std::size_t>(leaf)] == 0)
    fail(Code::defect, fmt::format("`{}` is used before memory is bound to it", leaves_[static_cast<std::size_t>(leaf)].name));
  return const_cast<void*>(values_[b].data);
}

const ConstArray& HostMemory::value(program::BufferId id) const { return values_[static_cast<std::size_t>(id)]; }

}  // namespace tyto::execute
