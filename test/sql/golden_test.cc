#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "analysis/analyze.h"
#include "analysis/rules.h"
#include "base/mutant.h"
#include "base/testing/mangled.h"
#include "base/testing/tape_entropy.h"
#include "engine/duckdb/statement/statements.h"
#include "harness/describe_plan.h"
#include "harness/golden_case.h"
#include "harness/noiseless_run.h"
#include "harness/test_database.h"
#include "plan/compile.h"
#include "sql/bind/session_zone.h"
#include "sql/constants/calendar.h"
#include "sql/constants/moment.h"
#include "sql/constants/zone.h"
#include "sql/parse.h"

namespace tacit::golden {
namespace {

// TACIT_SQL_TESTS names another folder of cases; TACIT_SQL_SHOW prints what each case gives.
std::filesystem::path Folder() {
  const char* named = std::getenv("TACIT_SQL_TESTS");
  return named != nullptr ? named : TACIT_SQL_TEST_FOLDER;
}

constexpr char kZoneWord[] = "zone=";

// The session's zone, which stands among the wishes.
Result<std::shared_ptr<const TimeZone>> ReadZone(const std::string& text) {
  std::stringstream words(text);
  for (std::string word; words >> word;) {
    if (word.starts_with(kZoneWord)) return TimeZone::Find(word.substr(sizeof kZoneWord - 1));
  }
  return TimeZone::Utc();
}

Result<plan::Wish> ReadWish(const std::string& text) {
  plan::Wish wish;
  std::stringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "intervals") {
      wish.intervals = true;
      continue;
    }
    const size_t equals = word.find('=');
    if (equals == std::string::npos) return InvalidArgument("unknown wish " + word);
    if (word.starts_with(kZoneWord)) continue;
    TACIT_TRY(const Rational value, ParseRational(word.substr(equals + 1)));
    const std::string name = word.substr(0, equals);
    if (name == "epsilon") wish.epsilon = Epsilon(value);
    if (name == "delta") wish.delta = Delta(value);
    if (name == "error")
      wish.error = plan::ErrorWish{.named = {}, .others = plan::ErrorTarget{value}};
  }
  return wish;
}

Result<plan::PrivatePlan> PlanOf(const Case& test, const TestDatabase& database) {
  TACIT_TRY(const plan::Wish wish, ReadWish(test.wish));
  TACIT_TRY(const sql::Statement statement, sql::Parse(test.query));
  constexpr int64_t kNow = 19'797 * sql::kDayMicroseconds;  // 2024-03-15
  TACIT_TRY(const std::shared_ptr<const TimeZone> zone, ReadZone(test.wish));
  TACIT_TRY(const sql::Query query, sql::AtMoment(statement.query, kNow, zone.get()));
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(sql::InZone(query, zone), database.policy, database.schema,
                              sql::ZoneName(zone)));
  return plan::Compile(facts, database.policy.privacy, wish);
}

std::string Lines(std::vector<std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::string Sorted(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  return Lines(std::move(lines));
}

// Hints without anything that could be pasted, by their rules.
using WordsOnly = std::map<std::string, std::set<std::string>>;

// Rules whose hint ends with a query that would pass, always.
const std::set<std::string>& RulesWithAQuery() {
  static const std::set<std::string> rules = {
      "join_without_rule", "join_through_or",     "join_on_computed_unit", "join_on_same_name",
      "full_join",         "public_join",         "limit_below",           "distinct_on",
      "window_below",      "set_operation_below", "subquery_over_rows",    "recursive_query",
      "table_sample"};
  return rules;
}

// Rules whose hints may be words alone: what to write instead is the asker's to know, the owner's
// to decide, or nothing.
const std::set<std::string>& RulesInWords() {
  static const std::set<std::string> rules = {"",
                                              "aggregate_without_rule",
                                              "ambiguous_name",
                                              "computed_table_join",
                                              "correlated_subquery",
                                              "function_without_rule",
                                              "hidden_column",
                                              "in_subquery_below",
                                              "invalid_query",
                                              "key_type",
                                              "misplaced_aggregate",
                                              "nested_aggregate",
                                              "not_prepared",
                                              "parameter",
                                              "parent_key",
                                              "price_above_limit",
                                              "price_below_limit",
                                              "private_keys_need_delta",
                                              "too_large",
                                              "too_many_keys",
                                              "too_many_rows_per_unit",
                                              "type_without_rule",
                                              "ungrouped_column",
                                              "unit_as_key",
                                              "unknown_column",
                                              "unknown_table",
                                              "wrong_shape",
                                              "wrong_type"};
  return rules;
}
// How many there are; a new one that cannot be a statement is counted here.
constexpr size_t kHintsInWordsMax = 64;

// The end of the call that begins at `begin`, with WITHIN GROUP (...) and FILTER (...) behind it.
size_t EndOfCall(const std::string& text, size_t begin) {
  size_t at = text.find('(', begin);
  for (;;) {
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
      if (depth == 0) break;
    }
    const size_t end = at + 1;
    const bool more = text.compare(end, 14, " WITHIN GROUP ") == 0;
    if (!more) return end;
    at = text.find('(', end);
  }
}

