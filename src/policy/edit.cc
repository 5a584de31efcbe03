#include "policy/edit.h"

#include <algorithm>
#include <optional>

#include "base/secrets/digest.h"
#include "policy/schema.h"
#include "policy/yaml/tree.h"

namespace tacit::policy {
namespace {

using yaml::Node;
using Lines = std::vector<std::string>;

Lines SplitLines(const std::string& text) {
  Lines lines;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string Joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

size_t IndentOf(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}
bool IsBlank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

const std::pair<Node, Node>* Find(const Node& mapping, std::string_view key) {
  for (const auto& entry : mapping.entries) {
    if (entry.first.text == key) return &entry;
  }
  return nullptr;
}

// Names of tables ignore case; those of analysts do not, and two that differ only so are found by
// their own spelling first.
const std::pair<Node, Node>* FindName(const Node& mapping, std::string_view name) {
  if (const auto* exact = Find(mapping, name)) return exact;
  for (const auto& entry : mapping.entries) {
    if (SameName(entry.first.text, name)) return &entry;
  }
  return nullptr;
}

Error ByHand(const Place& place, std::string_view section) {
  return InvalidArgument("line " + std::to_string(place.line) + " of the policy: " +
                             std::string(section) + " is not written with one entry a line",
                         "edit it by hand, or write each entry of it on lines of its own");
}

bool StandsAlone(const Lines& lines, const Node& key) {
  const std::string& line = lines.at(static_cast<size_t>(key.place.line) - 1);
  return IndentOf(line) + 1 == static_cast<size_t>(key.place.column);
}

// The line after the last one that belongs to the key's entry.
size_t EndOf(const Lines& lines, const Node& key) {
  const size_t indent = static_cast<size_t>(key.place.column) - 1;
  size_t end = static_cast<size_t>(key.place.line);
  for (size_t i = end; i < lines.size(); ++i) {
    if (IsBlank(lines[i])) continue;
    if (IndentOf(lines[i]) <= indent) break;
    end = i + 1;
  }
  return end;
}

Lines Indented(const std::string& entry, size_t indent) {
  Lines lines = SplitLines(entry);
  for (std::string& line : lines) line.insert(0, indent, ' ');
  return lines;
}

}  // namespace

Result<std::string> WithDataVersion(const std::string& text, int64_t version) {
  TACIT_TRY(const Node root, yaml::ParseTree(text, "the policy"));
  Lines lines = SplitLines(text);
  const auto* known = Find(root, "data_version");
  if (known == nullptr) {
    const auto* format = Find(root, "tacit");
    if (format == nullptr || !StandsAlone(lines, format->first)) return ByHand({1, 1}, "it");
    lines.insert(lines.begin() + format->first.place.line,
                 "data_version: " + std::to_string(version));
    return Joined(lines);
  }
  std::string& line = lines.at(static_cast<size_t>(known->second.place.line) - 1);
  const size_t at = static_cast<size_t>(known->second.place.column) - 1;
  if (line.compare(at, known->second.text.size(), known->second.text) != 0) {
    return ByHand(known->second.place, "data_version");
  }
  line.replace(at, known->second.text.size(), std::to_string(version));
  return Joined(lines);
}

Result<std::string> WithEntry(const std::string& text, std::string_view section,
                              const std::string& entry) {
  TACIT_TRY(const Node root, yaml::ParseTree(text, "the policy"));
  Lines lines = SplitLines(text);
  const auto* found = Find(root, section);
  size_t indent = 2;
  size_t at = lines.size();
  if (found == nullptr) {
    lines.push_back("");
    lines.push_back(std::string(section) + ":");
    at = lines.size();
  } else if (found->second.kind == Node::Kind::kNull) {
    if (!StandsAlone(lines, found->first)) return ByHand(found->first.place, section);
    at = static_cast<size_t>(found->first.place.line);
  } else {
    if (found->second.entries.empty() || !StandsAlone(lines, found->second.entries[0].first)) {
      return ByHand(found->first.place, section);
    }
    indent = static_cast<size_t>(found->second.entries[0].first.place.column) - 1;
    at = EndOf(lines, found->second.entries.back().first);
  }
  const Lines added = Indented(entry, indent);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), added.begin(), added.end());
  return Joined(lines);
}

Result<std::string> WithoutEntry(const std::string& text, std::string_view section,
                                 std::string_view name) {
  TACIT_TRY(const Node root, yaml::ParseTree(text, "the policy"));
  Lines lines = SplitLines(text);
  const auto* found = Find(root, section);
  const auto* entry = found == nullptr ? nullptr : FindName(found->second, name);
  if (entry == nullptr) {
    return InvalidArgument("the policy has no " + std::string(name) + " under " +
                           std::string(section));
  }
  for (const auto& each : found->second.entries) {
    if (!StandsAlone(lines, each.first)) return ByHand(found->first.place, section);
  }
  const auto begin = lines.begin() + entry->first.place.line - 1;
  lines.erase(begin, lines.begin() + static_cast<std::ptrdiff_t>(EndOf(lines, entry->first)));
  return Joined(lines);
}

