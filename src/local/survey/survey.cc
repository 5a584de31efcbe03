#include "local/survey/survey.h"

#include <nlohmann/json.hpp>

#include "base/secrets/digest.h"
#include "local/reports/header.h"

namespace tacit::local {
namespace {

using Json = nlohmann::ordered_json;

const char* NameOfKind(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::kYesNo:
      return "yes_no";
    case QuestionKind::kChoice:
      return "choice";
    case QuestionKind::kSeveral:
      return "several";
  }
  AssertionFailed("every kind has a name", __FILE__, __LINE__);
}

Json QuestionsToJson(const Survey& survey) {
  Json questions = Json::array();
  for (const Question& question : survey.questions) {
    questions.push_back({{"id", question.id},
                         {"text", question.text},
                         {"kind", NameOfKind(question.kind)},
                         {"options", question.options},
                         {"design", DesignToJson(question.design)}});
  }
  return questions;
}

std::string Canonical(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Epsilon TotalEpsilon(const Survey& survey) {
  Epsilon total;
  for (const Question& question : survey.questions) total = total + EpsilonUp(question.design);
  return total;
}

std::string FingerprintOf(const Survey& survey) {
  return Sha256Hex("tacit survey 1\n" + Canonical(QuestionsToJson(survey)));
}

Json SurveyToJson(const Survey& survey) {
  return {{"survey", FingerprintOf(survey)},
          {"title", survey.title},
          {"introduction", survey.introduction},
          {"epsilon_max", ToString(survey.epsilon_max)},
          {"epsilon_total", ToString(TotalEpsilon(survey).value)},
          {"tokens", survey.tokens},
          {"results_for_all", survey.results_for_all},
          {"questions", QuestionsToJson(survey)}};
}

}  // namespace tacit::local
