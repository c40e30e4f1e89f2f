// Times kernels of tyto on request: a line of standard input is a request, a line of JSON on standard output its answer, so that
// run.py can let tyto and its peers measure in turn with all of their data in memory.
//
//     prepare FAMILY key=value ...   {"sum": ..., "size": ...} of the results, and facts; or {"absent": "why"}
//     measure SECONDS                {"seconds": [...]}: of one execution each, for about so much processor time
//     drop
#include <algorithm>
#include <ctime>
#include <iostream>
#include <new>
#include <sstream>
#include "kernel.hpp"
#include "text/json.hpp"

namespace tyto::benchmarks {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<Family> families() {
  return {{"peak", peak},
          {"gemm", product},
          {"ttm", times_matrix},
          {"contraction", contraction},
          {"mttkrp", mttkrp},
          {"gradient", gradient},
          {"gauss-newton", gauss_newton},
          {"sweep", sweep},
          {"tucker-sweep", tucker_sweep},
          {"ttmc", ttmc},
          {"two-site", two_site},
          {"replay", replay},
          {"network", network},
          {"ablation", ablation}};
}

namespace {

/// A sample takes at least this long, many clock ticks.
constexpr double shortest_sample = 2e-3;
/// What takes less than this is sampled a few times however little time is asked for: what else uses the memory disturbs single ones.
constexpr double longest_sampled = 1;
constexpr std::size_t fewest_samples = 3;

std::unique_ptr<Kernel> prepared(std::istream& request) {
  std::string name;
  request >> name;
  std::vector<std::string> words;
  for (std::string word; request >> word;) words.push_back(word);
  for (const Family& family : families())
    if (family.name == name) return family.make(Arguments(words));
  throw Error({.code = Code::unknown_word, .what = "no such family of kernels", .found = name});
}

std::string described(Kernel& kernel) {
  JsonWriter json(JsonWriter::Layout::line);
  const Digest digest = kernel.digest();
  json.begin_object(JsonWriter::Layout::line).member("sum", digest.sum).member("size", digest.size);
  for (const auto& [fact, value] : kernel.facts()) json.member(fact, value);
  return json.end_object().text();
}

std::string absent(const std::string& why) {
  JsonWriter json(JsonWriter::Layout::line);
  return json.begin_object(JsonWriter::Layout::line).member("absent", why).end_object().text();
}

std::string measured(Kernel& kernel, double seconds) {
  const double once = std::max(kernel.seconds(1), 1e-9);
  const int repetitions = once >= shortest_sample ? 1 : static_cast<int>(shortest_sample / once) + 1;
  std::vector<double> samples;
  const bool is_single = once >= std::max(seconds, longest_sampled);  // one that takes all of the time is the only one
  if (is_single) samples.push_back(once);
  for (double spent = 0; !is_single && (spent < seconds || samples.size() < fewest_samples);) {
    const double taken = kernel.seconds(repetitions);
    samples.push_back(taken / repetitions);
    spent += taken;
  }
  JsonWriter json(JsonWriter::Layout::line);
  return json.begin_object(JsonWriter::Layout::line).member("seconds", samples).end_object().text();
}

std::string answer(const std::string& line, std::unique_ptr<Kernel>& kernel) {
  std::istringstream request(line);
  std::string verb;
  request >> verb;
  if (verb == "drop") return kernel = nullptr, "{}";
  if (verb == "prepare") return kernel = nullptr, kernel = prepared(request), described(*kernel);
  double seconds = 0;
  if (verb == "measure" && request >> seconds && kernel) return measured(*kernel, seconds);
  throw Error({.code = Code::syntax, .what = "a request is not understood", .expected = "prepare, measure or drop", .found = line});
}

}  // namespace
}  // namespace tyto::benchmarks

int main() {
  std::unique_ptr<tyto::benchmarks::Kernel> kernel;
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << tyto::benchmarks::answer(line, kernel) << std::endl;
    } catch (const std::bad_alloc&) {
      std::cout << tyto::benchmarks::absent("out of memory") << std::endl;
    } catch (const std::exception& error) {
      std::cout << tyto::benchmarks::absent(error.what()) << std::endl;
    }
  }
}
