#include "arguments.hpp"
#include <sstream>

namespace tyto::benchmarks {

Arguments::Arguments(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw Error({.code = Code::syntax, .what = "a word of a case is no argument", .expected = "key=value", .found = word});
    values_[word.substr(0, equals)] = word.substr(equals + 1);
  }
}

const std::string& Arguments::text(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end())
    throw Error({.code = Code::unknown_word, .what = "a case lacks an argument", .expected = key + "=..."});
  return found->second;
}

std::int64_t Arguments::integer(const std::string& key) const { return std::stoll(text(key)); }

Dtype Arguments::dtype() const {
  if (!has("dtype")) return Dtype::f64;
  for (const Dtype type : {Dtype::f32, Dtype::f64, Dtype::c64, Dtype::c128})
    if (text("dtype") == name_of(type)) return type;
  throw Error({.code = Code::unknown_word, .what = "no such type", .expected = "f32, f64, c64 or c128", .found = text("dtype")});
}

std::vector<std::string> Arguments::switched_off() const {
  std::vector<std::string> passes;
  if (!has("off")) return passes;
  std::istringstream in(text("off"));
  for (std::string pass; std::getline(in, pass, ',');) passes.push_back(pass);
  return passes;
}

}  // namespace tyto::benchmarks
