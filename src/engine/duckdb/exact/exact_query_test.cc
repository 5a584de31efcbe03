#include "engine/duckdb/exact/exact_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/tape_entropy.h"
#include "engine/duckdb/engine.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/mode/mode.h"
#include "noise/quantile/quantile.h"
#include "noise/release.h"

namespace tacit::engine::duckdb {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Reads a Sensitive value, as only a mechanism can: the mechanism without noise.
struct Exactly {
  template <class T>
  T Apply(const T& exact, Entropy&) const {
    return exact;
  }
};
template <class T>
T Peek(const Sensitive<T>& exact) {
  tacit::testing::SeededEntropy entropy(0);
  return noise::Release(Exactly{}, exact, entropy).value();
}

plan::Release ReleaseOf(size_t keys, plan::GroupSelection selection) {
  plan::Release release{.name = "r",
                        .fingerprint = "f",
                        .exact = {},
                        .parameters = {},
                        .keys = {},
                        .selection = std::move(selection),
                        .measures = {},
                        .cost = {},
                        .scales = {},
                        .made_from = {},
                        .facts = {}};
  for (size_t i = 0; i < keys; ++i) release.keys.push_back({.name = "k1", .type = {}, .text = ""});
  release.measures.push_back({.name = "m1",
                              .aggregate = "count",
                              .text = "count(*)",
                              .column = "",
                              .mechanism = noise::DiscreteLaplace::WithScale(1).value(),
                              .step = 1,
                              .sensitivity_l1 = 1,
                              .scale = 1,
                              .moe95 = 3,
                              .cost = {}});
  return release;
}

class ExactQueryTest : public ::testing::Test {
 protected:
  ExactQueryTest() {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    const std::string path = (folder_ / "data.duckdb").string();
    {
      const Result<Database> writable = Database::OpenForImport(path, {});
      Result<Connection> connection = writable->Connect();
      Connection writer = std::move(connection).value();
      EXPECT_FALSE(
          writer.Execute("CREATE TABLE people AS SELECT * FROM (VALUES (1, 'Bob'), "
                         "(2, 'Ann'), (3, 'Bob'), (4, NULL)) AS t(id, name)"));
    }
    database_ = Database::OpenReadOnly(path, {.deadline = std::chrono::seconds(2)}).value();
    connection_ = AskerConnection::Open(*database_).value();
  }
  ~ExactQueryTest() override { std::filesystem::remove_all(folder_); }

  Result<ExactRelease> Run(const std::string& sql, const plan::Release& release,
                           const std::vector<Value>& parameters = {}) {
    return RunExact(*connection_, release, {.sql = sql}, parameters);
  }

