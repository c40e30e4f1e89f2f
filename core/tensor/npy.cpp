// Reading and composing .npy files in memory.
#include "tensor/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string_view>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct TypeName {
  std::string_view code;
  Dtype dtype;
};
constexpr std::array<TypeName, 7> types{{{"i2", Dtype::i16},
                                         {"i4", Dtype::i32},
                                         {"i8", Dtype::i64},
                                         {"f4", Dtype::f32},
                                         {"f8", Dtype::f64},
                                         {"c8", Dtype::c64},
                                         {"c16", Dtype::c128}}};

std::string type_in_words(std::string_view code) {
  if (code.empty()) return "nothing";
  const std::string_view bytes = code.substr(1);
  switch (code[0]) {
    case 'b': return bytes == "1" ? "bool" : "an unknown type";
    case 'u': return fmt::format("unsigned integers of {} bytes", bytes);
    case 'i': return fmt::format("integers of {} bytes", bytes);
    case 'f': return fmt::format("reals of {} bytes", bytes);
    case 'c': return fmt::format("complex numbers of {} bytes", bytes);
    case 'O': return "Python objects";
    case 'S':
    case 'a':
    case 'U': return "text";
    case 'M':
    case 'm': return "dates or times";
    case 'V': return "raw bytes";
    default: return "an unknown type";
  }
}

/// The header is a Python dictionary of three known keys; this reads that and no more.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void read(NpyHeader& header) {
    bool has_type = false, has_order = false, has_shape = false;
    for (expect('{'); !accept('}'); accept(',')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") read_type(header), has_type = true;
      else if (key == "fortran_order") read_order(header), has_order = true;
      else if (key == "shape") read_shape(header), has_shape = true;
      else reject(fmt::format("the key \"{}\"", key));
    }
    if (!has_type || !has_order || !has_shape)
      reject(fmt::format("no key \"{}\"", !has_type ? "descr" : !has_order ? "fortran_order" : "shape"));
  }

 private:
  [[noreturn]] void reject(const std::string& found) const {
    fail(file_finding(Code::file_format, file_, "the header of this .npy file cannot be read",
                      "a dictionary with the keys descr, fortran_order and shape", found,
                      "saving the array again with numpy.save"));
  }
  void skip_spaces() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_spaces();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) reject(text_.empty() ? "its end" : fmt::format("'{}' in place of '{}'", text_[0], c));
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  std::string quoted() {
    skip_spaces();
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) reject("text without an end");
    const std::string word(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return word;
  }

  [[noreturn]] void reject_type(const std::string& found) const {
    fail(file_finding(Code::element_type, file_, "the type of the elements of this .npy file is not supported",
                      "i2, i4, i8, f4, f8, c8 or c16", found, "saving it as float64: numpy.save(name, array.astype(\"f8\"))"));
  }
  void read_type(NpyHeader& header) {
    skip_spaces();
    if (!text_.empty() && text_[0] == '[') reject_type("records of several fields");
    const std::string descr = quoted();
    const std::size_t start = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos ? 1 : 0;
    const std::string_view code = std::string_view(descr).substr(start);
    const auto* known = std::find_if(types.begin(), types.end(), [&](const TypeName& type) { return type.code == code; });
    if (known == types.end()) reject_type(fmt::format("{} ({})", type_in_words(code), descr));
    header.dtype = known->dtype;
    header.is_big_endian = descr[0] == '>' || (descr[0] != '<' && std::endian::native == std::endian::big);
  }
  void read_order(NpyHeader& header) {
    header.is_fortran_order = accept_word("True");
    if (!header.is_fortran_order && !accept_word("False")) reject("a value of fortran_order other than True or False");
  }
  void read_shape(NpyHeader& header) {
    expect('(');
    while (!accept(')')) {
      std::int64_t extent = 0;
      skip_spaces();
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error == std::errc::result_out_of_range) reject("an extent beyond 63 bits");
      if (error != std::errc() || extent < 0) reject("a shape that is not a list of extents");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      accept('L');  // Python 2
      header.extents.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
};

void swap_bytes(std::byte* data, std::int64_t bytes, std::int64_t width) {
  for (std::byte* number = data; number < data + bytes; number += width) std::reverse(number, number + width);
}

/// Swaps the real and the imaginary part of complex numbers separately.
std::int64_t width_of(Dtype type) { return type == Dtype::c64 || type == Dtype::c128 ? size_of(type) / 2 : size_of(type); }

