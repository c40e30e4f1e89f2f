// From the events of the YAML parser to a tree with places. What the keys mean is not known here.
#include "config/node.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "error/fail.hpp"

namespace tyto::config {
namespace {

constexpr std::size_t level_limit = 100;
constexpr std::int64_t value_limit = 100000;

/// What the parser says, in words of somebody who writes configs, and what usually mends it.
struct Translation {
  std::string_view theirs, ours, hint;
};

constexpr Translation tab = {"illegal tab when looking for indentation", "a tab where the line is indented", "spaces"};
constexpr Translation colon = {"illegal map value", "a second ':' on one line", "quoting the value that contains ': '"};
constexpr Translation deep = {"illegal map value", "a key that is indented deeper than the one above it", "the same indentation"};
constexpr Translation translations[] = {
    {"end of map not found", "this line does not continue the mapping above it", "indenting it like the keys above"},
    {"end of map flow not found", "a '{' is never closed, or a comma is missing", "a '}' or a ',' before this place"},
    {"end of sequence not found", "this line does not continue the list above it", "indenting it like the items above"},
    {"end of sequence flow not found", "a '[' is never closed, or a comma is missing", "a ']' or a ',' before this place"},
    {"illegal block entry", "a '- ' where no list item can begin", "the item on a line of its own"},
    {"illegal flow end", "a '}' or ']' that nothing opened", "removing it"},
    {"the referenced anchor is not defined", "an alias without its anchor", "quoting it if it is meant as a text"},
    {"illegal EOF in scalar", "a quoted text that never ends", "a closing quote"},
};

/// The parser says "illegal map value" of several faults, which only the line up to the fault tells apart.
Translation translated(const std::string& message, const std::string& line, int column) {
  const std::string before = line.substr(0, static_cast<std::size_t>(column));
  if (message == tab.theirs || before.find('\t') < before.find_first_not_of(" \t")) return tab;
  if (message == colon.theirs) return before.find(": ") == std::string::npos ? deep : colon;
  for (const Translation& known : translations) {
    if (message == known.theirs) return known;
  }
  return {message, "", "quoting the text if it is meant as one"};
}

std::string line_of(const std::string& text, int line) {
  std::istringstream stream(text);
  std::string content;
  for (int k = 0; k <= line && std::getline(stream, content); ++k) continue;
  return content;
}

std::string trimmed(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t\r");
  const std::size_t end = line.find_last_not_of(" \t\r");
  return start == std::string::npos ? "" : line.substr(start, std::min<std::size_t>(end - start + 1, 80));
}

[[noreturn]] void fail_syntax(const Where& where, std::string what, std::string found, std::string hint) {
  fail(Finding{.code = Code::syntax, .where = where, .what = std::move(what), .found = std::move(found), .hint = std::move(hint)});
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string name) : name_(std::move(name)) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_begun_) fail_syntax(place(mark), "a second YAML document begins here", {}, "one file for each run");
    has_begun_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add({.where = place(mark)}, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    add({.form = Node::Form::scalar, .where = place(mark), .text = value, .is_quoted = tag != "?"}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail_syntax(place(mark), "an alias stands inside its own anchor", {}, "writing the value out");
    value_count_ += count(found->second);
    limit_values(place(mark));
    add(found->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open({.form = Node::Form::list, .where = place(mark)}, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open({.form = Node::Form::mapping, .where = place(mark)}, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
  };

  Where place(const YAML::Mark& mark) const {
    return mark.is_null() ? Where{.file = name_} : Where{.file = name_, .line = mark.line + 1, .column = mark.column + 1};
  }
  void limit_values(const Where& where) const {
    if (value_count_ > value_limit) fail_syntax(where, "there are more than 100000 values", {}, "data in a file of its own");
  }
  static std::int64_t count(const Node& node) {
    std::int64_t sum = 1;
    for (const Node& item : node.items) sum += count(item);
    for (const Entry& entry : node.entries) sum += count(entry.value);
    return sum;
  }
  void open(Node node, YAML::anchor_t anchor) {
    if (frames_.size() >= level_limit) fail_syntax(node.where, "values are nested more than 100 levels deep", {}, "a flatter file");
    frames_.push_back({std::move(node), anchor});
  }
  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    add(std::move(frame.node), frame.anchor);
  }
  void add(Node node, YAML::anchor_t anchor) {
    ++value_count_;
    limit_values(node.where);
    if (anchor != 0) anchors_[anchor] = node;
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = frames_.back();
    if (parent.node.form == Node::Form::list) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      if (node.form != Node::Form::scalar) fail_syntax(node.where, "a key is not a text", name_of(node), "a name before the ':'");
      parent.node.entries.push_back({.key = node.text, .where = node.where});
      parent.has_key = true;
    } else {
      Entry& entry = parent.node.entries.back();
      entry.value = std::move(node);
      if (entry.value.form == Node::Form::nothing) entry.value.where = entry.where;
      parent.has_key = false;
    }
  }

  std::string name_;
  bool has_begun_ = false;
  std::int64_t value_count_ = 0;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Node> anchors_;
  Node root_;
};

}  // namespace

const Node* Node::find(const std::string& key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

Node parse_yaml(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos) fail_syntax({.file = name}, "this is not a text file", {}, "a YAML file");
  TreeBuilder builder(name);
  // Without white space at the end: only so does the parser notice a quote that is never closed.
  const std::string content = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  try {
    std::istringstream stream(content);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    const Where where = {.file = name, .line = error.mark.line + 1, .column = error.mark.column + 1};
    const std::string line = line_of(content, error.mark.line);
    const Translation translation = translated(error.msg, line, error.mark.column);
    const std::string what = translation.ours.empty() ? "this is not YAML: " + error.msg : std::string(translation.ours);
    fail_syntax(where, what, trimmed(line), std::string(translation.hint));
  }
  return builder.take();
}

std::string name_of(const Node& node) {
  switch (node.form) {
    case Node::Form::nothing: return "nothing";
    case Node::Form::list: return "a list";
    case Node::Form::mapping: return "a mapping";
    case Node::Form::scalar: break;
  }
  return node.is_quoted ? '"' + node.text + '"' : node.text;
}

}  // namespace tyto::config
