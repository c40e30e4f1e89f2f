#include "tensor/checksum.hpp"
#include <cstring>
#include "tensor/dense.hpp"

namespace tyto::tensor {

namespace {

std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

}  // namespace

std::uint64_t checksum(std::string_view bytes, std::uint64_t begin) {
  std::uint64_t sum = mixed(begin ^ bytes.size());
  while (!bytes.empty()) {
    const std::size_t count = bytes.size() < 8 ? bytes.size() : 8;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), count);
    sum = mixed(sum ^ word) + 0x9e3779b97f4a7c15ULL;
    bytes.remove_prefix(count);
  }
  return sum;
}

std::uint64_t checksum(const ConstArray& array) {
  std::uint64_t sum = static_cast<std::uint64_t>(array.dtype);
  for (const std::int64_t extent : array.extents) sum = mixed(sum ^ static_cast<std::uint64_t>(extent)) + 1;
  if (!array.contiguous()) return checksum(Dense::copy(array).view());
  return checksum({static_cast<const char*>(array.data), static_cast<std::size_t>(array.size() * size_of(array.dtype))}, sum);
}

}  // namespace tyto::tensor