// What stands behind these words is to be pasted over the call that was refused.
std::optional<std::string> CallIn(const std::string& hint) {
  for (const std::string words : {"write ", "bound it here: ", "Bound it here: ", "bound it: "}) {
    const size_t at = hint.find(words);
    if (at == std::string::npos) continue;
    const size_t begin = at + words.size();
    const size_t name = hint.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin);
    if (name == std::string::npos || name == begin || hint[name] != '(') continue;
    return hint.substr(begin, EndOfCall(hint, begin) - begin);
  }
  return std::nullopt;
}

// 'x' behind these words is to be pasted over the text that was refused.
std::optional<std::string> TextIn(const std::string& hint) {
  const std::string words = "write '";
  if (!hint.starts_with(words) || !hint.ends_with('\'')) return std::nullopt;
  return hint.substr(words.size() - 1);
}

// What stands behind these words is to be pasted over the column that was refused.
std::optional<std::string> AggregateIn(const std::string& hint) {
  const std::string words = "aggregate it: ";
  const size_t at = hint.find(words);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = at + words.size();
  return hint.substr(begin, EndOfCall(hint, begin) - begin);
}

size_t EndOfName(const std::string& text, size_t begin) {
  bool quoted = false;
  for (size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    const bool of_name =
        quoted || c == '"' || c == '.' || c == '_' || std::isalnum(static_cast<unsigned char>(c));
    if (!of_name) return at;
  }
  return text.size();
}

void CheckAdvised(const std::string& query, const std::string& hint, const TestDatabase& database) {
  Case advised;
  advised.query = query;
  const Result<plan::PrivatePlan> plan = PlanOf(advised, database);
  EXPECT_TRUE(plan.ok()) << "the hint's query is refused: " << query << "\n"
                         << (plan.ok() ? "" : plan.error().public_message) << "\n"
                         << hint;
}

// What a refusal advises must be good advice: a query in it is asked, and a call in it is put in
// the place of the one that was refused.
void CheckHint(const Case& test, const Error& error, const TestDatabase& database,
               WordsOnly& words_only) {
  const size_t begin = error.hint.find("SELECT");
  if (RulesWithAQuery().contains(error.rule)) {
    EXPECT_TRUE(error.position.has_value()) << error.rule << " has no place in the query";
    ASSERT_NE(begin, std::string::npos) << error.rule << " shows no query: " << error.hint;
  }
  const std::optional<std::string> call = CallIn(error.hint);
  if (const std::optional<std::string> aggregate = AggregateIn(error.hint)) {
    const auto at = static_cast<size_t>(error.position.value());
    std::string query = test.query;
    query.replace(at, EndOfName(query, at) - at, *aggregate);
    return CheckAdvised(query, error.hint, database);
  }
  if (const std::optional<std::string> text = TextIn(error.hint)) {
    const auto at = static_cast<size_t>(error.position.value());
    std::string query = test.query;
    query.replace(at, query.find('\'', at + 1) + 1 - at, *text);
    return CheckAdvised(query, error.hint, database);
  }
  if (!call && begin != std::string::npos) {
    return CheckAdvised(error.hint.substr(begin), error.hint, database);
  }
  if (!call || !error.position) {
    words_only[error.rule].insert(error.hint);
    return;
  }
  const auto at = static_cast<size_t>(*error.position);
  std::string query = test.query;
  query.replace(at, EndOfCall(query, at) - at, *call);
  CheckAdvised(query, error.hint, database);
}

