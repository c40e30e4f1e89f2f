#pragma once
// Where the backends of this test lie, and exact comparison of the texts about them.
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>
#include "backend/loader.hpp"

namespace tyto::backend {

inline const std::string folder = TYTO_BINARY_DIR "/test_backends/";
inline const std::vector<module::Folder> good{{.path = folder + "good"}}, bad{{.path = folder + "bad"}};

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

}  // namespace tyto::backend
