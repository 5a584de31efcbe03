#include "harness/golden_case.h"

#include <fstream>

namespace tacit::golden {
namespace {

bool TakeWord(const std::string& line, const std::string& word, std::string* rest) {
  if (line != word && !line.starts_with(word + " ")) return false;
  *rest = line == word ? "" : line.substr(word.size() + 1);
  return true;
}

}  // namespace

Result<std::vector<Case>> ReadCases(const std::string& path) {
  std::ifstream file(path);
  if (!file) return InvalidArgument("cannot read " + path);
  std::vector<Case> cases;
  std::string database;
  std::string line;
  std::string rest;
  enum class Part { kNone, kQuery, kAnswer, kExact } part = Part::kNone;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string place = path + ":" + std::to_string(number) + ": ";
    if (line.starts_with("#")) continue;
    if (line.empty()) {
      part = Part::kNone;
    } else if (TakeWord(line, "use", &rest)) {
      database = rest;
    } else if (TakeWord(line, "query", &rest)) {
      cases.push_back({number, database, rest, "", {}, {}, {}, {}});
      part = Part::kQuery;
    } else if (cases.empty() || part == Part::kNone) {
      return InvalidArgument(place + "expected use or query");
    } else if (TakeWord(line, "at", &rest)) {
      cases.back().wish = rest;
    } else if (TakeWord(line, "refuse", &rest)) {
      cases.back().refused_by = rest;
    } else if (TakeWord(line, "same", &rest)) {
      cases.back().same.push_back(rest);
    } else if (TakeWord(line, "answer", &rest)) {
      cases.back().answer.emplace();
      part = Part::kAnswer;
    } else if (TakeWord(line, "exact", &rest)) {
      cases.back().exact.emplace();
      part = Part::kExact;
    } else if (!line.starts_with("  ")) {
      return InvalidArgument(place + "unknown word");
    } else if (part == Part::kQuery) {
      cases.back().query += "\n" + line;
    } else {
      auto& lines = part == Part::kAnswer ? cases.back().answer : cases.back().exact;
      lines->push_back(line.substr(2));
    }
  }
  return cases;
}

}  // namespace tacit::golden
