#pragma once
/// Writes JSON text piece by piece; reads nothing. Numbers are the shortest that read back to the same double.
#include <cstdint>
#include <string>
#include <vector>

namespace tyto::result {

enum class JsonStyle { indented, one_line };

/// "text" with quotes, as JSON wants it; bytes above 127 are passed on as UTF-8.
std::string json_quoted(const std::string& text);
/// A JSON number, or null where it is not finite.
std::string json_number(double);

/// Calls nest as the text does; the caller closes what it opens. Inside an object every value follows its key.
class JsonWriter {
 public:
  explicit JsonWriter(JsonStyle style) : style_(style) {}
  JsonWriter& open_object();
  JsonWriter& close_object();
  JsonWriter& open_array(bool on_one_line = false);  ///< on_one_line: [5, 201, 61] also in indented text
  JsonWriter& close_array();
  JsonWriter& key(const std::string&);
  JsonWriter& text(const std::string&);
  JsonWriter& number(double);  ///< null where not finite
  JsonWriter& integer(std::int64_t);
  JsonWriter& null();
  JsonWriter& raw(const std::string& json);  ///< a value that is JSON text already
  /// The text so far.
  const std::string& str() const { return text_; }

 private:
  struct Level {
    bool on_one_line, empty;
  };
  void begin_value();
  void begin_line();
  JsonWriter& open(char bracket, bool on_one_line);
  JsonWriter& close(char bracket);
  JsonStyle style_;
  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace tyto::result
