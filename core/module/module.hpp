#pragma once
/// Opens shared libraries that carry a table for tyto, and checks that the table was made for this tyto before anything else of it
/// is read. What is in the tables is the business of plugin/ and backend/.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include "tyto/error.hpp"

namespace tyto::module {

/// What sort of library is wanted.
struct Kind {
  std::string noun;    ///< "plugin"
  std::string symbol;  ///< the function it exports
  std::uint32_t api = 0;
  std::string tag;
  std::string remedy;  ///< what to try with a library that does not fit
};

/// A folder with libraries. Where one must exist (a person named it, at `where`) and does not, that is an error.
struct Folder {
  std::filesystem::path path;
  bool must_exist = false;
  Where where = {};
};

/// The libraries (*.so) of the folders, in the order of the folders and by name within one; the same file once.
/// Throws Error{file_missing}.
std::vector<std::filesystem::path> files_in(const std::vector<Folder>&);

using Function = void (*)();
/// Loads the library and returns the function it exports, to be cast to its true type. The library stays open until the process
/// ends, since its code may be needed by anything it made. Throws Error{plugin_symbol} with the words of the dynamic linker.
Function open(const Kind&, const std::filesystem::path&);

/// Throws Error{plugin_api}.
void check_api(const Kind&, const std::filesystem::path&, std::uint32_t api);
/// Throws Error{plugin_tag}.
void check_tag(const Kind&, const std::filesystem::path&, const char* tag);

/// A table as plugin/ and backend/ define them: nothing past `api` is read before that number matches.
template <class Table>
void check(const Kind& kind, const std::filesystem::path& file, const Table& table) {
  check_api(kind, file, table.api);
  check_tag(kind, file, table.build);
}

/// "cp-als" -> "cp_als.so"
std::string file_name(const std::string& name);

}  // namespace tyto::module
