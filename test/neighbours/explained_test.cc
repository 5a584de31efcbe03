#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "harness/golden_case.h"
#include "world.h"

// What an analyst is told about a question for free names nothing that the owner hides: of every
// query of test/sql all columns that it does not name are hidden, and no word of its explanation or
// of its refusal is the name of one.

namespace tacit::neighbours {
namespace {

constexpr char kAnalyst[] = "ana";

std::vector<golden::Case> AllCases() {
  std::vector<golden::Case> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
    if (entry.path().extension() != ".test") continue;
    const Result<std::vector<golden::Case>> read = golden::ReadCases(entry.path().string());
    EXPECT_TRUE(read.ok()) << entry.path();
    cases.insert(cases.end(), read->begin(), read->end());
  }
  return cases;
}

std::set<std::string> WordsOf(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_') {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

// The world's policy with an analyst, and every stored column hidden that the question does not
// name and that is not called as a table is: those everybody may see.
policy::Policy Hiding(const World& world, std::set<std::string> named,
                      std::set<std::string>& hidden) {
  policy::Policy policy = world.policy();
  for (const policy::Table& table : policy.tables) named.insert(policy::FoldedName(table.name));
  named.insert({"cost", "count"});  // words of every explanation
  policy.analysts = {policy::Analyst{
      .name = kAnalyst, .place = {}, .password = "", .budget = policy.privacy.budget}};
  for (policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = world.schema().Find(table.name);
    if (table.is_public || stored == nullptr) continue;
    for (const policy::SchemaColumn& column : stored->columns) {
      const std::string name = policy::FoldedName(column.name);
      if (named.contains(name)) continue;
      hidden.insert(name);
      const auto declared = std::find_if(
          table.columns.begin(), table.columns.end(),
          [&](const policy::Column& each) { return policy::SameName(each.name, column.name); });
      if (declared != table.columns.end()) {
        declared->hidden = true;
        continue;
      }
      table.columns.push_back({.name = column.name,
                               .place = {},
                               .hidden = true,
                               .bounds = std::nullopt,
                               .span = std::nullopt,
                               .step = std::nullopt,
                               .keys = std::nullopt});
    }
  }
  return policy;
}

class Explained : public ::testing::TestWithParam<bool> {};

TEST_P(Explained, NamesNoHiddenColumnToAnAnalyst) {
  std::map<std::string, std::unique_ptr<World>> worlds;
  size_t explained = 0, owner_sees = 0;
  // Words of the examples and the sentences that all refusals of a rule have, whatever is asked.
  const std::set<std::string> usual = {"age",   "amount", "code",  "day", "id",  "joined",
                                       "level", "name",   "place", "sum", "wide"};
  size_t refused = 0;
  for (const golden::Case& test : AllCases()) {
    SCOPED_TRACE(test.query);
    if (GetParam() && test.database == "numbers") continue;  // what prepare refuses, by its types
    std::unique_ptr<World>& world = worlds[test.database];
    if (world == nullptr) world = World::Make(test.database, "", GetParam());
    std::set<std::string> hidden;
    const policy::Policy policy = Hiding(*world, WordsOf(test.query), hidden);
    gateway::Request request{.text = test.query, .analyst = kAnalyst, .request_id = "", .wish = {}};
    const std::string told = world->Explain(request, &policy);
    const bool accepted = told.starts_with("price: ");
    for (const std::string& word : WordsOf(told)) {
      EXPECT_TRUE(!hidden.contains(word) || (!accepted && usual.contains(word)))
          << word << " is hidden, and named in\n"
          << told;
    }
    ++(accepted ? explained : refused);
    if (!accepted) continue;
    request.analyst.clear();
    const std::set<std::string> words = WordsOf(world->Explain(request, &policy));
    owner_sees += std::any_of(words.begin(), words.end(),
                              [&](const std::string& word) { return hidden.contains(word); })
                      ? 1
                      : 0;
  }
  EXPECT_GT(explained, 100u);
  EXPECT_GT(refused, 100u);
  EXPECT_GT(owner_sees, 100u) << "the statements that the owner sees name hidden columns";
  std::printf("%zu questions explained, %zu with hidden names for the owner\n", explained,
              owner_sees);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Explained, ::testing::Bool(),
                         [](const ::testing::TestParamInfo<bool>& each) {
                           return each.param ? "prepared" : "imported";
                         });

}  // namespace
}  // namespace tacit::neighbours
