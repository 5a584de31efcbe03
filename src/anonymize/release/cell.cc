#include "anonymize/release/cell.h"

#include <algorithm>

namespace tacit::anonymize {
namespace {

constexpr std::string_view kSpecial = "\\{}|";

void AppendMember(std::string_view value, std::string& text) {
  for (const char c : value) {
    if (kSpecial.find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
}

// A value that begins like a set is written as a set of one.
std::string ValueText(const std::string& value) {
  if (!value.starts_with('{')) return value;
  std::string text = "{";
  AppendMember(value, text);
  return text + "}";
}

bool ParseRange(std::string_view text, std::pair<double, double>& range) {
  const size_t dots = text.find("..");
  return dots != std::string_view::npos && ParseNumber(text.substr(0, dots), range.first) &&
         ParseNumber(text.substr(dots + 2), range.second) && range.first <= range.second;
}

void AddMember(std::string_view member, CellMeaning& meaning) {
  std::pair<double, double> range;
  if (ParseRange(member, range)) {
    meaning.ranges.push_back(range);
  } else {
    meaning.values.emplace_back(member);
  }
}

std::string NumberText(const Domain& domain, Bounds bounds) {
  const bool missing = domain.has_missing && bounds.low == 0;
  const uint32_t low = missing ? 1 : bounds.low;
  std::string range = domain.labels[low];
  if (low != bounds.high) range += ".." + domain.labels[bounds.high];
  if (!missing) return range;
  std::string text = "{";
  AppendMember(domain.labels[0], text);
  return text + "|" + range + "}";
}

}  // namespace

std::string CellText(const Domain& domain, Bounds bounds, std::span<const uint32_t> present) {
  if (bounds.suppressed()) return std::string(kSuppressed);
  if (bounds.low == bounds.high) return ValueText(domain.labels[bounds.low]);
  if (domain.kind == Kind::kNumber) return NumberText(domain, bounds);
  if (domain.kind == Kind::kHierarchy) {
    const Hierarchy& tree = *domain.hierarchy;
    return tree.nodes[tree.LowestOver(bounds.low, bounds.high)].label;
  }
  std::string text = "{";
  for (const uint32_t code : present) {
    if (text.size() > 1) text += '|';
    AppendMember(domain.labels[code], text);
  }
  return text + "}";
}

CellMeaning ParseCell(std::string_view text) {
  CellMeaning meaning;
  if (text == kSuppressed) {
    meaning.anything = true;
    return meaning;
  }
  if (text.size() < 2 || !text.starts_with('{') || !text.ends_with('}')) {
    AddMember(text, meaning);
    return meaning;
  }
  std::string member;
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) {
      member += text[++i];
    } else if (text[i] == '|') {
      AddMember(member, meaning);
      member.clear();
    } else {
      member += text[i];
    }
  }
  AddMember(member, meaning);
  return meaning;
}

bool CellMeaning::Holds(std::string_view value) const {
  if (anything || std::find(values.begin(), values.end(), value) != values.end()) return true;
  double number = 0;
  if (ranges.empty() || !ParseNumber(value, number)) {
    // 5 and 5.0 are the same number, whoever wrote them.
    double other = 0;
    return ParseNumber(value, number) &&
           std::any_of(values.begin(), values.end(), [&](const std::string& mine) {
             return ParseNumber(mine, other) && other == number;
           });
  }
  return std::any_of(ranges.begin(), ranges.end(), [&](const auto& range) {
    return range.first <= number && number <= range.second;
  });
}

}  // namespace tacit::anonymize
