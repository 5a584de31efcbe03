#include "anonymize/release/cell.h"

#include <gtest/gtest.h>

namespace tacit::anonymize {
namespace {

Domain Categories(std::vector<std::string> labels) {
  return {.name = "c", .kind = Kind::kCategory, .labels = std::move(labels)};
}
Domain Numbers(bool has_missing) {
  return {.name = "n",
          .kind = Kind::kNumber,
          .labels = {has_missing ? "?" : "-5", "20", "30.5"},
          .numbers = {has_missing ? 20.0 : -5.0, 20, 30.5},
          .has_missing = has_missing};
}

TEST(CellText, WritesEveryKindOfCell) {
  const std::vector<uint32_t> present = {0, 2};
  EXPECT_EQ(CellText(Numbers(false), {0, 2}, {}), "-5..30.5");
  EXPECT_EQ(CellText(Numbers(false), {1, 1}, {}), "20");
  EXPECT_EQ(CellText(Numbers(true), {0, 2}, {}), "{?|20..30.5}");
  EXPECT_EQ(CellText(Numbers(true), {0, 1}, {}), "{?|20}");
  EXPECT_EQ(CellText(Categories({"a", "b", "c|d"}), {0, 2}, present), "{a|c\\|d}");
  EXPECT_EQ(CellText(Categories({"{x}"}), {0, 0}, {}), "{\\{x\\}}");
  EXPECT_EQ(CellText(Numbers(false), Bounds::Suppressed(), {}), "*");
}

TEST(ParseCell, ReadsWhatWasWritten) {
  EXPECT_TRUE(ParseCell("*").Holds("anything"));
  EXPECT_TRUE(ParseCell("-5..30.5").Holds("20"));
  EXPECT_FALSE(ParseCell("-5..30.5").Holds("31"));
  EXPECT_TRUE(ParseCell("{?|20..30.5}").Holds("?"));
  EXPECT_TRUE(ParseCell("{?|20..30.5}").Holds("20.0"));
  EXPECT_TRUE(ParseCell("{a|c\\|d}").Holds("c|d"));
  EXPECT_FALSE(ParseCell("{a|c\\|d}").Holds("c"));
  EXPECT_TRUE(ParseCell("{\\{x\\}}").Holds("{x}"));
  EXPECT_TRUE(ParseCell("5").Holds("5.0"));
  EXPECT_TRUE(ParseCell("").Holds(""));
  EXPECT_FALSE(ParseCell("").Holds("a"));
  EXPECT_TRUE(ParseCell("2020..").Holds("2020.."));
  for (const char* odd : {"{", "}", "{}", "{\\}", "{\\\\}", "..", "{|}", "{a|"}) ParseCell(odd);
}

}  // namespace
}  // namespace tacit::anonymize
