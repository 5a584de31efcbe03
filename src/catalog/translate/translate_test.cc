#include "catalog/translate/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "catalog/tables/rows.h"
#include "catalog/testing/clinic.h"
#include "catalog/translate/translating.h"

namespace tacit::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TranslateTest : public ::testing::Test {
 protected:
  TranslateTest()
      : objects_(std::make_shared<const Objects>(policy_, testing::ClinicSchema())),
        store_(
            Store::Make(objects_, MakeRows(*objects_, policy_, testing::ClinicSchema())).value()),
        around_{.objects = *objects_,
                .store = store_,
                .policy = policy_,
                .asker = asker_,
                .running = false,
                .parameter_types = {},
                .parameters = {}} {}

  Result<Translation> Of(const std::string& text) {
    const sql::SharedReading reading = sql::ReadQuestion(text).value();
    return Translate(*reading->select, around_);
  }

  const policy::Policy policy_ = testing::ClinicPolicy();
  const Asker asker_ = testing::AskerAna();
  std::shared_ptr<const Objects> objects_;
  Store store_;
  Surroundings around_;
};

TEST_F(TranslateTest, NothingOfAQueryIsCopiedButNamesAndLiteralsInQuotes) {
  const Translation made =
      Of("SELECT relname AS \"x\"\"; DROP\" FROM pg_class WHERE relname = 'a''b'").value();
  EXPECT_THAT(made.sql, HasSubstr("\"x\"\"; DROP\""));
  EXPECT_THAT(made.sql, HasSubstr("'a''b'"));
  EXPECT_EQ(made.columns.size(), 1u);
  EXPECT_EQ(made.columns[0].name, "x\"; DROP");
  EXPECT_EQ(made.columns[0].type, oid::kName);
}

TEST_F(TranslateTest, WhatHasNoRuleIsAnErrorThatNamesIt) {
  const Result<Translation> made = Of("SELECT pg_read_file('/etc/passwd') FROM pg_class");
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().public_message, HasSubstr("pg_read_file"));
}

TEST_F(TranslateTest, AParametersTypeIsDecidedByItsFirstUse) {
  const Translation made = Of("SELECT 1 FROM pg_class WHERE oid = $1 AND relname = $2").value();
  EXPECT_THAT(made.parameters, ElementsAre(oid::kOid, oid::kName));
  EXPECT_THAT(made.used_parameters, ElementsAre(1, 2));
}

TEST_F(TranslateTest, SettingsAreAskedForAndNotSetWhileTranslating) {
  const Translation made = Of("SELECT set_config('search_path', '', false)").value();
  ASSERT_EQ(made.changes.size(), 1u);
  EXPECT_EQ(made.changes[0].name, "search_path");
  EXPECT_EQ(asker_.settings.count("search_path"), 0u);
}

TEST_F(TranslateTest, UntypedLiteralsTakeTheTypeOfTheirNeighbours) {
  Translating in = BeginTranslating(around_);
  Expressions both = {{.sql = "1", .type = oid::kInt4}, {.untyped = true, .literal = "2"}};
  EXPECT_EQ(Unify(in, both).value(), oid::kInt4);
  EXPECT_EQ(both[1].type, oid::kInt4);
  EXPECT_THAT(both[1].sql, Not(HasSubstr("'2x'")));
  Expressions wrong = {{.sql = "1", .type = oid::kInt4}, {.untyped = true, .literal = "x"}};
  EXPECT_FALSE(Unify(in, wrong).ok());
}

TEST(TranslateWords, ParametersAreNumberedWithoutGapsOutsideOfQuotes) {
  std::vector<int> used;
  EXPECT_EQ(NumberParameters("a = $3 AND b = '$1' AND c = $3 AND \"$2\" = $1", used),
            "a = $1 AND b = '$1' AND c = $1 AND \"$2\" = $2");
  EXPECT_THAT(used, ElementsAre(3, 1));
}

TEST(TranslateWords, ArraysAreReadAsPostgresWritesThem) {
  EXPECT_THAT(ParseArray(R"({a,"b c",NULL})").value(), ElementsAre(Cell("a"), Cell("b c"), Cell()));
  EXPECT_FALSE(ParseArray("a,b").has_value());
}

}  // namespace
}  // namespace tacit::catalog
