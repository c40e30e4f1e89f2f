/// Index: labels over shared dimensions.
#include <fmt/format.h>
#include "error/fail.hpp"
#include "graph/node.hpp"

namespace tyto::inline v1 {

Index::Index(std::string name, std::int64_t extent) : name_(std::move(name)) {
  if (extent < 0) fail(Code::extent, fmt::format("index '{}' has a negative extent", name_), ">= 0", fmt::format("{}", extent));
  dimension_ = std::make_shared<const Dimension>(Dimension{name_, extent, extent, false});
}

Index::Index(std::string name, std::int64_t start, std::int64_t capacity) : name_(std::move(name)) {
  if (start < 1 || start > capacity)
    fail(Code::extent, fmt::format("index '{}' starts outside its range", name_), fmt::format("1..{}", capacity),
         fmt::format("{}", start));
  dimension_ = std::make_shared<const Dimension>(Dimension{name_, start, capacity, true});
}

static const Dimension& made(const std::shared_ptr<const Dimension>& dimension) {
  if (!dimension) fail(Code::label, "an index that was never made is used", "Index(name, extent)", "Index()");
  return *dimension;
}

std::int64_t Index::extent() const { return made(dimension_).extent; }
std::int64_t Index::capacity() const { return made(dimension_).capacity; }
bool Index::varies() const { return made(dimension_).varies; }

Index Index::as(std::string name) const {
  made(dimension_);
  Index other = *this;
  other.name_ = std::move(name);
  return other;
}

}  // namespace tyto::inline v1
