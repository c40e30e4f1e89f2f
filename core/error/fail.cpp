// Throwing findings, and the two things that make their texts helpful: lists of words and the nearest word. Rendering is error.cpp.
#include "error/fail.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace tyto {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Optimal string alignment distance: insertions, deletions, replacements and exchanges of neighbours cost one each.
std::int64_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::int64_t> before, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = static_cast<std::int64_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      const bool is_exchange = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (is_exchange) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// Paths of the machine that built this say nothing to the reader; those inside the project do.
std::string within_project(const std::string& file) {
  const std::size_t start = file.rfind("/core/");
  return start == std::string::npos ? file : file.substr(start + 1);
}

}  // namespace

void fail(Finding finding) { throw Error(std::move(finding)); }

void fail(Code code, std::string what, std::string expected, std::string found, std::string hint) {
  throw Error(Finding{
      .code = code, .what = std::move(what), .expected = std::move(expected), .found = std::move(found), .hint = std::move(hint)});
}

void fail_unsupported(const std::string& what, const std::string& hint) {
  fail(Code::unsupported, what + " is not part of this version", {}, {}, hint);
}

void fail_assertion(const char* condition, const char* file, int line) {
  throw Error(Finding{.code = Code::defect,
                      .where = {.file = within_project(file), .line = line},
                      .what = "a bug in tyto: a condition that always holds does not",
                      .expected = condition,
                      .hint = "reporting this text together with the input that led to it"});
}

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  const auto length = static_cast<std::int64_t>(word.size());
  std::int64_t closest = std::min(std::max<std::int64_t>(2, length / 3), length - 1) + 1;
  std::string best;
  for (const std::string& candidate : words) {
    const std::int64_t distance = edit_distance(word, candidate);
    if (distance < closest) {
      closest = distance;
      best = candidate;
    }
  }
  if (!best.empty() || length < 3) return best;
  const auto begins = [&](const std::string& candidate) { return candidate.rfind(word, 0) == 0; };
  if (std::count_if(words.begin(), words.end(), begins) == 1) best = *std::find_if(words.begin(), words.end(), begins);
  return best;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) text += k + 1 == words.size() ? " or " : ", ";
    text += words[k];
  }
  return text;
}

}  // namespace tyto
