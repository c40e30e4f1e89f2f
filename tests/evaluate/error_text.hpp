#pragma once
/// What an Error says and of which kind it is.
#include "tyto/error.hpp"

namespace tyto::test {

template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Code::defect where nothing was thrown.
template <class Body>
Code code_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.findings().front().code;
  }
  return Code::defect;
}

}  // namespace tyto::test
