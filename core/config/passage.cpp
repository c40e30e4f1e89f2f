// From the characters of a scalar back to those of the file.
#include "config/passage.hpp"

namespace tyto::config {
namespace {

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A walk over the characters of a file that counts lines and columns.
class Walk {
 public:
  Walk(const std::string& file, const Where& start) : file_(file) {
    while (!is_over() && place_.line < start.line) step();
    while (!is_over() && place_.column < start.column) step();
  }
  bool is_over() const { return at_ >= file_.size(); }
  char peek() const { return is_over() ? '\0' : file_[at_]; }
  const CharacterPlace& place() const { return place_; }
  void step() {
    const bool ends_line = file_[at_++] == '\n';
    place_ = ends_line ? CharacterPlace{place_.line + 1, 1} : CharacterPlace{place_.line, place_.column + 1};
  }
  void skip_white() {
    while (!is_over() && is_white(peek())) step();
  }
  void skip_line() {
    while (!is_over() && peek() != '\n') step();
  }

 private:
  const std::string& file_;
  std::size_t at_ = 0;
  CharacterPlace place_{1, 1};
};

}  // namespace

std::vector<CharacterPlace> character_places(const std::string& file, const Where& start, const std::string& scalar) {
  Walk walk(file, start);
  if (walk.peek() == '|' || walk.peek() == '>') walk.skip_line();
  else if (walk.peek() == '\'' || walk.peek() == '"') walk.step();
  std::vector<CharacterPlace> places;
  for (const char c : scalar) {
    if (!is_white(c)) {
      walk.skip_white();
      if (walk.peek() != c) return std::vector<CharacterPlace>(scalar.size() + 1, {start.line, start.column});
    }
    places.push_back(walk.place());
    if (!is_white(c)) walk.step();
  }
  places.push_back(walk.place());
  return places;
}

}  // namespace tyto::config
