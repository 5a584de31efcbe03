#include "learn/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/model/html.h"
#include "learn/model/predict.h"

namespace tacit::learn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LinearModel Sample() {
  LinearModel model{.rows = "SELECT y, age, old FROM people",
                    .target = {.name = "y", .is_boolean = false, .low = 0, .high = 100},
                    .features = {{.name = "age", .is_boolean = false, .low = 0, .high = 120},
                                 {.name = "old", .is_boolean = true}},
                    .fit = {.trust = Trust::kFull,
                            .rows = 1000.5,
                            .ridge = 0,
                            .coefficients = {10, 0.5, -3},
                            .noise = {{1, 0, 0}, {0, 0.01, 0}, {0, 0, 0.25}},
                            .sampling = {{2, 0, 0}, {0, 0.02, 0}, {0, 0, 0.5}},
                            .residual_variance = 4,
                            .r_squared = 0.5},
                    .privacy = {.epsilon = "0.5",
                                .delta = "0",
                                .accounting = "pure",
                                .neighbours = "add_remove",
                                .protects = 1,
                                .unit = "one person is one value of id",
                                .receipt = "17:abc",
                                .data_version = 2}};
  return model;
}

TEST(Model, ReadsBackAsItWasWritten) {
  const std::string text = ModelText(Sample());
  const Result<LinearModel> read = ReadModel(text);
  ASSERT_TRUE(read.ok()) << read.error().public_message;
  EXPECT_EQ(ModelText(*read), text);
  EXPECT_EQ(read->fit.trust, Trust::kFull);
  EXPECT_EQ(read->fit.noise[2][2], 0.25);
  EXPECT_TRUE(read->features[1].is_boolean);
}

TEST(Model, WithARidgeHasNoErrors) {
  LinearModel model = Sample();
  model.fit.trust = Trust::kRidge;
  model.fit.ridge = 12;
  const std::string text = ModelText(model);
  EXPECT_THAT(text, Not(HasSubstr("covariance")));
  ASSERT_TRUE(ReadModel(text).ok());
  EXPECT_EQ(ReadModel(text)->fit.trust, Trust::kRidge);
  const Prediction prediction = Predict(*ReadModel(text), {40, 1});
  EXPECT_FALSE(prediction.low);
}

TEST(Model, SaysWhatIsWrongWithAFile) {
  const std::string good = ModelText(Sample());
  const auto with = [&](const std::string& part, const std::string& instead) {
    std::string text = good;
    text.replace(text.find(part), part.size(), instead);
    return text;
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "not JSON"},
      {"{}", "tacit_model"},
      {"\xff\xfe", "not UTF-8"},
      {std::string(kModelBytesMax + 1, ' '), "larger"},
      {std::string(10000, '['), "not JSON"},
      {with("\"tacit_model\": 1", "\"tacit_model\": 2"), "the form that this program knows"},
      {with("\"linear_regression\"", "\"oracle\""), "of the kind oracle"},
      {with("\"high\": \"120\"", "\"high\": \"0\""), "the range of age"},
      {with("\"high\": \"120\"", "\"high\": \"1e4000\""), "the range of age"},
      {with("\"name\": \"old\"", "\"name\": \"age\""), "twice"},
      {with("\"name\": \"old\"", "\"name\": \"y\""), "twice"},
      {with("\"type\": \"boolean\"", "\"type\": \"colour\""), "type colour"},
      {with("1000.5", "\"many\""), "rows_estimated"},
      {with("1000.5", "1e999"), "not"},
      {with("0.25", "-0.25"), "below zero"},
      {with("0.25", "null"), "noise_covariance"},
      {with("\"protects\": 1", "\"protects\": 0"), "protects"},
      {with("\"receipt\"", "\"recipe\""), "receipt"},
  };
  for (const auto& [text, why] : cases) {
    const Result<LinearModel> read = ReadModel(text);
    ASSERT_FALSE(read.ok()) << why;
    EXPECT_THAT(read.error().public_message, HasSubstr(why));
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Predict, IsTheLineWithinThePublicRanges) {
  const LinearModel model = Sample();
  EXPECT_DOUBLE_EQ(Predict(model, {40, 1}).value, 10 + 20 - 3);
  // What lies outside counts as the end, as it did in training.
  EXPECT_DOUBLE_EQ(Predict(model, {1e9, 0}).value, 70);
  EXPECT_DOUBLE_EQ(Predict(model, {-1e9, 1}).value, 7);
  LinearModel steep = model;
  steep.fit.coefficients[1] = 100;
  EXPECT_DOUBLE_EQ(Predict(steep, {40, 1}).value, 100);
  const Prediction prediction = Predict(model, {40, 1});
  const double variance = (1 + 2) + 1600 * (0.01 + 0.02) + (0.25 + 0.5) + 4;
  EXPECT_NEAR(*prediction.high - prediction.value, kNormalAt95 * std::sqrt(variance), 1e-9);
  EXPECT_LE(*prediction.low, prediction.value);
}

TEST(Predict, ReadsCellsAsTheModelHasThem) {
  const LinearModel model = Sample();
  EXPECT_EQ(**ReadCell(model, 0, " 41.5 "), 41.5);
  EXPECT_EQ(**ReadCell(model, 1, "TRUE"), 1);
  EXPECT_EQ(**ReadCell(model, 1, "f"), 0);
  EXPECT_FALSE(ReadCell(model, 0, "")->has_value());
  EXPECT_FALSE(ReadCell(model, 1, "NULL")->has_value());
  for (const char* text : {"old", "nan", "inf", "1 2x", "--1"}) {
    const Result<std::optional<double>> read = ReadCell(model, 0, text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_THAT(read.error().public_message, HasSubstr("age is a number in the model"));
  }
  EXPECT_THAT(ReadCell(model, 1, "perhaps").error().public_message, HasSubstr("true or false"));
}

TEST(Predict, KnowsTheTextsOfItsCategories) {
  LinearModel model = Sample();
  Column is_m{.name = "sex=M", .is_boolean = true};
  is_m.of = "sex";
  is_m.value = "M";
  is_m.reference = "F";
  Column is_x = is_m;
  is_x.name = "sex=X";
  is_x.value = "X";
  model.features = {is_m, is_x};
  const Result<LinearModel> read = ReadModel(ModelText(model));
  ASSERT_TRUE(read.ok()) << read.error().public_message;
  EXPECT_EQ(read->features[1].Source(), "sex");
  EXPECT_EQ(**ReadCell(*read, 0, "M"), 1);
  EXPECT_EQ(**ReadCell(*read, 1, "M"), 0);
  EXPECT_EQ(**ReadCell(*read, 0, "F"), 0);
  EXPECT_FALSE(ReadCell(*read, 0, "")->has_value());
  const Result<std::optional<double>> unknown = ReadCell(*read, 1, "Q");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().public_message, "the model knows no sex 'Q'");
  EXPECT_EQ(unknown.error().hint, "it knows F, M, X");
}

TEST(ModelPage, ShowsNamesAsTexts) {
  LinearModel model = Sample();
  model.features[0].name = "<script>alert(1)</script>";
  model.rows = "SELECT \"<b>\" FROM people";
  const std::string page = ModelPage(model);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<b>\"")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, HasSubstr("epsilon 0.5"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
}

}  // namespace
}  // namespace tacit::learn
