// The order of writing, and what an earlier run left behind.
#include "result/write.hpp"
#include "result/history.hpp"
#include "result/ktensor.hpp"
#include "result/names.hpp"
#include "result/plots.hpp"
#include "result/report.hpp"
#include "error/fail.hpp"
#include "tensor/ktensor.hpp"
#include "tensor/write.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <complex>
#include <system_error>

namespace tyto::result {
namespace {
namespace fs = std::filesystem;

void make_folder(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code)
    fail(Code::output, fmt::format("cannot create the folder {}", path.string()), {}, code.message(), "another output.directory");
}

/// Empty where they are real.
std::vector<std::complex<double>> complex_values(const NamedArray& a) {
  std::vector<std::complex<double>> numbers;
  for (std::size_t k = 0; k < a.imaginary.size(); ++k) numbers.emplace_back(a.values[k], a.imaginary[k]);
  return numbers;
}

/// What a file takes; `numbers` holds those of complex arrays.
ConstArray view_of(const NamedArray& a, const std::vector<std::complex<double>>& numbers) {
  return numbers.empty() ? ConstArray(a.values.data(), a.extents) : ConstArray(numbers.data(), a.extents);
}

void write_arrays(const fs::path& folder, const std::string& kind, const Result& result, const std::vector<std::string>& names) {
  const std::vector<std::string> files = array_files(kind, names);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const NamedArray* a = find_array(result, names[n]);
    if (!a || (kind == "observed" && a->extents.empty())) continue;  // observed numbers stand in result.json
    make_folder(folder / kind);
    const std::vector<std::complex<double>> numbers = complex_values(*a);
    tensor::write_npy(folder / files[n], view_of(*a, numbers));
  }
}

void write_unknowns(const fs::path& file, const tensor::Container& format, const Result& result) {
  const std::vector<std::string> datasets = array_files("", result.unknowns, "");
  std::vector<std::vector<std::complex<double>>> complex(result.unknowns.size());
  std::vector<tensor::NamedView> arrays;
  for (std::size_t n = 0; n < result.unknowns.size(); ++n) {
    const NamedArray* a = find_array(result, result.unknowns[n]);
    if (!a) continue;
    complex[n] = complex_values(*a);
    arrays.emplace_back(datasets[n], view_of(*a, complex[n]));
  }
  tensor::write_file(file, format.bytes(arrays));
}

/// Removes the arrays or plots of an earlier run; the folder too when nothing else is in it. Other files are not ours.
void remove_files(const fs::path& folder, const char* extension) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == extension && entry.is_regular_file(ignored)) stale.push_back(entry.path());
  for (const fs::path& path : stale) fs::remove(path, ignored);
  fs::remove(folder, ignored);
}

void remove_earlier_run(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / "result.json", ignored);
  fs::remove(folder / "ktensor.txt", ignored);
  fs::remove(folder / "unknowns.h5", ignored);
  fs::remove(folder / "report.html", ignored);
  remove_files(folder / "unknowns", ".npy");
  remove_files(folder / "observed", ".npy");
  remove_files(folder / "plots", ".svg");
}

void write_ktensor_text(const fs::path& path, const Record& record) {
  if (!why_not_ktensor(record).empty()) return;
  const Ktensor k = normalized_ktensor(record);
  std::vector<ConstArray> factors;
  for (const NamedArray& a : k.factors) factors.emplace_back(a.values.data(), a.extents);
  tensor::write_ktensor(path, k.weights, factors);
}

void write_plots(const fs::path& folder, const Record& record) {
  for (const Plot& plot : plots(record)) {
    make_folder(folder / "plots");
    tensor::write_file(folder / plot.file, plot.svg);
  }
}

}  // namespace

void write_result(const fs::path& folder, const Record& record, const Formats& formats) {
  with_context("while writing the result", [&] {
    remove_earlier_run(folder);
    std::string history;
    for (const Progress& progress : record.result.history) history += history_line(progress) + "\n";
    tensor::write_file(folder / "history.jsonl", history);
    if (formats.npy) {
      write_arrays(folder, "unknowns", record.result, record.result.unknowns);
      write_arrays(folder, "observed", record.result, record.result.observed);
    }
    if (formats.hdf5 != nullptr) write_unknowns(folder / "unknowns.h5", *formats.hdf5, record.result);
    if (formats.ktensor) write_ktensor_text(folder / "ktensor.txt", record);
    if (formats.report) tensor::write_file(folder / "report.html", report_html(record));
    if (formats.plots) write_plots(folder, record);
    tensor::write_file(folder / "result.json", result_json(record, formats));
  });
}

}  // namespace tyto::result