  std::filesystem::path folder_;
  std::optional<Database> database_;
  std::optional<AskerConnection> connection_;
};

TEST_F(ExactQueryTest, PrivateGroupsAreOneSensitiveValueSortedByKey) {
  const plan::UnitsChoice choice{
      .mechanism =
          noise::TruncatedGeometric::Make({.epsilon = Epsilon(1, 1), .delta = Delta(1, 1000)})
              .value(),
      .cost = {}};
  const Result<ExactRelease> exact =
      Run("SELECT name, count(*), count(*) * 10 FROM people GROUP BY 1", ReleaseOf(1, choice));
  ASSERT_TRUE(exact.ok()) << exact.error().private_detail;
  const ExactGroups groups = Peek(*exact);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_TRUE(IsNull(groups.Key(0, 0)));
  EXPECT_EQ(ToText(groups.Key(2, 0)), "Bob");
  EXPECT_EQ(groups.Units(2), 2u);
  EXPECT_EQ(groups.Measure(2, 0), ExactNumber(Int128{20}));
}

TEST_F(ExactQueryTest, PublicGroupsAreSortedAndAKeyThatComesTwiceIsNoAnswer) {
  const auto run = [&](const std::string& keys) {
    return Run("SELECT unnest([" + keys + "]), 1", ReleaseOf(1, plan::AllGroups{}));
  };
  const Result<ExactRelease> exact = run("3, 1, 2");
  ASSERT_TRUE(exact.ok()) << exact.error().private_detail;
  const ExactGroups groups = Peek(*exact);
  ASSERT_EQ(groups.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(ToText(groups.Key(i, 0)), std::to_string(i + 1));
  EXPECT_FALSE(run("3, 1, 3").ok());
}

TEST_F(ExactQueryTest, ParametersAreBoundAndASumOverNobodyIsZero) {
  const Result<ExactRelease> exact =
      Run("SELECT sum(id) FROM people WHERE name = CAST($1 AS VARCHAR)",
          ReleaseOf(0, plan::AllGroups{}), {Value(std::string("Zoe"))});
  ASSERT_TRUE(exact.ok()) << exact.error().private_detail;
  EXPECT_EQ(Peek(*exact).Measure(0, 0), ExactNumber(Int128{0}));
}

TEST_F(ExactQueryTest, PreparingNamesTheReleasedColumnsAndFindsWrongStatements) {
  const plan::Release release = ReleaseOf(1, plan::AllGroups{});
  const auto columns =
      PrepareExact(*connection_, release, "SELECT name, count(*) FROM people GROUP BY 1");
  ASSERT_TRUE(columns.ok());
  EXPECT_EQ((*columns)[0].type, kTextType);
  EXPECT_EQ((*columns)[1].name, "m1");
  const auto wrong = PrepareExact(*connection_, release, "SELECT name, tall FROM people");
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().public_message, HasSubstr("nothing was charged"));
}

TEST_F(ExactQueryTest, EngineTextsNeverLeaveAndEveryFailureLooksTheSame) {
  std::vector<std::string> public_texts;
  for (const char* sql :
       {"SELECT CAST(name AS INTEGER) FROM people", "SELECT no_such_column FROM people",
        "SELECT error(name) FROM people", "SELECT id FROM people", "SELECT 1.5", "SELECT 1, 2",
        "SELECT count(*) FROM range(100000000) a(i), range(100000) b(j) WHERE hash(i, j) = 1"}) {
    const Result<ExactRelease> exact = Run(sql, ReleaseOf(0, plan::AllGroups{}));
    ASSERT_FALSE(exact.ok()) << sql;
    public_texts.push_back(exact.error().public_message + exact.error().hint);
    EXPECT_EQ(exact.error().code, ErrorCode::kUnavailable);
    EXPECT_FALSE(exact.error().private_detail.empty());
    EXPECT_THAT(public_texts.back(), Not(HasSubstr("Ann")));
  }
  EXPECT_THAT(public_texts, ::testing::Each(public_texts[0]));
}

TEST_F(ExactQueryTest, CountsOfValuesAreReadAsLists) {
  plan::Release release = ReleaseOf(0, plan::AllGroups{});
  release.measures[0].mechanism =
      noise::ModeSelection::Make({.values = 3, .rows_changed = 1, .epsilon = Epsilon(1, 1)})
          .value();
  const Result<ExactRelease> exact = Run("SELECT [1, 0, 3]", release);
  ASSERT_TRUE(exact.ok()) << exact.error().private_detail;
  EXPECT_EQ(Peek(*exact).Measure(0, 0), ExactNumber(std::vector<uint64_t>{1, 0, 3}));
}

TEST_F(ExactQueryTest, FullCellsAreReadWithTheirRowsAndInRisingOrderOnly) {
  plan::Release release = ReleaseOf(0, plan::AllGroups{});
  release.measures[0].mechanism =
      noise::QuantileSelection::Make(
          {.quantile = Rational(1, 2), .rows_changed = 1, .epsilon = Epsilon(1, 1), .points = 10})
          .value();
  release.measures.push_back(release.measures[0]);
  const auto run = [&](const std::string& list) {
    return Run("SELECT CAST(" + list + " AS UBIGINT[]), CAST([] AS UBIGINT[])", release);
  };
  const Result<ExactRelease> exact = run("[2, 5, 7, 1]");
  ASSERT_TRUE(exact.ok()) << exact.error().private_detail;
  EXPECT_EQ(Peek(*exact).Measure(0, 0), ExactNumber(*noise::FullCells::Of({{2, 5}, {7, 1}})));
  EXPECT_EQ(Peek(*exact).Measure(0, 1), ExactNumber(noise::FullCells()));
  EXPECT_FALSE(run("[7, 1, 2, 5]").ok());
  EXPECT_FALSE(run("[2, 5, 2, 1]").ok());
  EXPECT_FALSE(run("[2, 0]").ok());
  EXPECT_FALSE(Run("SELECT [2, 5], [2, 5]", release).ok());  // of another type
}

}  // namespace
}  // namespace tacit::engine::duckdb
