#include "attack/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace tacit::attack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report Sample() {
  return {.name = "averaging",
          .title = "Asking again",
          .shows = "The same question, many times.",
          .parameters = {{"epsilon", "0.1"}},
          .seed = 7,
          .summary = {"After 400 answers the truth is known in half of the runs."},
          .charts = {{.title = "Chance to know the truth",
                      .x = {.label = "queries", .unit = "", .logarithmic = true},
                      .y = {.label = "chance", .unit = "%"},
                      .series = {{.name = "fresh noise", .points = {{1, 4, 3, 5}, {10, 9}}},
                                 {.name = "Tacit", .points = {{1, 4}}, .is_defended = true}},
                      .error_bars = "95 % interval"}},
          .tables = {{"Servers", {"server", "known"}, {{Text("ex\nact"), Percent(1)}}}},
          .cautions = {"Invented people."},
          .defence = {"A budget", "It runs out."}};
}

TEST(Report, NumbersHaveThousandsAndNoNegativeZero) {
  EXPECT_EQ(Shown(1234567.25, 1), "1,234,567.2");
  EXPECT_EQ(Shown(-0.04, 1), "0.0");
  EXPECT_EQ(Shown(-999), "-999");
  EXPECT_EQ(Percent(0.3125).text, "31.2 %");
  EXPECT_EQ(Interval(0.74, 0.7, 0.78, 2).text, "0.74 (0.70 to 0.78)");
}

TEST(Report, TextHoldsEveryFigureTheSeedAndTheDefence) {
  const std::string text = ToText(Sample());
  EXPECT_THAT(text, HasSubstr("4 (3 to 5)"));
  EXPECT_THAT(text, HasSubstr("seed 7"));
  EXPECT_THAT(text, HasSubstr("What helps: A budget. It runs out."));
  EXPECT_THAT(text, HasSubstr("ex?act"));  // no byte of the data moves the cursor
}

TEST(Report, LinesFitATerminal) {
  Report report = Sample();
  report.summary = {std::string(30, 'a') + " " + std::string(60, 'b') + " " + std::string(60, 'c')};
  for (size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
    const std::string text = ToText(report);
    end = text.find('\n', start);
    EXPECT_LE(text.substr(start, end - start).size(), 100u);
  }
}

TEST(Report, JsonHoldsAxesPointsAndTheNumbersBehindCells) {
  Report report = Sample();
  report.charts[0].series[0].points[1].y = std::numeric_limits<double>::infinity();
  const nlohmann::ordered_json json = ToJson(report);
  EXPECT_EQ(json["attack"], "averaging");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["charts"][0]["x"]["scale"], "log");
  EXPECT_EQ(json["charts"][0]["series"][0]["points"][0]["low"], 3);
  EXPECT_TRUE(json["charts"][0]["series"][0]["points"][1]["y"].is_null());
  EXPECT_EQ(json["tables"][0]["rows"][0][1], 1.0);
  EXPECT_THAT(json.dump(), Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace tacit::attack