// What is released is the same, number for number: the ledger replays it.
void CheckSame(const plan::PrivatePlan& plan, const Case& test, const TestDatabase& database) {
  for (const std::string& query : test.same) {
    Case other = test;
    other.query = query;
    const Result<plan::PrivatePlan> same = PlanOf(other, database);
    ASSERT_TRUE(same.ok()) << query << "\n" << same.error().public_message;
    ASSERT_EQ(same->releases.size(), plan.releases.size()) << query;
    for (size_t i = 0; i < plan.releases.size(); ++i) {
      EXPECT_EQ(same->releases[i].fingerprint, plan.releases[i].fingerprint) << query;
    }
  }
}

void CheckRefused(const Case& test, const TestDatabase& database, WordsOnly& words_only) {
  const Result<plan::PrivatePlan> plan = PlanOf(test, database);
  ASSERT_FALSE(plan.ok()) << "it was accepted:\n" << Lines(DescribePlan(*plan));
  EXPECT_EQ(plan.error().rule, *test.refused_by) << plan.error().public_message;
  CheckHint(test, plan.error(), database, words_only);
}

void CheckAnswered(const Case& test, TestDatabase& database, const std::string& place) {
  const Result<plan::PrivatePlan> plan = PlanOf(test, database);
  ASSERT_TRUE(plan.ok()) << plan.error().rule << ": " << plan.error().public_message << "\n"
                         << plan.error().hint;
  CheckSame(*plan, test, database);
  if (test.answer) {
    EXPECT_EQ(Lines(DescribePlan(*plan)), Lines(*test.answer));
  }
  // Every accepted query runs, whether or not its rows are pinned down.
  const Result<std::vector<std::string>> rows = RunWithoutNoise(*plan, *database.session);
  ASSERT_TRUE(rows.ok()) << rows.error().public_message << rows.error().private_detail << "\n"
                         << plan->post_sql;
  if (test.exact) {
    EXPECT_EQ(Sorted(*rows), Sorted(*test.exact));
  }
  if (std::getenv("TACIT_SQL_SHOW") != nullptr) {
    std::printf("%s\n%s\nanswer\n%sexact\n%s", place.c_str(), test.query.c_str(),
                Lines(DescribePlan(*plan)).c_str(), Lines(*rows).c_str());
    for (const plan::Release& release : plan->releases)
      std::printf("-- %s\n", engine::duckdb::StatementsOf(release.exact)->sql.c_str());
    std::printf("-- %s\n\n", plan->post_sql.c_str());
  }
}

// A case leaves nothing behind but temporary tables that the next one replaces, so each database is
// opened once. Never destroyed: the engine's library may be gone before.
Result<TestDatabase*> OpenOnce(const std::string& name) {
  static auto* const databases = new std::map<std::string, TestDatabase>();
  auto found = databases->find(name);
  if (found == databases->end()) {
    TACIT_TRY(TestDatabase opened, OpenTestDatabase((Folder() / "databases").string(), name));
    found = databases->emplace(name, std::move(opened)).first;
  }
  return &found->second;
}

// Each case with its database; `place` is for people.
using Visit = std::function<void(const Case&, TestDatabase&, const std::string& place)>;
void ForEachCase(const std::function<bool(size_t, const Case&)>& wanted, const Visit& visit) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(Folder())) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (size_t file = 0; file < files.size(); ++file) {
    const Result<std::vector<Case>> read = ReadCases(files[file].string());
    ASSERT_TRUE(read.ok()) << read.error().public_message;
    for (const Case& test : *read) {
      if (!wanted(file, test)) continue;
      const Result<TestDatabase*> database = OpenOnce(test.database);
      ASSERT_TRUE(database.ok()) << database.error().public_message
                                 << database.error().private_detail;
      const std::string place = files[file].filename().string() + ":" + std::to_string(test.line);
      SCOPED_TRACE(place + "\n" + test.query);
      visit(test, **database, place);
    }
  }
}

// In parts, which ctest runs side by side.
constexpr size_t kParts = 12;
class GoldenPart : public ::testing::TestWithParam<size_t> {};

TEST_P(GoldenPart, EveryCaseIsAnsweredAsWritten) {
  size_t cases = 0;
  ForEachCase(
      [](size_t file, const Case& test) { return file % kParts == GetParam() && !test.refused_by; },
      [&](const Case& test, TestDatabase& database, const std::string& place) {
        CheckAnswered(test, database, place);
        ++cases;
      });
  std::printf("%zu cases\n", cases);
  // TACIT_SQL_TESTS may have less.
  if (std::getenv("TACIT_SQL_TESTS") == nullptr) {
    EXPECT_GT(cases, 0u);
  }
}
INSTANTIATE_TEST_SUITE_P(Golden, GoldenPart, ::testing::Range(size_t{0}, kParts));

