// From the first bytes of a file to the reader of its format.
#include "tensor/content.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include "error/fail.hpp"
#include "tensor/file.hpp"
#include "tensor/npy.hpp"
#include "tensor/text.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

constexpr const char* formats = "a .npy file, Tensor-Toolbox text (tensor, sptensor, ktensor, matrix) or FROSTT coordinates (.tns)";

struct Signature {
  std::string_view start;
  const char* name;
};
/// Files that people have instead; naming them helps more than their bytes.
constexpr std::array<Signature, 7> signatures{{{"PK\x03\x04", "a zip archive, as .npz files are"},
                                               {"\x89HDF\r\n\x1a\n", "an HDF5 file"},
                                               {"\x1f\x8b", "a file compressed by gzip"},
                                               {"%%MatrixMarket", "a MatrixMarket file"},
                                               {"MATLAB 5.0", "a MATLAB file"},
                                               {"ttensor", "a Tensor-Toolbox ttensor"},
                                               {"sumtensor", "a Tensor-Toolbox sumtensor"}}};

[[noreturn]] void fail_not_a_tensor(const std::string& file, const std::string& bytes) {
  std::string found = "the first bytes are " + first_bytes(bytes);
  for (const Signature& known : signatures)
    if (bytes.compare(0, known.start.size(), known.start) == 0) found = known.name;
  fail(file_finding(Code::file_format, file, "this is not a tensor that tyto can read", formats, found,
                    "saving the tensor with numpy.save"));
}

void require_shape(const Content& content, const std::string& file, const ReadOptions& options) {
  if (!options.shape || *options.shape == content.extents()) return;
  fail(file_finding(Code::contradiction, file, "the extents are not those given", text_of(*options.shape),
                    text_of(content.extents()), "leaving out the shape"));
}

}  // namespace

Extents Content::extents() const {
  if (const Dense* dense = std::get_if<Dense>(&value)) return dense->extents();
  if (const Coordinate* list = std::get_if<Coordinate>(&value)) return list->extents;
  return std::get<Ktensor>(value).extents();
}

Content read_content(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string file = path.string(), bytes = read_bytes(path);
  if (options.index_base && *options.index_base != 0 && *options.index_base != 1)
    fail(file_finding(Code::out_of_range, file, "indices can count from 0 or from 1", "0 or 1",
                      fmt::format("{}", *options.index_base)));
  Content content;
  content.file_bytes = static_cast<std::int64_t>(bytes.size());
  if (is_npy(bytes)) {
    const NpyHeader header = npy_header(bytes, file);
    content.format = fmt::format("npy {}.0, {} order", header.version, header.is_fortran_order ? "Fortran" : "C");
    content.value = npy_elements(header, bytes, file);
  } else if (is_tensor_text(bytes) || (path.extension() == ".tns" && bytes.find('\0') == std::string::npos)) {
    TextTensor text = read_text(bytes, file, options.index_base, options.shape);
    content.format = std::move(text.format);
    content.value = std::move(text.value);
  } else {
    fail_not_a_tensor(file, bytes);
  }
  require_shape(content, file, options);
  return content;
}

}  // namespace tyto::tensor