std::int64_t bytes_in(const NpyHeader& header, const std::string& file) {
  try {
    std::int64_t bytes = 0;
    if (!__builtin_mul_overflow(element_count(header.extents), size_of(header.dtype), &bytes)) return bytes;
  } catch (const Error&) {  // reported below, with the file
  }
  fail(file_finding(Code::extent, file, "the extents of this tensor overflow", "fewer than 9223372036854775808 bytes",
                    text_of(header.extents), "checking the shape in the header of the file"));
}

}  // namespace

bool is_npy(const std::string& bytes) { return bytes.compare(0, magic.size(), magic) == 0; }

NpyHeader npy_header(const std::string& bytes, const std::string& file) {
  const auto byte_at = [&](std::size_t n) { return std::int64_t{static_cast<unsigned char>(bytes[n])}; };
  const auto require_size = [&](std::int64_t wanted) {
    if (static_cast<std::int64_t>(bytes.size()) < wanted)
      fail(file_finding(Code::file_truncated, file, "this .npy file ends within its header",
                        fmt::format("at least {} bytes", wanted), fmt::format("{} bytes", bytes.size()), "copying the file again"));
  };
  require_size(10);
  NpyHeader header;
  header.version = static_cast<int>(byte_at(6));
  if (header.version < 1 || header.version > 3)
    fail(file_finding(Code::file_format, file, "the version of this .npy file is not supported", "version 1, 2 or 3",
                      fmt::format("version {}", header.version), "saving the array again with numpy.save"));
  std::int64_t start = 10, length = byte_at(8) + 256 * byte_at(9);
  if (header.version > 1) {
    require_size(12);
    start = 12;
    length += 65536 * (byte_at(10) + 256 * byte_at(11));
  }
  header.data_start = start + length;
  require_size(header.data_start);
  const std::string_view text(bytes);
  HeaderParser(text.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(length)), file).read(header);
  bytes_in(header, file);
  return header;
}

Dense npy_elements(const NpyHeader& header, const std::string& bytes, const std::string& file) {
  const std::int64_t wanted = bytes_in(header, file), present = static_cast<std::int64_t>(bytes.size()) - header.data_start;
  if (present != wanted) {
    const std::string expected = fmt::format("{} bytes: {} elements of {} bytes after a header of {}", header.data_start + wanted,
                                             element_count(header.extents), size_of(header.dtype), header.data_start);
    const std::string found = fmt::format("{} bytes", bytes.size());
    if (present < wanted)
      fail(file_finding(Code::file_truncated, file, "this .npy file is truncated", expected, found, "copying the file again"));
    fail(file_finding(Code::file_format, file, "this .npy file is longer than its header says", expected, found,
                      "saving the array alone with numpy.save"));
  }
  Dense stored = Dense::zeros(header.dtype, header.extents);
  if (wanted > 0) std::memcpy(stored.view().address(), bytes.data() + header.data_start, static_cast<std::size_t>(wanted));
  if (header.is_big_endian != (std::endian::native == std::endian::big))
    swap_bytes(static_cast<std::byte*>(stored.view().address()), wanted, width_of(header.dtype));
  if (!header.is_fortran_order || header.extents.size() < 2) return stored;
  const Extents reversed(header.extents.rbegin(), header.extents.rend()), strides = row_major(reversed);
  return Dense::copy(ConstArray(stored.view().data, header.dtype, header.extents, Extents(strides.rbegin(), strides.rend())));
}

std::string npy_bytes(const ConstArray& array) {
  const Dense elements = Dense::copy(array);
  const auto* type = std::find_if(types.begin(), types.end(), [&](const TypeName& t) { return t.dtype == array.dtype; });
  std::string shape;
  for (std::int64_t extent : array.extents) shape += fmt::format("{}, ", extent);
  if (array.extents.size() > 1) shape.resize(shape.size() - 2);
  if (array.extents.size() == 1) shape.pop_back();
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   std::endian::native == std::endian::little ? '<' : '>', type->code, shape);
  constexpr std::size_t prefix = 10, alignment = 64;
  header.append(alignment - (prefix + header.size() + 1) % alignment, ' ');
  header += '\n';

  std::string bytes(magic);
  bytes += {'\x01', '\x00', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  bytes += header;
  const std::size_t start = bytes.size();
  bytes.resize(start + static_cast<std::size_t>(elements.bytes()));
  if (elements.bytes() > 0) std::memcpy(bytes.data() + start, elements.view().data, static_cast<std::size_t>(elements.bytes()));
  return bytes;
}

}  // namespace tyto::tensor