TEST(Golden, EveryCaseIsRefusedAsWrittenAndItsHintHolds) {
  WordsOnly words_only;
  size_t cases = 0;
  ForEachCase([](size_t, const Case& test) { return test.refused_by.has_value(); },
              [&](const Case& test, TestDatabase& database, const std::string&) {
                CheckRefused(test, database, words_only);
                ++cases;
              });
  size_t in_words = 0;
  for (const auto& [rule, hints] : words_only) {
    in_words += hints.size();
    EXPECT_TRUE(RulesInWords().contains(rule))
        << rule << " could show what to paste: " << *hints.begin();
  }
  EXPECT_LE(in_words, kHintsInWordsMax);
  std::printf("%zu different hints have nothing to paste, of %zu rules\n", in_words,
              words_only.size());
  std::printf("%zu cases\n", cases);
}

// What is asked by whoever has a password is planned in the gateway's own process: whatever it
// says, it goes on. Most of these are refused.
TEST_P(GoldenPart, NoQuestionEndsTheProgram) {
  tacit::testing::SeededEntropy entropy(20261118 + GetParam());
  const int rounds = std::getenv("TACIT_LONG") != nullptr ? 200 : 1;
  int planned = 0, refused = 0;
  ForEachCase([](size_t file, const Case&) { return file % kParts == GetParam(); },
              [&](const Case& test, TestDatabase& database, const std::string&) {
                const std::vector<std::string> words = tacit::testing::WordsOf(test.query);
                for (int i = 0; i < rounds; ++i) {
                  Case mangled = test;
                  mangled.query = tacit::testing::Mangled(words, entropy);
                  const Result<plan::PrivatePlan> plan = PlanOf(mangled, database);
                  (plan.ok() ? planned : refused) += 1;
                  if (plan.ok()) continue;
                  EXPECT_NE(plan.error().code, ErrorCode::kInternal) << mangled.query;
                }
              });
  std::printf("%d planned, %d refused\n", planned, refused);
  EXPECT_GT(refused, planned);
}

#ifdef TACIT_MUTANTS
// The order of one person's rows is decided by that person's own ranks under every cap, so that on
// a small database no neighbour changes it: what these guards keep out is seen in numbers that are
// wrong, and not by the adversary.
TEST(Golden, MissesTheGuardsThatNoNeighbourShows) {
  const std::pair<const char*, const char*> mutants[] = {
      {"doubles_added_in_order", "found/0018_the_order_of_addition.test"},
      {"epoch_of_a_spelling", "found/0022_seconds_of_equal_intervals.test"}};
  for (const auto& [mutant, file] : mutants) {
    const Result<std::vector<Case>> cases = ReadCases((Folder() / file).string());
    ASSERT_TRUE(cases.ok()) << cases.error().public_message;
    int wrong = 0;
    SetMutant(mutant);
    for (const Case& test : *cases) {
      Result<TestDatabase> database =
          OpenTestDatabase((Folder() / "databases").string(), test.database);
      ASSERT_TRUE(database.ok()) << database.error().public_message;
      const Result<plan::PrivatePlan> plan = PlanOf(test, *database);
      if (!plan.ok() || !test.exact) continue;
      const Result<std::vector<std::string>> rows = RunWithoutNoise(*plan, *database->session);
      wrong += !rows.ok() || Sorted(*rows) != Sorted(*test.exact) ? 1 : 0;
    }
    SetMutant("");
    EXPECT_GT(wrong, 0) << mutant;
  }
}
#endif

TEST(Golden, EveryRuleOfAnalysisIsShownRefusing) {
  std::set<std::string> shown;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
    if (entry.path().extension() != ".test") continue;
    const Result<std::vector<Case>> cases = ReadCases(entry.path().string());
    ASSERT_TRUE(cases.ok()) << cases.error().public_message;
    for (const Case& test : *cases) shown.insert(test.refused_by.value_or(""));
  }
  for (const analysis::Rule* rule : analysis::AllRules()) {
    EXPECT_TRUE(shown.contains(rule->name)) << rule->name << " has no case";
  }
}

}  // namespace
}  // namespace tacit::golden
