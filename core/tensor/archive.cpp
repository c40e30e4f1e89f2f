#include "tensor/archive.hpp"
#include <bit>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include "error/fail.hpp"
#include "tensor/checksum.hpp"
#include "tensor/file.hpp"

namespace tyto::tensor {

static_assert(std::endian::native == std::endian::little, "archives are written as numbers lie in memory");

namespace {

constexpr std::int64_t text_form = -1;  ///< in place of the element type

void append(std::string& bytes, std::int64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
void append(std::string& bytes, const std::string& text) {
  append(bytes, static_cast<std::int64_t>(text.size()));
  bytes += text;
}

[[noreturn]] void fail_damaged(const std::filesystem::path& path, const std::string& found) {
  fail(file_finding(Code::file_format, path.string(), "the file is damaged", "what was written", found, "an intact copy of it"));
}

/// Takes entries off the front of a text; nothing can be missing from one whose checksum agrees but by a defect of the writer.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}
  bool at_end() const { return rest_.empty(); }
  std::string_view take(std::int64_t count) {
    TYTO_ASSERT(count >= 0 && static_cast<std::size_t>(count) <= rest_.size());
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::int64_t number() {
    std::int64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }

 private:
  std::string_view rest_;
};

Dense read_array(Reader& from, Dtype dtype) {
  Extents extents(static_cast<std::size_t>(from.number()));
  for (std::int64_t& extent : extents) extent = from.number();
  Dense array = Dense::zeros(dtype, std::move(extents));
  const std::string_view elements = from.take(array.bytes());
  if (!elements.empty()) std::memcpy(array.view().address(), elements.data(), elements.size());
  return array;
}

/// The schema in the file's first line, which is taken off.
int take_schema(std::string_view& bytes, const std::filesystem::path& path, const ArchiveKind& kind) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  int schema = 0;
  const bool is_kind = line.starts_with(kind.name + " ");
  const char* const end = line.data() + line.size();
  if (!is_kind || std::from_chars(line.data() + kind.name.size() + 1, end, schema).ptr != end || line.size() == bytes.size())
    fail(file_finding(Code::file_format, path.string(), fmt::format("this is no {}", kind.name),
                      fmt::format("a file that begins with \"{}\"", kind.name), first_bytes(std::string(bytes.substr(0, 16)))));
  if (schema > kind.schema)
    fail(file_finding(Code::file_format, path.string(), "a newer tyto wrote this file",
                      fmt::format("{} of schema {} or older", kind.name, kind.schema), fmt::format("schema {}", schema),
                      "the tyto that wrote it, or a newer one"));
  bytes.remove_prefix(line.size() + 1);
  return schema;
}

}  // namespace

void Archive::put(const std::string& name, Entry entry) { TYTO_ASSERT(entries_.emplace(name, std::move(entry)).second); }

void Archive::add(const std::string& name, double number) { put(name, Dense::copy(ConstArray(&number, {}))); }
void Archive::add(const std::string& name, std::int64_t number) { put(name, Dense::copy(ConstArray(&number, {}))); }
void Archive::add(const std::string& name, const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) append(joined, text);
  put(name, std::move(joined));
}

const Archive::Entry& Archive::find(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) fail(Code::file_format, fmt::format("there is no entry '{}'", name));
  return found->second;
}

const std::string& Archive::text(const std::string& name) const {
  const auto* const text = std::get_if<std::string>(&find(name));
  if (text == nullptr) fail(Code::file_format, fmt::format("the entry '{}' is no text", name));
  return *text;
}

const Dense& Archive::array(const std::string& name) const {
  const auto* const array = std::get_if<Dense>(&find(name));
  if (array == nullptr) fail(Code::file_format, fmt::format("the entry '{}' is no array", name));
  return *array;
}

double Archive::real(const std::string& name) const { return *array(name).view().as<double>(); }
std::int64_t Archive::integer(const std::string& name) const { return *array(name).view().as<std::int64_t>(); }

std::vector<std::string> Archive::texts(const std::string& name) const {
  std::vector<std::string> texts;
  for (Reader from(text(name)); !from.at_end();) texts.push_back(from.text());
  return texts;
}

std::string archive_bytes(const Archive& archive, const ArchiveKind& kind) {
  std::string bytes = fmt::format("{} {}\n", kind.name, kind.schema);
  const std::size_t head = bytes.size();
  append(bytes, 0);  // the length, once it is known
  for (const auto& [name, entry] : archive.entries_) {
    append(bytes, name);
    if (const auto* const text = std::get_if<std::string>(&entry)) {
      append(bytes, text_form);
      append(bytes, *text);
      continue;
    }
    const Dense& array = std::get<Dense>(entry);
    append(bytes, static_cast<std::int64_t>(array.dtype()));
    append(bytes, array.order());
    for (const std::int64_t extent : array.extents()) append(bytes, extent);
    bytes.append(static_cast<const char*>(array.view().data), static_cast<std::size_t>(array.bytes()));
  }
  const auto length = static_cast<std::int64_t>(bytes.size() - head);  // of the entries and the checksum
  std::memcpy(bytes.data() + head, &length, sizeof length);
  append(bytes, static_cast<std::int64_t>(checksum(bytes)));
  return bytes;
}

Archive read_archive(const std::filesystem::path& path, const ArchiveKind& kind, int& schema) {
  const std::string bytes = read_bytes(path);
  std::string_view rest = bytes;
  schema = take_schema(rest, path, kind);
  std::int64_t length = -1;
  if (rest.size() >= sizeof length) std::memcpy(&length, rest.data(), sizeof length);
  const auto there = static_cast<std::int64_t>(rest.size()) - static_cast<std::int64_t>(sizeof length);
  if (length < 0 || there < length)
    fail(file_finding(Code::file_truncated, path.string(), "the file ends too early",
                      length < 0 ? "" : fmt::format("{} bytes", static_cast<std::int64_t>(bytes.size()) - there + length),
                      fmt::format("{} bytes", bytes.size()), "an intact copy of it"));
  std::uint64_t written = 0;
  const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - sizeof written);
  std::memcpy(&written, bytes.data() + content.size(), sizeof written);
  if (there > length || checksum(content) != written) fail_damaged(path, "another checksum");
  Archive archive;
  for (Reader from(rest.substr(sizeof length, static_cast<std::size_t>(length) - sizeof written)); !from.at_end();) {
    const std::string name = from.text();
    const std::int64_t form = from.number();
    if (form == text_form) archive.add(name, from.text());
    else archive.add(name, read_array(from, static_cast<Dtype>(form)));
  }
  return archive;
}

}  // namespace tyto::tensor
