#pragma once
/// A text that the user wrote into a YAML file, with the place of each character: quotes, folded lines and blocks do not hide it.
#include <string>
#include <vector>

#include "tyto/error.hpp"

namespace tyto::config {

/// Line and column, from 1.
struct CharacterPlace {
  int line = 0, column = 0;
};

struct Passage {
  std::string text = {};
  Where where = {};
  std::vector<CharacterPlace> places = {};  ///< of each character and of the end; empty: only `where` is known
};

/// Where the characters of a scalar stand in the file that it was read from. What YAML changes is white space, which may move;
/// with escapes, anchors or tags in the way, every character is said to stand at `start`.
std::vector<CharacterPlace> character_places(const std::string& file, const Where& start, const std::string& scalar);

}  // namespace tyto::config
