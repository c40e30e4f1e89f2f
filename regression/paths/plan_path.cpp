// Plans the contraction of networks in files and prints, for each, the seconds of processor time and the pairs: what compare.py
// runs. A file has a line of extents, a line of output labels, and a line of labels for each operand.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include "cost/path.hpp"

namespace {

std::vector<std::int64_t> numbers(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::int64_t> result;
  for (std::int64_t k = 0; in >> k;) result.push_back(k);
  return result;
}

tyto::cost::Network network_of(const char* file) {
  std::ifstream in(file);
  tyto::cost::Network network;
  std::string line;
  for (int row = 0; std::getline(in, line); ++row) {
    const std::vector<std::int64_t> values = numbers(line);
    const tyto::einsum::Labels labels(values.begin(), values.end());
    if (row == 0) network.extents = values;
    else if (row == 1) network.subscripts.output = labels;
    else network.subscripts.inputs.push_back(labels);
  }
  return network;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

int main(int count, char** arguments) {
  for (int k = 1; k < count; ++k) {
    const tyto::cost::Network network = network_of(arguments[k]);
    const double start = processor_seconds();
    const tyto::cost::Path path = tyto::cost::best_path(network);
    std::printf("%.6f", processor_seconds() - start);
    for (const auto& [left, right] : path.pairs) std::printf(" %d %d", left, right);
    std::printf("\n");
  }
  return count > 1 ? 0 : 2;
}
