#pragma once
/// Texts, numbers and arrays by name in one file, for what only tyto reads again: written whole or not at all, with a checksum.
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>
#include "tensor/dense.hpp"

namespace tyto::tensor {

/// What a file of this form is called, "tyto checkpoint", and the version of what is in it.
struct ArchiveKind {
  std::string name;
  int schema = 1;  ///< a reader takes this and older ones
};

/// Names are unique; adding one again is a defect. Reading a name that is not there, or is of another form, is Error{file_format}.
class Archive {
 public:
  void add(const std::string& name, std::string text) { put(name, std::move(text)); }
  void add(const std::string& name, Dense array) { put(name, std::move(array)); }
  void add(const std::string& name, double number);
  void add(const std::string& name, std::int64_t number);
  void add(const std::string& name, const std::vector<std::string>& texts);

  bool has(const std::string& name) const { return entries_.contains(name); }
  const std::string& text(const std::string& name) const;
  const Dense& array(const std::string& name) const;
  double real(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;

 private:
  friend std::string archive_bytes(const Archive&, const ArchiveKind&);
  friend Archive read_archive(const std::filesystem::path&, const ArchiveKind&, int&);
  using Entry = std::variant<std::string, Dense>;
  void put(const std::string& name, Entry);
  const Entry& find(const std::string& name) const;
  std::map<std::string, Entry> entries_;
};

/// The bytes of a file: a line of text with name and schema, the number of bytes that follow, the entries by name, a checksum.
/// Numbers are little-endian.
std::string archive_bytes(const Archive&, const ArchiveKind&);

/// Reads what archive_bytes() made; `schema` becomes that of the file. Error{file_missing}, Error{file_format} for another kind of
/// file, a newer schema or a checksum that does not agree, Error{file_truncated}.
Archive read_archive(const std::filesystem::path&, const ArchiveKind&, int& schema);

}  // namespace tyto::tensor
