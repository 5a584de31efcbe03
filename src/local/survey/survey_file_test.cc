#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "local/survey/survey.h"

namespace tacit::local {
namespace {

using ::testing::HasSubstr;

std::string Yaml(const std::string& questions, const std::string& epsilon_max = "3") {
  return "tacit_survey: 1\ntitle: Lunch\nstorage: lunch.sqlite\nepsilon_max: " + epsilon_max +
         "\nquestions:\n" + questions;
}
const std::string kSmoke = "  - {id: smoke, text: Do you smoke, kind: yes_no, epsilon: 1}\n";

std::string ErrorOf(const std::string& yaml) {
  const auto survey = ParseSurvey(yaml, "lunch.yaml");
  return survey.ok() ? "" : survey.error().public_message;
}

TEST(SurveyFile, ReadsAllKindsOfQuestions) {
  const Survey survey =
      ParseSurvey(
          Yaml(kSmoke +
               "  - {id: coins, text: Two coins, kind: yes_no, truth: 1/2}\n"
               "  - {id: few, text: Which, kind: choice, options: [a, b, c], epsilon: 0.5}\n"
               "  - id: many\n    text: Which of many?\n    kind: choice\n    epsilon: 0.2\n"
               "    options: [a, b, c, d, e, f, g, h, i, j, k, l, m, n]\n"
               "  - {id: set, text: All, kind: several, options: [a, b, c], at_most: 1, "
               "epsilon: 0.1}\n"),
          "lunch.yaml")
          .value();
  ASSERT_EQ(survey.questions.size(), 5u);
  EXPECT_EQ(survey.questions[0].design.mechanism, Mechanism::kWarner);
  EXPECT_EQ(survey.questions[1].design.keep, uint64_t{3} << 62);
  EXPECT_EQ(survey.questions[2].design.mechanism, Mechanism::kKary);
  EXPECT_EQ(survey.questions[3].design.mechanism, Mechanism::kHashing);
  EXPECT_EQ(survey.questions[4].design.ticks_max, 1u);
  EXPECT_EQ(ToString(TotalEpsilon(survey).value), "2.898612288669");
}

TEST(SurveyFile, TheOwnersCapHoldsForAllQuestionsTogether) {
  const std::string two = kSmoke + "  - {id: b, text: B, kind: yes_no, epsilon: 1.5}\n";
  EXPECT_EQ(ErrorOf(Yaml(two, "2.5")), "");
  EXPECT_EQ(ErrorOf(Yaml(two, "2.4")),
            "lunch.yaml:4: all questions together cost epsilon 2.5, above epsilon_max 2.4");
}

TEST(SurveyFile, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(ErrorOf("a: [\n"), HasSubstr("lunch.yaml:"));
  EXPECT_THAT(ErrorOf("[]"), HasSubstr("must be a list of"));
  EXPECT_THAT(ErrorOf(Yaml(kSmoke) + "colour: red\n"), HasSubstr("lunch.yaml:7: unknown word"));
  EXPECT_THAT(ErrorOf(Yaml(kSmoke) + "title: Again\n"), HasSubstr("comes twice"));
  EXPECT_THAT(ErrorOf(Yaml(kSmoke + kSmoke)), HasSubstr("lunch.yaml:7: two questions have the id"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: maybe, epsilon: 1}\n")),
              HasSubstr("kind must be"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: yes_no, epsilon: none}\n")),
              HasSubstr("lunch.yaml:6: epsilon:"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: A b, text: A, kind: yes_no, epsilon: 1}\n")),
              HasSubstr("an id has"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: choice, options: [x, x], epsilon: 1}\n")),
              HasSubstr("comes twice"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: choice, options: [x], epsilon: 1}\n")),
              HasSubstr("takes 2 to"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: choice, epsilon: 1}\n")),
              HasSubstr("options must be"));
  EXPECT_THAT(ErrorOf(Yaml("  - {id: a, text: A, kind: yes_no, truth: 1/2, epsilon: 1}\n")),
              HasSubstr("instead of epsilon"));
  EXPECT_THAT(ErrorOf("tacit_survey: 2\n"), HasSubstr("tacit_survey must be 1"));
}

TEST(SurveyFile, TheFingerprintFollowsWhatAReportMeans) {
  const auto print = [](const std::string& yaml) {
    return FingerprintOf(ParseSurvey(yaml, "lunch.yaml").value());
  };
  const std::string base = print(Yaml(kSmoke));
  EXPECT_EQ(base, print(Yaml(kSmoke, "2")));
  EXPECT_EQ(base, print(Yaml(kSmoke) + "introduction: Hello\n"));
  EXPECT_NE(base, print(Yaml("  - {id: smoke, text: Did you, kind: yes_no, epsilon: 1}\n")));
  EXPECT_NE(base, print(Yaml("  - {id: smoke, text: Do you smoke, kind: yes_no, epsilon: 1.1}\n")));
}

}  // namespace
}  // namespace tacit::local
