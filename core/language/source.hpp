#pragma once
/// A text of the expression language, and where its characters stand. What the text means is not known here.
#include <cstdint>
#include <string>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::language {

/// Of one character of a file; both count from 1.
struct Position {
  int line = 0, column = 0;
};

struct Source {
  std::string text = {};
  std::string file = {};                 ///< in which it stands, or another word for its place
  std::vector<Position> positions = {};  ///< of each character and of the end; empty: nothing but the file is known
};

/// The characters begin, ..., end - 1 of a text.
struct Span {
  std::int64_t begin = 0, end = 0;
};

std::string text_of(const Source&, Span);
/// The place for a message: its quote is the line in question, or the part of it that fits, with carets under the span.
Where where(const Source&, Span);

}  // namespace tyto::language
