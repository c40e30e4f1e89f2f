// Several algorithms in one file that break the rule to throw nothing but tyto::Error, and one that keeps it.
#include <stdexcept>
#include "tyto/plugin.hpp"

using namespace tyto;

class ThrowsForeign : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration&, const Settings&) override { throw std::runtime_error("lost my way"); }
};

class ThrowsInteger : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration&, const Settings&) override { throw 7; }
};

class ThrowsWhenMade : public Algorithm {
 public:
  static Schema schema() { throw std::runtime_error("no schema today"); }
  ThrowsWhenMade() { throw std::runtime_error("not today"); }
  void declare(Declaration&, const Settings&) override {}
};

class ThrowsError : public Algorithm {
 public:
  static Schema schema() { return {}; }
  void declare(Declaration&, const Settings&) override {
    throw Error(Finding{.code = Code::contradiction, .what = "rank 6 exceeds mode 2 of extent 5"});
  }
};

TYTO_PLUGINS(TYTO_ALGORITHM(ThrowsForeign, "throws-foreign", "1", "throws std::runtime_error in declare()"),
             TYTO_ALGORITHM(ThrowsInteger, "throws-integer", "1", "throws an int in declare()"),
             TYTO_ALGORITHM(ThrowsWhenMade, "throws-when-made", "1", "throws in schema() and in its constructor"),
             TYTO_ALGORITHM(ThrowsError, "throws-error", "1", "throws tyto::Error in declare()"))
