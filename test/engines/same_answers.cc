#include "same_answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "case_request.h"
#include "harness/golden_case.h"

namespace tacit::golden {

using neighbours::World;

namespace {

const std::map<std::string, std::vector<std::pair<std::string, Case>>>& CasesByDatabase() {
  static const auto* const all = [] {
    auto* const cases = new std::map<std::string, std::vector<std::pair<std::string, Case>>>();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
      if (entry.path().extension() == ".test") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      const std::vector<Case> read = ReadCases(file.string()).value();
      for (const Case& test : read) {
        const std::string place = file.filename().string() + ":" + std::to_string(test.line);
        (*cases)[test.database].emplace_back(place, test);
      }
    }
    return cases;
  }();
  return *all;
}

std::string Rows(const engine::PackedRows& rows) {
  std::string text;
  for (const std::vector<engine::Value>& row : rows) {
    for (const engine::Value& value : row) text += engine::ToText(value) + "|";
    text += "\n";
  }
  return text;
}

// "the engine has no X that gives ..."
std::string WhatIsMissing(const Error& error) {
  const std::string before = "has no ", after = " that gives";
  const size_t begin = error.public_message.find(before) + before.size();
  return error.public_message.substr(begin, error.public_message.find(after) - begin);
}

}  // namespace

std::string Compared::List() const {
  std::string list;
  for (const auto& [what, count] : by_name) list += std::to_string(count) + " " + what + "\n";
  return list;
}

void ExpectSameSchema(const policy::Schema& one, const policy::Schema& other, bool has_intervals) {
  ASSERT_EQ(one.tables.size(), other.tables.size());
  for (const policy::SchemaTable& table : one.tables) {
    const policy::SchemaTable* found = other.Find(table.name);
    ASSERT_NE(found, nullptr) << table.name;
    ASSERT_EQ(table.columns.size(), found->columns.size()) << table.name;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      policy::SchemaColumn column = found->columns[i];
      column.without_rule = table.columns[i].without_rule;  // each engine's own name
      EXPECT_TRUE(policy::SameName(column.name, table.columns[i].name)) << column.name;
      column.name = table.columns[i].name;  // Trino's are of small letters
      if (!has_intervals && table.columns[i].type.kind == TypeKind::kInterval) continue;
      EXPECT_EQ(table.columns[i] == column, true) << table.name << "." << column.name;
    }
  }
}

Compared CompareAnswers(const OpenOther& open, size_t stride, const CannotHold& cannot) {
  Compared compared;
  const char* only = std::getenv("TACIT_SQL_ONLY");
  size_t number = 0;
  for (const auto& [name, cases] : CasesByDatabase()) {
    if (only != nullptr && name != only) continue;
    const auto duckdb = World::Make(name, "");
    const auto here = World::Make(name, "");
    const std::unique_ptr<engine::Engine> other = open(*duckdb, name);
    const Result<policy::Schema> schema = other->ReadSchema();
    EXPECT_TRUE(schema.ok()) << name << ": " << schema.error().private_detail;
    if (!schema.ok()) continue;
    ExpectSameSchema(duckdb->schema(), *schema, !cannot);
    uint64_t seed = 1;
    for (const auto& [place, test] : cases) {
      SCOPED_TRACE(name + " " + place + "\n" + test.query);
      const gateway::Request request = neighbours::RequestOf(test);
      ++seed;
      if (number++ % stride != 0) continue;
      if (const std::string what = cannot ? cannot(name, test.query) : ""; !what.empty()) {
        ++compared.by_name[what];
        continue;
      }
      const World::Seen given = here->Ask(request, seed, other.get());
      if (given.error && given.error->rule == "engine_without_words") {
        ++compared.by_name[WhatIsMissing(*given.error)];
        continue;
      }
      const World::Seen expected = duckdb->Ask(request, seed);
      EXPECT_EQ(given.said, expected.said)
          << (given.error ? given.error->private_detail : std::string());
      EXPECT_EQ(Rows(given.rows), Rows(expected.rows));
      (given.answered ? compared.answered : compared.both_refused) += 1;
      if (given.answered && !given.cached && compared.answered % 50 == 0) {
        const World::Seen another = World::Make(name, "")->Ask(request, seed + 1'000'000);
        compared.differ += Rows(another.rows) != Rows(given.rows) ? 1 : 0;
      }
    }
  }
  return compared;
}

void ExpectKnownRefusals(const Compared& compared, const std::string& path, size_t stride,
                         const std::string& engine) {
  size_t by_name = 0;
  for (const auto& [what, count] : compared.by_name) by_name += count;
  const std::string list = compared.List();
  std::printf("%zu cases answered the same, %zu refused by both, %zu by %s alone:\n%s",
              compared.answered, compared.both_refused, by_name, engine.c_str(), list.c_str());
  if (std::getenv("TACIT_SQL_ONLY") != nullptr) return;
  EXPECT_GT(compared.differ, 0u);
  std::ifstream file(path);
  const std::string known{std::istreambuf_iterator<char>(file), {}};
  if (stride == 1) {
    EXPECT_EQ(list, known) << path << " says what is refused by name: it must not change by itself";
    return;
  }
  std::map<std::string, size_t> most;
  std::stringstream lines(known);
  size_t count = 0;
  for (std::string what; lines >> count && std::getline(lines >> std::ws, what);)
    most[what] = count;
  for (const auto& [what, times] : compared.by_name) {
    EXPECT_LE(times, most[what]) << what << " is not in " << path << ", or not so often";
  }
}

}  // namespace tacit::golden
