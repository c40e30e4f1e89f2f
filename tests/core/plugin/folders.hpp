#pragma once
// Where the plugins of tests/plugins_bad lie, and exact comparison of the texts about them.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>
#include "error/fail.hpp"
#include "module/module.hpp"

namespace tyto::plugin {

inline std::string place(const std::string& folder) { return TYTO_BINARY_DIR "/plugins_bad/" + folder; }

inline std::vector<module::Folder> places(const std::vector<std::string>& names) {
  std::vector<module::Folder> folders;
  for (const std::string& name : names) folders.push_back({.path = place(name)});
  return folders;
}

/// Runs `body`, which must throw an Error of that code and exactly that text.
template <class Body>
void check_error(Code code, const std::string& text, Body&& body) {
  try {
    body();
    BOOST_ERROR("no error where this was expected: " << text);
  } catch (const Error& error) {
    BOOST_TEST(error.what() == text);
    BOOST_TEST(static_cast<int>(error.findings().front().code) == static_cast<int>(code));
  }
}

}  // namespace tyto::plugin
