#include "answer/shown/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/terminal_text.h"

namespace tacit::answer {
namespace {

using ::testing::HasSubstr;

Answer Counts(const std::vector<std::pair<engine::Value, int64_t>>& rows, ValueType type) {
  Answer answer;
  answer.columns = {
      {.name = "k", .type = type, .error = std::nullopt},
      {.name = "n",
       .type = kBigintType,
       .error = plan::ColumnError{
           .mechanism = "discrete_laplace", .scale = 10, .moe95 = 30, .condition = ""}}};
  for (const auto& [label, count] : rows) answer.rows.push_back({label, engine::Value(count)});
  return answer;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Plot, DrawsABarForEachRowWithinTheWidth) {
  const Answer answer = Counts({{engine::Value(std::string("Flu")), 400},
                                {engine::Value(std::string("a very long name of an illness")), 100},
                                {engine::Value(), -20}},
                               kTextType);
  for (const bool utf8 : {true, false}) {
    const Result<std::string> plot = FormatPlot(answer, {.width = 60, .utf8 = utf8});
    ASSERT_TRUE(plot.ok());
    const std::vector<std::string> lines = LinesOf(*plot);
    ASSERT_EQ(lines.size(), 4u) << *plot;
    for (const std::string& line : lines) EXPECT_LE(ColumnsOf(line), 60u) << line;
    EXPECT_THAT(lines[3], HasSubstr("NULL"));
    EXPECT_THAT(lines[1], HasSubstr(utf8 ? "400 ± 30" : "400 +- 30"));
    EXPECT_THAT(lines[2],
                HasSubstr(utf8 ? "a very long name of an …" : "a very long name of an.."));
  }
}

TEST(Plot, ABarIsAsLongAsItsNumber) {
  const Answer answer = Counts(
      {{engine::Value(std::string("a")), 1000}, {engine::Value(std::string("b")), 500}}, kTextType);
  const std::vector<std::string> lines =
      LinesOf(FormatPlot(answer, {.width = 100, .utf8 = false}).value());
  const auto bars = [](const std::string& line) {
    return static_cast<double>(std::count(line.begin(), line.end(), '#') +
                               std::count(line.begin(), line.end(), '='));
  };
  EXPECT_NEAR(bars(lines[1]) / bars(lines[2]), 2, 0.1) << lines[1] << "\n" << lines[2];
  EXPECT_GT(std::count(lines[1].begin(), lines[1].end(), '-'), 0) << "the error bar";
}

TEST(Plot, ManyDaysArePointsOverAnAxis) {
  std::vector<std::pair<engine::Value, int64_t>> rows;
  for (int i = 0; i < 40; ++i) rows.emplace_back(engine::Value(engine::Date{i}), 100 + i * 10);
  const std::string plot =
      FormatPlot(Counts(rows, kDateType), {.width = 80, .utf8 = false}).value();
  EXPECT_EQ(std::count(plot.begin(), plot.end(), '*'), 40) << plot;
  const std::vector<std::string> lines = LinesOf(plot);
  EXPECT_THAT(lines[16], HasSubstr(" 0 |"));
  EXPECT_EQ(lines[16].find(':'), std::string::npos) << "no error bar reaches down there\n" << plot;
  EXPECT_THAT(plot, HasSubstr("1970-01-01"));
  EXPECT_THAT(plot, HasSubstr("1970-02-09"));
}

TEST(Plot, PointsStandWhereTheyAreAlongTheAxisHoweverRowsAreSorted) {
  // Nothing is known of the days between the first twenty and the last one.
  std::vector<std::pair<engine::Value, int64_t>> rows;
  for (int i = 0; i < 20; ++i) rows.emplace_back(engine::Value(engine::Date{i}), 2000 + i);
  rows.emplace_back(engine::Value(engine::Date{190}), 2010);
  std::reverse(rows.begin(), rows.end());
  const std::vector<std::string> lines =
      LinesOf(FormatPlot(Counts(rows, kDateType), {.width = 100, .utf8 = false}).value());
  const std::string& labels = lines.back();
  EXPECT_LT(labels.find("1970-01-01"), labels.find("1970-07-10"));
  for (const std::string& line : lines) {
    const std::string middle = line.size() > 95 ? line.substr(25, 60) : "";
    EXPECT_EQ(middle.find_first_of("*:"), std::string::npos) << line;
  }
  // What is far from zero is not drawn from zero.
  EXPECT_THAT(lines[1], HasSubstr("20"));
  EXPECT_THAT(lines[16], HasSubstr("19"));
}

TEST(Plot, ARowWithoutANumberIsShownAsSuch) {
  Answer answer = Counts({{engine::Value(std::string("a")), 100}}, kTextType);
  answer.rows.push_back({engine::Value(std::string("b")), engine::Value()});
  const std::vector<std::string> lines =
      LinesOf(FormatPlot(answer, {.width = 60, .utf8 = true}).value());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[2], HasSubstr("NULL"));
}

TEST(Plot, WhatHasNoNumberIsRefused) {
  Answer texts;
  texts.columns = {{.name = "k", .type = kTextType, .error = std::nullopt}};
  texts.rows.push_back({engine::Value(std::string("x"))});
  EXPECT_FALSE(FormatPlot(texts, {}).ok());
  EXPECT_FALSE(FormatPlot(Counts({}, kTextType), {}).ok());
}

}  // namespace
}  // namespace tacit::answer
