// Reading a run file and overriding parts of it.
#include "config/document.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "error/fail.hpp"

namespace tyto::config {
namespace {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void fail_missing(const std::string& path) {
  const std::filesystem::path file(path);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  std::error_code ignored;
  Finding finding = {.code = Code::file_missing, .where = {.file = path}, .what = "there is no such file"};
  if (!std::filesystem::is_directory(folder, ignored)) {
    finding.found = "no folder '" + folder.string() + "'";
    finding.hint = "a path from " + std::filesystem::current_path(ignored).string();
  } else {
    const std::string near = nearest(file.filename().string(), names_in(folder));
    finding.hint = near.empty() ? "ls " + folder.string() : (file.has_parent_path() ? (folder / near).string() : near);
  }
  fail(finding);
}

std::vector<std::string> split(const std::string& key) {
  std::vector<std::string> parts(1);
  for (const char c : key) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void put_at(Node& node, const Where& where) {
  node.where = where;
  for (Node& item : node.items) put_at(item, where);
  for (Entry& entry : node.entries) {
    entry.where = where;
    put_at(entry.value, where);
  }
}

void collect_duplicates(const Node& node, const std::string& path, std::vector<Finding>& findings) {
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    collect_duplicates(node.items[k], path + "[" + std::to_string(k) + "]", findings);
  }
  for (const Entry& entry : node.entries) {
    const std::string name = path.empty() ? entry.key : path + "." + entry.key;
    const auto first =
        std::find_if(node.entries.begin(), node.entries.end(), [&](const Entry& other) { return other.key == entry.key; });
    if (&*first != &entry) {
      findings.push_back(
          {.code = Code::duplicate_key,
           .where = entry.where,
           .what = "key '" + name + "' is given twice",
           .expected = "one value",
           .found = first->where.line > 0 ? "another one at line " + std::to_string(first->where.line) : "another one",
           .hint = "removing one of them"});
    }
    collect_duplicates(entry.value, name, findings);
  }
}

}  // namespace

Document::Document(Node root, std::string name, std::string text)
    : root_(std::move(root)), name_(std::move(name)), text_(std::move(text)) {}

Document Document::from_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) fail_missing(path);
  std::ifstream file(path, std::ios::binary);
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  if (is_folder || !file) {
    fail(Finding{.code = Code::reading,
                 .where = {.file = path},
                 .what = is_folder ? "this is a folder" : "the file cannot be read",
                 .expected = "a YAML file that you may read",
                 .hint = is_folder ? "a file in it" : "chmod u+r " + path});
  }
  return from_text(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

Document Document::from_text(const std::string& text, const std::string& name) {
  Node root = parse_yaml(text, name);
  if (root.form != Node::Form::mapping) {
    const bool is_empty = root.form == Node::Form::nothing;
    fail(Finding{.code = Code::wrong_type,
                 .where = is_empty ? Where{.file = name} : root.where,
                 .what = is_empty ? "the file is empty" : "the file is not a mapping",
                 .expected = "keys such as 'algorithm: cp-als'",
                 .found = is_empty ? "" : name_of(root),
                 .hint = root.text.find(':') == std::string::npos ? "" : "a space after each ':'"});
  }
  root.where = {.file = name};
  return Document(std::move(root), name, text);
}

void Document::set(const std::string& key, const std::string& yaml) {
  const Where where = {.file = "--set " + key + "=" + yaml};
  const std::vector<std::string> parts = split(key);
  if (std::find(parts.begin(), parts.end(), "") != parts.end()) {
    fail(Finding{.code = Code::syntax, .where = where, .what = "a part of the key is empty", .hint = "--set solver.max_sweeps=5"});
  }
  Node value;
  try {
    value = parse_yaml(yaml, where.file);
  } catch (const Error& error) {
    Finding finding = error.findings().front();
    finding.where = where;
    fail(finding);
  }
  put_at(value, where);
  Node* node = &root_;
  std::string path;
  for (const std::string& part : parts) {
    if (node->form == Node::Form::list) {
      fail(Finding{.code = Code::wrong_type,
                   .where = where,
                   .what = "'" + path + "' is a list, whose items cannot be set one by one",
                   .hint = "--set " + path + "=[...], the whole list"});
    }
    if (node->form != Node::Form::mapping) *node = {.form = Node::Form::mapping, .where = where};
    path += (path.empty() ? "" : ".") + part;
    auto found = std::find_if(node->entries.begin(), node->entries.end(), [&](const Entry& entry) { return entry.key == part; });
    if (found == node->entries.end()) found = node->entries.insert(found, {.key = part, .where = where, .value = {.where = where}});
    node = &found->value;
  }
  *node = std::move(value);
}

Passage Document::passage(const std::string& text, const Where& start) const {
  return {text, start, start.file == name_ ? character_places(text_, start, text) : std::vector<CharacterPlace>{}};
}

std::vector<Finding> Document::duplicates() const {
  std::vector<Finding> findings;
  collect_duplicates(root_, "", findings);
  return findings;
}

}  // namespace tyto::config