Result<std::string> WithWord(const std::string& text, std::string_view section,
                             std::string_view name, std::string_view word,
                             const std::string& value) {
  TACIT_TRY(const Node root, yaml::ParseTree(text, "the policy"));
  Lines lines = SplitLines(text);
  const auto* found = Find(root, section);
  const auto* entry = found == nullptr ? nullptr : Find(found->second, name);
  const auto* known = entry == nullptr ? nullptr : Find(entry->second, word);
  if (known == nullptr) {
    return InvalidArgument("the policy has no " + std::string(word) + " of " + std::string(name));
  }
  const Node& node = known->second;
  std::string& line = lines.at(static_cast<size_t>(node.place.line) - 1);
  const size_t at = static_cast<size_t>(node.place.column) - 1;
  // Quoted, a text may be written in many ways: only the plain one is taken.
  const std::string written =
      node.quoted && at < line.size() ? line[at] + node.text + line[at] : node.text;
  if (node.kind != Node::Kind::kScalar || line.compare(at, written.size(), written) != 0) {
    return ByHand(node.place, name);
  }
  line.replace(at, written.size(), YamlText(value));
  return Joined(lines);
}

namespace {

// One past the end of what is written at `at`: a text, plain or quoted, or something in brackets.
// Nothing where it does not end on the line.
std::optional<size_t> EndOfValue(const std::string& line, size_t at, const Node& node) {
  if (node.kind == Node::Kind::kScalar && !node.quoted) return at + node.text.size();
  int depth = 0;
  char quote = 0;
  for (size_t i = at; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else {
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    if (depth == 0 && quote == 0) return i + 1;
  }
  return std::nullopt;
}

bool IsInBraces(const Lines& lines, const Node& mapping) {
  const std::string& line = lines.at(static_cast<size_t>(mapping.place.line) - 1);
  const size_t at = static_cast<size_t>(mapping.place.column) - 1;
  return at < line.size() && line[at] == '{';
}

Result<std::string> Replaced(Lines lines, const Node& node, const std::string& value) {
  std::string& line = lines.at(static_cast<size_t>(node.place.line) - 1);
  const size_t at = static_cast<size_t>(node.place.column) - 1;
  const bool is_block = node.kind == Node::Kind::kMapping && !IsInBraces(lines, node);
  const std::optional<size_t> end =
      is_block || at >= line.size() ? std::nullopt : EndOfValue(line, at, node);
  if (!end) return ByHand(node.place, "what stands there");
  line.replace(at, *end - at, value);
  // What init left to be decided is decided now.
  constexpr std::string_view kOpen = "# DECIDE: ";
  if (const size_t mark = line.find(kOpen, at); mark != std::string::npos) {
    line.replace(mark, kOpen.size(), "# ");
  }
  return Joined(lines);
}

// One more word of a mapping.
Result<std::string> Widened(Lines lines, const Node& mapping, const std::string& entry) {
  if (!IsInBraces(lines, mapping)) {
    const Node& last = mapping.entries.back().first;
    if (!StandsAlone(lines, last)) return ByHand(mapping.place, "what stands there");
    const size_t indent = static_cast<size_t>(last.place.column) - 1;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(EndOf(lines, last)),
                 std::string(indent, ' ') + entry);
    return Joined(lines);
  }
  std::string& line = lines.at(static_cast<size_t>(mapping.place.line) - 1);
  const std::optional<size_t> end =
      EndOfValue(line, static_cast<size_t>(mapping.place.column) - 1, mapping);
  if (!end) return ByHand(mapping.place, "what stands there");
  line.insert(*end - 1, (mapping.entries.empty() ? "" : ", ") + entry);
  return Joined(lines);
}

}  // namespace

Result<std::string> WithValue(const std::string& text, const std::vector<std::string>& path,
                              const std::string& value) {
  TACIT_TRY(const Node root, yaml::ParseTree(text, "the policy"));
  const Node* node = &root;
  size_t known = 0;
  for (; known < path.size(); ++known) {
    const auto* entry = node->kind == Node::Kind::kMapping ? FindName(*node, path[known]) : nullptr;
    if (entry == nullptr) break;
    node = &entry->second;
  }
  const Lines lines = SplitLines(text);
  if (known == path.size()) return Replaced(lines, *node, value);
  if (node->kind != Node::Kind::kMapping || known == 0) {
    return ByHand(node->place, known == 0 ? path[0] : path[known - 1]);
  }
  std::string entry = value;
  for (size_t i = path.size(); i > known + 1; --i) {
    entry = "{" + YamlText(path[i - 1]) + ": " + entry + "}";
  }
  return Widened(lines, *node, YamlText(path[known]) + ": " + entry);
}

std::string YamlText(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
  static constexpr const char* kWords[] = {"null", "true", "false", "yes", "no",  "on",
                                           "off",  "y",    "n",     "row", "Null"};
  const bool word = std::any_of(std::begin(kWords), std::end(kWords),
                                [&](const char* w) { return SameName(w, text); });
  if (plain && !word) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    // YAML folds a line break into a blank, and would take the name for another.
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += "\\x" + HexOf({&c, 1});
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace tacit::policy
