#pragma once
// Runs of cp-als from C++, each explained first and its reported error compared with plain loops.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include "objectives/plain.hpp"
#include "tensor/write.hpp"
#include "tyto/session.hpp"

namespace tyto::session {

using plain::Table;

/// The folder of this process, gone when it ends.
inline const std::filesystem::path& scratch() {
  static const struct Scratch {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("tyto_session_" + std::to_string(getpid()));
    ~Scratch() { std::filesystem::remove_all(path); }
  } folder;
  return folder.path;
}

/// A new, empty folder.
inline std::string fresh_folder(const std::string& name) {
  const std::filesystem::path folder = scratch() / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

/// Writes FOLDER/NAME.npy and returns its path.
inline std::string written(const std::string& folder, const std::string& name, const Table& t) {
  const std::string path = folder + "/" + name + ".npy";
  tensor::write_npy(path, ConstArray(t.values.data(), t.extents));
  return path;
}

inline std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// `yaml` is what a run file has besides algorithm and settings.
inline Session cp_als(int rank, const std::string& yaml) {
  return Session::from_text("algorithm: cp-als\nsettings: {rank: " + std::to_string(rank) + "}\n" + yaml);
}
inline Session cp_als(const Table& x, int rank, const std::string& yaml) {
  Session session = cp_als(rank, yaml);
  session.input("X", ConstArray(x.values.data(), x.extents));
  return session;
}

inline Table table_of(const Result& r, const std::string& name) { return {r.array(name).extents, r.array(name).values}; }

/// The tensor that the factors of a CP result stand for.
inline Table model_of(const Result& r) {
  const std::string modes = std::string("ijklmn").substr(0, r.unknowns.size());
  std::vector<Table> tables;
  for (const std::string& name : r.unknowns) tables.push_back(table_of(r, name));
  std::vector<plain::Factor> factors;
  for (std::size_t n = 0; n < modes.size(); ++n) factors.push_back({tables[n], std::string{modes[n], 'r'}});
  return plain::contract(factors, modes);
}

/// |sqrt(w) (x - model)| / |sqrt(w) x|, 0 for the zero tensor.
inline double relative_error(const Table& x, const Table& model, const Table* weights = nullptr) {
  long double residual = 0, data = 0;
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    const long double w = weights == nullptr ? 1 : weights->values[k],
                      difference = static_cast<long double>(x.values[k]) - model.values[k];
    residual += w * difference * difference, data += w * static_cast<long double>(x.values[k]) * x.values[k];
  }
  return data == 0 ? 0 : static_cast<double>(std::sqrt(residual / data));
}

/// Equal to max(relative, 1e-15 absolute).
inline bool close(double found, double expected, double relative) {
  return std::abs(found - expected) <= std::max(relative * std::abs(expected), 1e-15);
}

inline bool is_finite(const Result& r) {
  bool finite = std::isfinite(r.relative_error);
  for (const auto& [name, array] : r.values)
    for (const double v : array.values) finite = finite && std::isfinite(v);
  return finite;
}

/// The result, after a look at the plan. The relative error that it reports is that of its factors.
inline Result checked(Session session, const Table& x, const Table* weights = nullptr) {
  BOOST_TEST(session.explain().find("cp-als") != std::string::npos);
  Result r = session.run();
  const double expected = relative_error(x, model_of(r), weights);
  BOOST_TEST(close(r.relative_error, expected, 1e-6), "reported " << r.relative_error << ", is " << expected);
  BOOST_TEST(is_finite(r));
  return r;
}
inline Result checked(const Table& x, int rank, const std::string& yaml) { return checked(cp_als(x, rank, yaml), x); }

/// Runs `body`, which must throw an Error of exactly that text.
template <class Body>
void check_error(const std::string& text, Body&& body) {
  try {
    body();
    BOOST_ERROR("no error where this was expected: " << text);
  } catch (const Error& error) {
    BOOST_TEST(error.what() == text);
  }
}

/// A tensor of that rank with random factors, and noise of that size relative to it.
inline Table of_rank(const std::vector<std::int64_t>& extents, std::int64_t rank, unsigned seed, double noise = 0) {
  const std::string modes = std::string("ijklmn").substr(0, extents.size());
  std::vector<Table> tables;
  for (std::size_t n = 0; n < extents.size(); ++n)
    tables.push_back(plain::random({extents[n], rank}, seed + static_cast<unsigned>(n)));
  std::vector<plain::Factor> factors;
  for (std::size_t n = 0; n < extents.size(); ++n) factors.push_back({tables[n], std::string{modes[n], 'r'}});
  Table x = plain::contract(factors, modes);
  const Table e = plain::random(extents, seed + 99);
  const double size = noise * plain::norm(x.values) / plain::norm(e.values);
  for (std::size_t k = 0; k < x.values.size(); ++k) x.values[k] += size * e.values[k];
  return x;
}

inline Table times(Table x, double factor) {
  for (double& v : x.values) v *= factor;
  return x;
}

}  // namespace tyto::session
