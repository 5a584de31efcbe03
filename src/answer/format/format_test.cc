#include "answer/format/format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "answer/assemble.h"

namespace tacit::answer {
namespace {

using ::testing::HasSubstr;

plan::PrivatePlan SamplePlan() {
  plan::PrivatePlan plan;
  plan.columns = {
      {.name = "sex", .type = kTextType, .error = std::nullopt},
      {.name = "n",
       .type = kBigintType,
       .error = plan::ColumnError{
           .mechanism = "discrete_laplace", .scale = 10, .moe95 = 30, .condition = ""}}};
  plan.notices = {"groups of fewer than about 25 people are withheld"};
  return plan;
}

Privacy SamplePrivacy() {
  return {.accounting = ledger::Accounting::kPure,
          .cost = {.epsilon = Rational(1, 10), .delta = 0, .rho = 0},
          .cached = false,
          .budget = {.epsilon = 1, .delta = 0},
          .remaining = {.epsilon = Rational(2, 5), .delta = 0, .rho = std::nullopt},
          .asked_by_owner = false,
          .receipt = "7:ab"};
}

Answer SampleAnswer() {
  return Assemble(SamplePlan(),
                  {{engine::Value(std::string("F, \"x\"")), engine::Value(int64_t{412})},
                   {engine::Value(), engine::Value(int64_t{-3})}},
                  {}, SamplePrivacy());
}

TEST(Format, TheNoticeSaysPriceRestAndError) {
  EXPECT_EQ(SampleAnswer().notices[0],
            "cost 0.1 of your 1; 0.4 left. 95 % of answers like this are within 30 of the truth.");
}

TEST(Format, JsonIsWhatTheInterfacePromises) {
  const auto json = nlohmann::json::parse(FormatJson(SampleAnswer()));
  EXPECT_EQ(json["columns"][1], (nlohmann::json{{"name", "n"}, {"type", "bigint"}}));
  EXPECT_EQ(json["rows"][0], (nlohmann::json{"F, \"x\"", 412}));
  EXPECT_TRUE(json["rows"][1][0].is_null());
  EXPECT_EQ(json["privacy"]["epsilon"], 0.1);
  EXPECT_EQ(json["privacy"]["cached"], false);
  EXPECT_EQ(json["privacy"]["remaining"]["epsilon"], 0.4);
  EXPECT_EQ(json["privacy"]["receipt"], "7:ab");
  EXPECT_EQ(json["error"][0],
            (nlohmann::json{
                {"column", "n"}, {"mechanism", "discrete_laplace"}, {"scale", 10}, {"moe95", 30}}));
  EXPECT_EQ(json["notices"].size(), 2u);
}

TEST(Format, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(FormatCsv(SampleAnswer()), "sex,n\r\n\"F, \"\"x\"\"\",412\r\n,-3\r\n");
}

TEST(Format, TheTableShowsErrorBars) {
  const std::string table = FormatTable(SampleAnswer());
  EXPECT_THAT(table, HasSubstr("412 ± 30\n"));
  EXPECT_THAT(table, HasSubstr("(2 rows)\n"));
}

TEST(Format, NoByteOfAKeyReachesTheTerminalAsAControl) {
  Answer answer = SampleAnswer();
  answer.rows = {{engine::Value(std::string("\x1b[2Jx")), engine::Value(int64_t{412})}};
  EXPECT_THAT(FormatTable(answer), HasSubstr("?[2Jx"));
}

TEST(Format, AStoredAnswerCostsNothingAndSaysSo) {
  Privacy privacy = SamplePrivacy();
  privacy.cost = {};
  privacy.cached = true;
  EXPECT_EQ(PriceSentence(privacy), "cost nothing: this is the stored answer; 0.4 left.");
}

TEST(Format, ErrorsThatDifferAreNamedWithTheirColumn) {
  plan::PrivatePlan plan = SamplePlan();
  plan.columns.push_back({.name = "mean",
                          .type = kDoubleType,
                          .error = plan::ColumnError{.mechanism = "discrete_laplace",
                                                     .scale = 1,
                                                     .moe95 = Rational(1, 2),
                                                     .condition = "if 1,000 people match"}});
  EXPECT_EQ(ErrorSentence(plan.columns, false),
            "95 % of answers like this are within 30 (n), 0.5 (mean, if 1,000 people match) of the "
            "truth.");
}

// One column's number and margin in two rows.
Answer AverageAnswer() {
  plan::PrivatePlan plan;
  plan.columns = {{.name = "mean", .type = kDoubleType, .error = std::nullopt, .margin = 0}};
  return Assemble(plan, {{engine::Value(2951.3281)}, {engine::Value(17.0)}},
                  {{engine::Value(12.34)}, {engine::Value()}}, SamplePrivacy());
}

TEST(Format, AComputedNumberHasItsRowsOwnMarginAndTheDigitsThatItSupports) {
  EXPECT_THAT(FormatTable(AverageAnswer()), HasSubstr(" 2951 ± 13\n"));
  EXPECT_THAT(FormatTable(AverageAnswer()), HasSubstr("        17\n"));
  const auto json = nlohmann::json::parse(FormatJson(AverageAnswer()));
  EXPECT_EQ(json["rows"][0][0], 2951.3281);
  EXPECT_EQ(json["error"][0]["moe95"], 12.34);
  EXPECT_EQ(json["error"][0]["moe95_rows"], (nlohmann::json{12.34, nullptr}));
  EXPECT_EQ(json["notices"].back(), "95 % of answers like this are within 13 (mean) of the truth.");
}

}  // namespace
}  // namespace tacit::answer
