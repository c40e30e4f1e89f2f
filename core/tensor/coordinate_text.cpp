// Lines of indices and a value to a list of entries, checked one by one.
#include "tensor/coordinate_text.hpp"

#include <algorithm>
#include <charconv>
#include "error/fail.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

std::string count_of(std::int64_t n, const char* one, const char* many) { return fmt::format("{} {}", n, n == 1 ? one : many); }

class ListReader {
 public:
  ListReader(Lines& lines, const std::optional<Extents>& extents, const ListRules& rules)
      : lines_(lines), rules_(rules), has_extents_(extents.has_value()) {
    if (has_extents_) set_order(static_cast<std::int64_t>(extents->size()));
    if (has_extents_) list_.extents = *extents;
  }

  Coordinate run() {
    while (lines_.next()) {
      if (order_ == 0) infer_order();
      read_entry();
    }
    if (order_ == 0)
      lines_.reject(Code::file_format, "the file holds no entries", "lines of indices and a value", "comments and blank lines",
                    "giving the extents by `shape`");
    if (rules_.entries && *rules_.entries > list_.entries())
      lines_.reject(Code::file_truncated, "there are fewer entries than the header says", entries_of_header(),
                    count_of(list_.entries(), "entry", "entries"), "copying the file again, or correcting the header");
    return std::move(list_);
  }

 private:
  std::string entries_of_header() const { return count_of(*rules_.entries, "entry", "entries"); }
  void set_order(std::int64_t order) {
    order_ = order;
    expected_ = fmt::format("{} and a value", count_of(order, "index", "indices"));
    list_.extents.assign(static_cast<std::size_t>(order), 0);
  }
  void infer_order() {
    const std::int64_t words = lines_.count_words();
    if (words < 2)
      lines_.reject(Code::file_format, "this line is not an entry", "at least one index and a value",
                    count_of(words, "word", "words"));
    set_order(words - 1);
  }

  void read_entry() {
    if (const std::int64_t words = lines_.count_words(); words != order_ + 1)
      lines_.reject(Code::file_format, "this line is not an entry", expected_, count_of(words, "word", "words"));
    if (rules_.entries && list_.entries() == *rules_.entries)
      lines_.reject(Code::file_format, "there are more entries than the header says", entries_of_header(), "another one",
                    "correcting the header");
    for (std::int64_t n = 0; n < order_; ++n) {
      const std::int64_t written = lines_.integer("an index", expected_);
      check_index(n, written);
      list_.indices.push_back(written - rules_.index_base);
    }
    list_.values.push_back(lines_.real("a value", expected_));
  }

  void check_index(std::int64_t mode, std::int64_t written) {
    std::int64_t& extent = list_.extents[static_cast<std::size_t>(mode)];
    if (written < rules_.index_base) reject_low(mode, written);
    // The largest 64-bit index has no extent that holds it.
    if (written - rules_.index_base == std::numeric_limits<std::int64_t>::max()) reject_high(mode, written, extent);
    if (!has_extents_) extent = std::max(extent, written - rules_.index_base + 1);
    if (written - rules_.index_base >= extent) reject_high(mode, written, extent);
  }
  [[noreturn]] void reject_low(std::int64_t mode, std::int64_t written) const {
    const bool is_base_wrong = written == 0 && !rules_.is_base_given;
    lines_.reject(Code::out_of_range, fmt::format("an index of mode {} is too small", mode),
                  fmt::format("{} or more: indices count from {}", rules_.index_base, rules_.index_base),
                  fmt::format("{}", written),
                  is_base_wrong  ? "`index_base: 0`"
                  : written == 0 ? "leaving out `index_base: 1`"
                                 : "correcting the line",
                  lines_.column());
  }
  [[noreturn]] void reject_high(std::int64_t mode, std::int64_t written, std::int64_t extent) const {
    const std::int64_t last = extent - 1 + rules_.index_base;
    lines_.reject(Code::out_of_range, fmt::format("an index of mode {} is outside the extent {}", mode, extent),
                  fmt::format("{} to {}: indices count from {}", rules_.index_base, last, rules_.index_base),
                  fmt::format("{}", written), "correcting the line or the extents", lines_.column());
  }

  Lines& lines_;
  const ListRules& rules_;
  Coordinate list_;
  bool has_extents_ = false;
  std::int64_t order_ = 0;
  std::string expected_;
};

}  // namespace

Coordinate read_list(Lines lines, const std::optional<Extents>& extents, const ListRules& rules) {
  return ListReader(lines, extents, rules).run();
}

bool holds_index_zero(Lines lines, const Extents& extents) {
  while (lines.next()) {
    for (std::size_t n = 0; n < extents.size(); ++n) {
      const std::string_view word = lines.word();
      std::int64_t index = 1;
      if (std::from_chars(word.data(), word.data() + word.size(), index).ec != std::errc()) return false;
      if (index == 0) return true;
    }
  }
  return false;
}

}  // namespace tyto::tensor
