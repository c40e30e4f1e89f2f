#pragma once
/// Counts the allocations of the whole process while `counting` is set. Replaces malloc: include it in one source file of a
/// program.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tyto::test {

/// A sanitizer has the functions of C for itself: only those of C++ are counted then.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
constexpr bool counts_functions_of_c = false;
#else
constexpr bool counts_functions_of_c = true;
#endif

inline std::atomic<bool> counting{false};
inline std::atomic<std::int64_t> allocations{0};

inline void note_allocation() {
  if (counting) ++allocations;
}

}  // namespace tyto::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
void* operator new(std::size_t bytes) {
  tyto::test::note_allocation();
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  tyto::test::note_allocation();
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
#else
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t bytes) {
  tyto::test::note_allocation();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  tyto::test::note_allocation();
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  tyto::test::note_allocation();
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  tyto::test::note_allocation();
  return __libc_memalign(alignment, bytes);
}
}
#endif
