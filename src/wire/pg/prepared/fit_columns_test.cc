#include "wire/pg/prepared/fit_columns.h"

#include <gtest/gtest.h>

#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

Table Numbers() {
  Table table;
  table.columns = {{.name = "n", .type = oid::kNumeric, .modifier = 196613}};
  table.rows = {{engine::Numeric{125, 2}}, {engine::Value()}};
  return table;
}

TEST(FitColumns, GivesTheNamesAndModifiersThatWereTold) {
  Table table = Numbers();
  const std::vector<OidColumn> told = {{.name = "price", .type = oid::kNumeric}};
  ASSERT_TRUE(FitColumns(told, table).ok());
  EXPECT_EQ(table.columns, told);
  EXPECT_EQ(engine::ToText(table.rows[0][0]), "1.25");
}

TEST(FitColumns, TakesAnotherTypeWhereEveryValueIsOneOfIt) {
  Table table = Numbers();
  EXPECT_TRUE(FitColumns({{.name = "n", .type = oid::kFloat8}}, table).ok());
  EXPECT_EQ(table.columns[0].type, oid::kFloat8);
}

TEST(FitColumns, RefusesAValueThatIsNoneOfTheType) {
  Table table = Numbers();
  const Result<Done> fitted = FitColumns({{.name = "n", .type = oid::kInt8}}, table);
  ASSERT_FALSE(fitted.ok());
  EXPECT_EQ(fitted.error().public_message,
            "with these parameters column 1 is not of the type bigint that was described");
  EXPECT_EQ(table.columns, Numbers().columns);
}

TEST(FitColumns, TypesAreTheSameWhateverTheirNamesAndModifiers) {
  EXPECT_TRUE(HaveSameTypes({{.name = "m", .type = oid::kNumeric}}, Numbers().columns));
  EXPECT_FALSE(HaveSameTypes({{.name = "n", .type = oid::kInt8}}, Numbers().columns));
  EXPECT_FALSE(HaveSameTypes({}, Numbers().columns));
}

TEST(FitColumns, RefusesAnotherNumberOfColumns) {
  Table table = Numbers();
  EXPECT_FALSE(FitColumns({}, table).ok());
}

}  // namespace
}  // namespace tacit::wire::pg
