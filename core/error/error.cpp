// Error and its text: one block per finding, as a compiler prints them. Out of line, so that its type information lives in libtyto.
#include "tyto/error.hpp"

#include <utility>

namespace tyto::inline v1 {
namespace {

std::string place(const Where& where) {
  std::string text = where.file;
  for (const int number : {where.line, where.line > 0 ? where.column : 0}) {
    if (number > 0) text.append(text.empty() ? "" : ":").append(std::to_string(number));
  }
  return text.empty() ? where.quote : text;
}

/// "  label     text": further lines of the text are indented to the same column.
std::string detail(std::string label, const std::string& text) {
  constexpr std::size_t width = 12;
  if (text.empty()) return {};
  std::string line = "\n  " + label;
  line.resize(width + 1, ' ');
  for (const char c : text) {
    line += c;
    if (c == '\n') line.append(width, ' ');
  }
  return line;
}

std::string without_while(const std::string& line) { return line.rfind("while ", 0) == 0 ? line.substr(6) : line; }

std::string render(const Finding& finding) {
  const std::string at = place(finding.where);
  std::string text = at.empty() ? finding.what : at + ": " + finding.what;
  if (at != finding.where.quote) text += detail("in", finding.where.quote);
  text += detail("expected", finding.expected) + detail("found", finding.found) + detail("try", finding.hint);
  for (const std::string& line : finding.context) text += detail("while", without_while(line));
  return text;
}

std::string render(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text.append(text.empty() ? "" : "\n").append(render(finding));
  return text;
}

}  // namespace

Error::Error(Finding finding) : Error(std::vector<Finding>{std::move(finding)}) {}
Error::Error(std::vector<Finding> findings) : findings_(std::move(findings)), text_(render(findings_)) {}
Error::Error(const Error&) = default;
Error& Error::operator=(const Error&) = default;
Error::~Error() = default;
const char* Error::what() const noexcept { return text_.c_str(); }
const std::vector<Finding>& Error::findings() const noexcept { return findings_; }

void Error::add_context(const std::string& line) {
  for (Finding& finding : findings_) finding.context.push_back(line);
  text_ = render(findings_);
}

}  // namespace tyto::inline v1
