#include "suite.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tacit::bench {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string With(std::string text, const std::string& word, const std::string& value) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    text.replace(at, word.size(), value);
    at += value.size();
  }
  return text;
}

std::vector<Case> ReadCases(const std::string& text) {
  std::vector<Case> cases;
  std::string* into = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-- case: ")) {
      cases.emplace_back().name = line.substr(9);
      into = &cases.back().tacit;
    } else if (line.starts_with("-- goal: ")) {
      cases.back().goal = std::atof(line.c_str() + 9);
    } else if (line == "-- plain") {
      into = &cases.back().plain;
    } else if (line == "-- rewriting") {
      into = &cases.back().rewriting;
    } else if (into != nullptr && !line.starts_with("--") && !line.empty()) {
      *into += (into->empty() ? "" : " ") + line;
    }
  }
  for (Case& each : cases) {
    if (each.plain.empty()) each.plain = each.tacit;
  }
  return cases;
}

}  // namespace

Suite Suite::Read(const std::string& folder, long rows, const std::string& source) {
  const auto filled = [&](const char* name) {
    std::string text = With(TextOf(folder + "/" + name), "{rows}", std::to_string(rows));
    text = With(std::move(text), "{units}", std::to_string(rows / 10));
    return With(std::move(text), "{source}", source);
  };
  const bool made = source.empty() && std::ifstream(folder + "/made_rows.sql").good();
  return {.policy = TextOf(folder + "/policy.yaml"),
          .statements = filled(made ? "made_rows.sql" : "rows.sql"),
          .cases = ReadCases(filled("cases.sql"))};
}

}  // namespace tacit::bench
