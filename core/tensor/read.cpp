// Content of a file to a dense tensor, or the reason why not; and its description.
#include "tensor/read.hpp"

#include <utility>
#include "error/fail.hpp"
#include "tensor/content.hpp"
#include "tensor/file.hpp"
#include "text/quantity.hpp"
#include <fmt/format.h>

namespace tyto::tensor {
namespace {

/// Larger ktensors are described without expanding them.
constexpr std::int64_t most_elements_to_expand = std::int64_t{1} << 24;

/// Bytes of the dense tensor; as a real number, which cannot overflow.
double dense_bytes(const Extents& extents) {
  double bytes = static_cast<double>(size_of(Dtype::f64));
  for (std::int64_t extent : extents) bytes *= static_cast<double>(extent);
  return bytes;
}

std::optional<std::int64_t> count_elements(const Extents& extents) {
  try {
    return element_count(extents);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string share_of(const Coordinate& list) {
  const double share = static_cast<double>(list.entries()) / (dense_bytes(list.extents) / 8);
  const char* remark = share == 1 ? ", some of them listed twice" : "";
  return fmt::format("{} entries ({:.3g} %){}", list.entries(), 100 * share, remark);
}

std::string cost_of_dense(const Coordinate& list) {
  return fmt::format("`dense: true`, which takes {} and sets what is not listed to 0", text_of_bytes(dense_bytes(list.extents)));
}

[[noreturn]] void fail_sparse(const std::string& file, const Coordinate& list) {
  const auto elements = count_elements(list.extents);
  fail(file_finding(Code::unsupported, file, "sparse input is not part of this version",
                    fmt::format("all {} entries of {}", elements ? fmt::format("{}", *elements) : "the", text_of(list.extents)),
                    share_of(list), cost_of_dense(list)));
}

/// Runs `body`; an Error without a file gets this one.
template <class Body>
auto with_file(const std::string& file, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    std::vector<Finding> findings = error.findings();
    for (Finding& finding : findings)
      if (finding.where.file.empty()) finding.where.file = file;
    throw Error(std::move(findings));
  }
}

void describe_numbers(FileDescription& description, const ConstArray& numbers) {
  description.has_statistics = true;
  description.nonzeros = count_nonzeros(numbers);
  description.minimum = minimum(numbers);
  description.maximum = maximum(numbers);
  description.norm = frobenius_norm(numbers, NanRule::skip);
  description.non_finite = count_non_finite(numbers);
}

void describe(FileDescription& description, const Dense& dense) {
  description.dtype = dense.dtype();
  description.entries = dense.size();
  if (dense.dtype() != Dtype::c64 && dense.dtype() != Dtype::c128) describe_numbers(description, dense.view());
}

void describe(FileDescription& description, const Coordinate& list) {
  description.entries = list.entries();
  const bool is_complete = list.is_complete();
  if (is_complete) return describe_numbers(description, list.to_dense().view());
  describe_numbers(description, ConstArray(list.values.data(), Extents{list.entries()}));
  description.non_finite.first.clear();
  description.needs.push_back(cost_of_dense(list));
}

void describe(FileDescription& description, const Ktensor& terms) {
  description.entries = terms.rank();
  for (const Dense& factor : terms.factors) description.entries += factor.size();
  if (description.elements && *description.elements <= most_elements_to_expand)
    describe_numbers(description, terms.to_dense().view());
}

}  // namespace

Dense read_tensor(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string file = path.string();
  return with_file(file, [&]() -> Dense {
    Content content = read_content(path, options);
    if (Dense* dense = std::get_if<Dense>(&content.value)) return std::move(*dense);
    if (const Ktensor* terms = std::get_if<Ktensor>(&content.value)) return terms->to_dense();
    const Coordinate& list = std::get<Coordinate>(content.value);
    if (!options.dense && !list.is_complete()) fail_sparse(file, list);
    return list.to_dense();
  });
}

FileDescription describe_file(const std::filesystem::path& path, const ReadOptions& options) {
  return with_file(path.string(), [&] {
    const Content content = read_content(path, options);
    FileDescription description;
    description.format = content.format;
    description.file_bytes = content.file_bytes;
    description.extents = content.extents();
    description.elements = count_elements(description.extents);
    std::visit([&](const auto& value) { describe(description, value); }, content.value);
    if (description.non_finite.nan > 0)
      description.needs.push_back("`mask: {file: ...}` with 0 where NaN is and 1 elsewhere, and any number in place of NaN");
    if (description.non_finite.inf > 0) description.needs.push_back("finite numbers in place of infinite ones");
    return description;
  });
}

}  // namespace tyto::tensor
