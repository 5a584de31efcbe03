#include "anonymize/partition/domain.h"

#include <gtest/gtest.h>

#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

using List = std::vector<std::string>;
using Codes = std::vector<uint32_t>;

Result<Domain> Make(std::string_view text, const DomainOptions& options = {}) {
  const Table table = ParseCsv(text, "people.csv").value();
  return MakeDomain(table, 0, options);
}

TEST(Domain, NumbersStandInTheirOrderAndEqualOnesAreOne) {
  const Domain domain = Make("age\n10\n9\n-1.5\n9.0\n1e1\n").value();
  EXPECT_EQ(domain.kind, Kind::kNumber);
  EXPECT_EQ(domain.labels, (List{"-1.5", "9", "10"}));
  EXPECT_EQ(domain.codes, (Codes{2, 1, 0, 1, 2}));
}

TEST(Domain, CategoriesStandInTheOrderOfTheirBytes) {
  const Domain domain = Make("town\nb\na\n*\nb\n").value();
  EXPECT_EQ(domain.kind, Kind::kCategory);
  EXPECT_EQ(domain.labels, (List{"*", "a", "b"}));
  EXPECT_EQ(domain.codes, (Codes{2, 1, 0, 2}));
}

TEST(Domain, MixedColumnsAreAnErrorWithThePlaceOfWhatDoesNotFit) {
  EXPECT_EQ(Make("age\n1\n2\nN\n3\n").error().public_message,
            "people.csv:4: age is \"N\", but most of the column is numbers");
  EXPECT_EQ(Make("name\nann\nbob\n7\n").error().public_message,
            "people.csv:4: name is \"7\", but most of the column is not numbers");
  EXPECT_EQ(Make("age\n1\nN\n3\n", {.wish = DomainOptions::Wish::kCategory})->labels,
            (List{"1", "3", "N"}));
}

TEST(Domain, MissingCellsOfNumbersAreAValueOfTheirOwn) {
  const Domain domain = Make("age,x\n5,\n,\n7,\n").value();
  EXPECT_TRUE(domain.has_missing);
  EXPECT_EQ(domain.labels, (List{"", "5", "7"}));
  EXPECT_EQ(domain.codes, (Codes{1, 0, 2}));
  EXPECT_EQ(Make("age\n5\nN\n", {.missing = {"N"}})->labels, (List{"N", "5"}));
}

TEST(Domain, AValueThatTheHierarchyMissesIsNamed) {
  const auto tree = std::make_shared<const Hierarchy>(ParseHierarchy("a;x\nb;x\n", "h").value());
  EXPECT_EQ(Make("town\nb\nc\n", {.hierarchy = tree}).error().public_message,
            "people.csv:3: town is \"c\", which its hierarchy does not have");
  EXPECT_EQ(Make("town\nb\na\n", {.hierarchy = tree})->codes, (Codes{1, 0}));
}

}  // namespace
}  // namespace tacit::anonymize
