#pragma once
/// What a case says beside its family: words of the form key=value.
#include <map>
#include <string>
#include <vector>
#include <tyto/array.hpp>

namespace tyto::benchmarks {

class Arguments {
 public:
  /// Throws Error{syntax} on a word that is no key=value.
  explicit Arguments(const std::vector<std::string>& words);
  /// All of these throw Error{unknown_word} for a key that is not there.
  const std::string& text(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  bool has(const std::string& key) const { return values_.count(key) > 0; }
  Dtype dtype() const;                            ///< "dtype", f64 where it is not given
  std::vector<std::string> switched_off() const;  ///< "off": passes, with commas between them

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace tyto::benchmarks
