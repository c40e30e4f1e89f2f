// The headers of text files and what follows `tensor`, `matrix` and `ktensor`. Lists of coordinates are read in
// coordinate_text.cpp.
#include "tensor/text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include "error/fail.hpp"
#include "tensor/coordinate_text.hpp"
#include "tensor/lines.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

const std::vector<std::string> headers = {"tensor", "sptensor", "ktensor", "matrix"};
constexpr std::int64_t most_modes = 255;

bool is_header(std::string_view word) { return std::find(headers.begin(), headers.end(), word) != headers.end(); }

std::int64_t read_count(Lines& lines, const char* what, std::int64_t least, std::int64_t most) {
  const std::string expected = most == std::numeric_limits<std::int64_t>::max()
                                   ? fmt::format("a number of {} or more", least)
                                   : fmt::format("a number from {} to {}", least, most);
  lines.require_next(what);
  const std::int64_t count = lines.integer(what, expected);
  if (count < least || count > most)
    lines.reject(Code::file_format, fmt::format("{} cannot be read", what), expected, fmt::format("{}", count), {}, lines.column());
  lines.require_end(what, expected);
  return count;
}

/// The number of modes and the extents.
Extents read_extents(Lines& lines) {
  const std::int64_t order = read_count(lines, "the number of modes", 1, most_modes);
  const std::string expected = order == 1 ? "1 extent" : fmt::format("{} extents", order);
  lines.require_next("the extents");
  Extents extents;
  for (std::int64_t n = 0; n < order; ++n) {
    extents.push_back(lines.integer("the list of extents", expected));
    if (extents.back() < 0)
      lines.reject(Code::extent, "an extent is negative", "0 or more", fmt::format("{}", extents.back()), {}, lines.column());
  }
  lines.require_end("the list of extents", expected);
  return extents;
}

void require_countable(const Lines& lines, const Extents& extents) {
  std::int64_t bytes = 0;
  bool overflow = false;
  try {
    overflow = __builtin_mul_overflow(element_count(extents), size_of(Dtype::f64), &bytes);
  } catch (const Error&) {
    overflow = true;
  }
  if (overflow)
    lines.reject(Code::extent, "the extents of this tensor overflow", "fewer than 9223372036854775808 bytes", text_of(extents));
}

/// Values that fill `extents`, broken into lines anywhere. A file that is too short is found out before memory is taken.
std::vector<double> read_values(Lines& lines, std::int64_t count, const std::string& whole) {
  const std::string expected = fmt::format("{} values for {}", count, whole);
  std::vector<double> values;
  while (static_cast<std::int64_t>(values.size()) < count) {
    if (!lines.next())
      lines.reject(Code::file_truncated, "the file ends before its last value", expected, fmt::format("{} values", values.size()),
                   "copying the file again");
    while (!lines.at_end()) {
      if (static_cast<std::int64_t>(values.size()) == count)
        lines.reject(Code::file_format, "there are more values than the header says", expected, "more", "correcting the header");
      values.push_back(lines.real("a value", "a number"));
    }
  }
  return values;
}

Dense read_matrix(Lines& lines) {
  const Extents extents = read_extents(lines);
  if (extents.size() != 2)
    lines.reject(Code::file_format, "a matrix has two extents", "2 extents", fmt::format("{} extents", extents.size()));
  require_countable(lines, extents);
  const std::vector<double> values = read_values(lines, element_count(extents), text_of(extents));
  return Dense::copy(ConstArray(values.data(), extents));
}

Dense read_dense(Lines& lines) {
  const Extents extents = read_extents(lines);
  require_countable(lines, extents);
  const std::vector<double> values = read_values(lines, element_count(extents), text_of(extents));
  const Extents strides = row_major(Extents(extents.rbegin(), extents.rend()));
  return Dense::copy(ConstArray(values.data(), extents, Extents(strides.rbegin(), strides.rend())));
}

Ktensor read_ktensor(Lines& lines) {
  const Extents extents = read_extents(lines);
  const std::int64_t rank = read_count(lines, "the number of terms", 1, std::numeric_limits<std::int64_t>::max());
  Ktensor result;
  result.weights = read_values(lines, rank, "the weights");
  for (std::size_t n = 0; n < extents.size(); ++n) {
    lines.require_next(fmt::format("matrix {} of {}", n + 1, extents.size()));
    const std::string_view word = lines.word();
    if (word != "matrix")
      lines.reject(Code::file_format, fmt::format("matrix {} of {} is missing", n + 1, extents.size()), "\"matrix\"",
                   fmt::format("\"{}\"", word), {}, lines.column());
    lines.require_end("this line", "\"matrix\" alone");
    const Lines place = lines;
    result.factors.push_back(read_matrix(lines));
    if (const Extents wanted{extents[n], rank}; result.factors.back().extents() != wanted)
      place.reject(Code::file_format, fmt::format("matrix {} of {} does not fit the header", n + 1, extents.size()),
                   text_of(wanted), text_of(result.factors.back().extents()));
  }
  return result;
}

}  // namespace

bool is_tensor_text(const std::string& text) {
  const std::string file;
  Lines lines(text, file);
  if (!lines.next()) return false;
  const std::int64_t words = lines.count_words();
  std::string_view word = lines.word();
  if (is_header(word)) return words == 1;
  if (words < 2) return false;
  for (; !word.empty(); word = lines.word()) {
    double value = 0;
    const char* start = word.data() + (word[0] == '+' ? 1 : 0);
    if (const char* end = word.data() + word.size(); std::from_chars(start, end, value).ptr != end) return false;
  }
  return true;
}

TextTensor read_text(const std::string& text, const std::string& file, const std::optional<int>& index_base,
                     const std::optional<Extents>& shape) {
  Lines first(text, file);
  first.next();
  const std::string word(first.word());
  if (!is_header(word)) {
    Lines lines(text, file);
    const ListRules rules{.index_base = index_base.value_or(1), .is_base_given = index_base.has_value()};
    return {fmt::format("FROSTT coordinates, indices from {}", rules.index_base), read_list(lines, shape, rules)};
  }
  first.require_end("the header", "one word");
  if (word == "sptensor") {
    const Extents extents = read_extents(first);
    if (shape && *shape != extents)
      first.reject(Code::contradiction, "the extents are not those given", text_of(*shape), text_of(extents),
                   "leaving out the shape");
    const std::int64_t entries = read_count(first, "the number of entries", 0, std::numeric_limits<std::int64_t>::max());
    const int base = index_base.value_or(holds_index_zero(first, extents) ? 0 : 1);
    Coordinate list = read_list(first, extents, {.index_base = base, .is_base_given = index_base.has_value(), .entries = entries});
    return {fmt::format("Tensor-Toolbox sptensor, indices from {}", base), std::move(list)};
  }
  TextTensor result;
  result.format = "Tensor-Toolbox " + word;
  if (word == "tensor") result.value = read_dense(first);
  if (word == "matrix") result.value = read_matrix(first);
  if (word == "ktensor") result.value = read_ktensor(first);
  if (first.next())
    first.reject(Code::file_format, "there is more in the file than the header says", "the end of the file", {},
                 "correcting the header");
  return result;
}

}  // namespace tyto::tensor
