// Reading and drawing.
#include "contractions.hpp"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace {

PairwiseContraction read(const std::string& line, const std::string& text) {
  std::istringstream words(text);
  PairwiseContraction one;
  std::string subscripts, word;
  words >> subscripts;
  const std::size_t first = subscripts.find('-'), second = subscripts.find('-', first + 1);
  if (first == std::string::npos || second == std::string::npos) throw std::runtime_error("no OUT-LEFT-RIGHT: " + line);
  one.out = subscripts.substr(0, first);
  one.left = subscripts.substr(first + 1, second - first - 1);
  one.right = subscripts.substr(second + 1);
  while (words >> word) {
    if (word.size() > 2 && word[1] == '=') one.extents.emplace_back(word[0], std::stoll(word.substr(2)));
    else one.name = word;
  }
  for (const char letter : one.out + one.left + one.right)
    if (std::none_of(one.extents.begin(), one.extents.end(), [&](const auto& e) { return e.first == letter; }))
      throw std::runtime_error(std::string("no extent of ") + letter + ": " + line);
  return one;
}

using Engine = std::mt19937_64;

/// In [0, below); std::uniform_int_distribution draws differently in different libraries.
std::size_t draw(Engine& engine, std::size_t below) { return static_cast<std::size_t>(engine() % below); }

double elements(const PairwiseContraction& one, const std::string& letters) {
  double product = 1;
  for (const auto& [letter, extent] : one.extents)
    if (letters.find(letter) != std::string::npos) product *= static_cast<double>(extent);
  return product;
}

PairwiseContraction drawn(Engine& engine) {
  PairwiseContraction one;
  const std::size_t labels = 2 + draw(engine, 6);
  for (std::size_t k = 0; k < labels; ++k) {
    const char letter = static_cast<char>('a' + k);
    // Half of the labels are contracted or left, few are batches.
    static const std::string roles = "LLLRRRKKKB";
    const char role = roles[draw(engine, roles.size())];
    const double exponent = 1 + 5.5 * static_cast<double>(draw(engine, 1000)) / 1000;
    one.extents.emplace_back(letter, static_cast<std::int64_t>(std::exp2(exponent) + 0.5));
    if (role != 'K') one.out += letter;
    if (role != 'R') one.left += letter;
    if (role != 'L') one.right += letter;
  }
  for (std::string* letters : {&one.out, &one.left, &one.right})
    for (std::size_t k = letters->size(); k > 1; --k) std::swap((*letters)[k - 1], (*letters)[draw(engine, k)]);
  return one;
}

}  // namespace

std::vector<PairwiseContraction> read_contractions(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<PairwiseContraction> all;
  for (std::string line; std::getline(file, line);) {
    const std::string text = line.substr(0, line.find('#'));
    if (text.find_first_not_of(" \t") != std::string::npos) all.push_back(read(line, text));
  }
  return all;
}

std::vector<PairwiseContraction> random_contractions(std::size_t count, std::uint64_t seed, double most_flops,
                                                     double most_bytes) {
  Engine engine(seed);
  std::vector<PairwiseContraction> all;
  while (all.size() < count) {
    PairwiseContraction one = drawn(engine);
    if (one.left.empty() || one.right.empty()) continue;
    std::string letters;
    for (const auto& [letter, extent] : one.extents) letters += letter;
    const double flops = 2 * elements(one, letters),
                 bytes = 8 * (elements(one, one.out) + elements(one, one.left) + elements(one, one.right));
    if (flops > most_flops || bytes > most_bytes) continue;
    one.name = "random-" + std::to_string(all.size());
    all.push_back(std::move(one));
  }
  return all;
}
