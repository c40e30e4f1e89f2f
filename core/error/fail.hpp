#pragma once
/// The few ways in which core code reports trouble: fail() for what others can mend, TYTO_ASSERT for what we must mend.
#include <string>
#include <utility>
#include <vector>
#include "tyto/error.hpp"

namespace tyto {

/// Throws Error with one finding.
[[noreturn]] void fail(Finding);
/// The parts of a finding in the order in which a person asks for them.
[[noreturn]] void fail(Code, std::string what, std::string expected = {}, std::string found = {}, std::string hint = {});

/// Throws Error{unsupported}: "`what` is not part of this version".
[[noreturn]] void fail_unsupported(const std::string& what, const std::string& hint = {});

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line);
/// A condition that only a bug in tyto can break; checked in every build, so keep it cheap. Throws Error{defect}.
#define TYTO_ASSERT(condition)                                                \
  do {                                                                        \
    if (!(condition)) ::tyto::fail_assertion(#condition, __FILE__, __LINE__); \
  } while (false)

/// Runs `body`; an Error passing through gains a line of context.
template <class Body>
decltype(auto) with_context(const std::string& line, Body&& body) {
  try {
    return body();
  } catch (Error& error) {
    error.add_context(line);
    throw;
  }
}

/// Runs `body`; findings of an Error passing through that have no place of their own get this one.
template <class Body>
decltype(auto) with_place(const Where& where, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    std::vector<Finding> findings = error.findings();
    for (Finding& finding : findings)
      if (finding.where.file.empty() && finding.where.quote.empty()) finding.where = where;
    throw Error(std::move(findings));
  }
}

/// The element of `words` closest to `word` by edit distance (transpositions count one, letter case does not count), or empty when
/// none is close: at most a third of the word's length, at least 2, edits away, and something must be left of the word. Failing
/// that, the only element that begins with `word`, from three letters on.
std::string nearest(const std::string& word, const std::vector<std::string>& words);
/// "a, b or c"; "" for none.
std::string listed(const std::vector<std::string>& words);

}  // namespace tyto
