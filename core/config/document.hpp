#pragma once
/// A run file as it was written, with the overrides of the command line. What its keys mean is checked elsewhere.
#include <string>
#include <vector>

#include "config/node.hpp"
#include "config/passage.hpp"

namespace tyto::config {

class Document {
 public:
  /// Throws Error{file_missing} with the nearest name in that folder, Error{reading} or Error{syntax}.
  static Document from_file(const std::string& path);
  /// `name` stands where messages name a file. Throws Error{syntax}; Error{wrong_type} if the text is no mapping.
  static Document from_text(const std::string& text, const std::string& name);

  /// Puts a value in place of the one at `key` ("solver.max_sweeps"), making mappings on the way; later findings about it are
  /// located at "--set solver.max_sweeps=5". Throws Error{syntax} or Error{wrong_type} (the way leads through a list).
  void set(const std::string& key, const std::string& yaml);

  const Node& root() const { return root_; }
  /// A text of the tree, a value or a key, with the place of each of its characters.
  Passage passage(const std::string& text, const Where& start) const;
  const std::string& name() const { return name_; }
  /// One finding for every key that is given again in its mapping, at any level.
  std::vector<Finding> duplicates() const;

 private:
  Document(Node root, std::string name, std::string text);
  Node root_;
  std::string name_, text_;
};

}  // namespace tyto::config
