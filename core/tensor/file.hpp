#pragma once
/// Getting the bytes of a file, with errors that say which file and why. Knows no format.
#include <filesystem>
#include <string>
#include "tyto/error.hpp"

namespace tyto::tensor {

/// The whole file. Error{file_missing} when there is none (with the nearest name in its folder), Error{file_format} for a folder or
/// an empty file, Error{reading} with the system's reason when it cannot be read.
std::string read_bytes(const std::filesystem::path&);

/// A finding about a file; a place in it is added by the caller where there is one.
Finding file_finding(Code, const std::string& file, std::string what, std::string expected = {}, std::string found = {},
                     std::string hint = {});

/// The beginning of a file for people: "50 4b 03 04" and, where printable, the characters.
std::string first_bytes(const std::string& bytes);

}  // namespace tyto::tensor
