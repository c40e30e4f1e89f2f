#pragma once
/// An objective written as text: what the user says, and what it is once it has been read and checked.
#include <map>
#include "language/tree.hpp"
#include "tyto/plugin.hpp"

namespace tyto::language {

/// The user's words, with their places.
struct Statement {
  struct Definition {
    Source name = {}, value = {};
  };
  struct Extent {
    std::string label = {};
    std::int64_t extent = 0;
    Where where = {};
  };
  struct Unknown {
    std::string name = {};
    Where where = {};
  };
  Source minimize = {};
  std::vector<Definition> definitions = {};  ///< each may use those before it
  std::vector<Extent> extents = {};
  std::vector<Unknown> unknowns = {};  ///< in the order in which they are declared
};

/// A tensor that the run provides.
struct Input {
  std::string name = {};
  Extents extents = {};
  bool has_weights = false;
  Where where = {};
  Names modes = {};  ///< where the user names them
};

/// A text as a tree.
struct Parsed {
  Source source = {};
  Node tree = {};
};

/// One label: its extent, and the first label that names the same axes, which may be itself.
struct LabelExtent {
  std::string first = {};
  std::int64_t extent = 0;
};

struct Objective {
  struct Definition {
    Parsed name = {}, value = {};
  };
  Statement statement = {};
  std::vector<Definition> definitions = {};
  Parsed minimize = {};
  std::map<std::string, Names> axes = {};           ///< labels under which a tensor is used first; of unknowns, data and weights
  std::map<std::string, LabelExtent> extents = {};  ///< of every label
};

/// Throws Error{syntax} with the first fault of each text.
Objective parsed(Statement);
/// Everything that can be wrong: names, labels, extents, what is declared and not used. Throws one Error with all findings of the
/// first kind that has any.
Objective checked(Objective parsed, const std::vector<Input>&);
/// The objective of a checked text: declares its unknowns, in order, and asks for its data.
Expr built(const Objective& checked, Declaration&);

}  // namespace tyto::language
