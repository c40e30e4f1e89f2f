#pragma once
/// The lines of a text file and the numbers on them; knows where it is, so that errors can say. `#` starts a comment.
#include <cstdint>
#include <string>
#include <string_view>
#include "tyto/error.hpp"

namespace tyto::tensor {

class Lines {
 public:
  /// Both must outlive this.
  Lines(const std::string& text, const std::string& file) : rest_(text), file_(file) {}

  /// Moves to the next line that is not blank or only a comment. False at the end of the file.
  bool next();
  /// The same; at the end of the file it is Error{file_truncated}: "the file ends where `expected` should follow".
  void require_next(const std::string& expected);
  int number() const { return number_; }

  /// The next word of this line and moves past it; empty at its end.
  std::string_view word();
  bool at_end();
  /// Words of the whole line.
  std::int64_t count_words() const;

  /// Integers and numbers as C writes them, without regard to the locale; also inf and nan. Error{file_format} at the word
  /// otherwise: "`what` cannot be read".
  std::int64_t integer(const char* what, const std::string& expected);
  double real(const char* what, const std::string& expected);
  /// Error{file_format} if words are left.
  void require_end(const char* what, const std::string& expected);

  /// An error at this line; column 0: the line as a whole.
  [[noreturn]] void reject(Code, std::string what, std::string expected, std::string found, std::string hint = {},
                           int column = 0) const;
  /// Of the last word, from 1.
  int column() const { return column_; }

 private:
  void skip_blanks();
  int column_of(const char* place) const;
  [[noreturn]] void reject_word(const char* what, const std::string& expected, std::string_view found) const;

  std::string_view rest_, line_, left_;  ///< of the file, this line, of this line
  const std::string& file_;
  int number_ = 0, column_ = 0;
};

}  // namespace tyto::tensor
