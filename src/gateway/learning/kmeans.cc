#include "gateway/learning/kmeans.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "answer/assemble.h"
#include "gateway/learning/cell_columns.h"
#include "gateway/learning/cell_release.h"
#include "gateway/learning/model_privacy.h"
#include "gateway/learning/roles.h"

namespace tacit::gateway::learning {
namespace {

constexpr size_t kCentresUnlessGiven = 5;

class CentreTraining : public CellTraining {
 public:
  explicit CentreTraining(learn::CentreWish wish) : wish_(std::move(wish)) {}
  std::string Text() const override {
    std::string text = "centres of cells 1 " + std::to_string(wish_.centres);
    for (const learn::CellColumn& feature : wish_.features) text += TextOf(feature);
    return text;
  }
  std::vector<learn::Round> RoundsOf(bool gaussian) const override {
    return learn::RoundsOf(Under(gaussian));
  }
  std::string Train(bool gaussian, learn::Rounds& rounds) const override {
    return learn::FitText(learn::Train(Under(gaussian), rounds));
  }

 private:
  learn::CentreWish Under(bool gaussian) const {
    learn::CentreWish wish = wish_;
    wish.gaussian = gaussian;
    return wish;
  }

  learn::CentreWish wish_;
};

Result<size_t> CentresIn(const sql::LearnCall& call) {
  for (const auto& [option, value] : call.options) {
    if (option == "k") continue;
    return WrongOption("tacit.kmeans has no option " + option,
                       "it has k, the number of centres; its columns are those of the SELECT");
  }
  const std::string* text = OptionOf(call, "k");
  if (text == nullptr) return kCentresUnlessGiven;
  char* end = nullptr;
  const long centres = std::strtol(text->c_str(), &end, 10);
  const bool whole = !text->empty() && *end == '\0';
  if (whole && centres >= 2 && centres <= static_cast<long>(learn::kCentresMax)) {
    return static_cast<size_t>(centres);
  }
  return WrongOption(
      "k is '" + *text + "', and there are 2 to " + std::to_string(learn::kCentresMax) + " centres",
      "k => 5, which it is unless given");
}

// Each column divided by half of its public range: only numbers and booleans have one.
Result<Done> CheckCentreColumns(const RowsToLearn& rows) {
  for (const plan::OutputColumn& column : rows.shape) {
    if (column.type.kind != TypeKind::kText) continue;
    return WrongOption(column.name + " is text, and centres are between numbers and booleans",
                       "make it a boolean: " + column.name + " = 'value' AS is_value");
  }
  if (rows.shape.size() <= learn::kCentreFeaturesMax) return Done{};
  return WrongOption("the rows have " + std::to_string(rows.shape.size()) +
                         " columns, and centres are between " +
                         std::to_string(learn::kCentreFeaturesMax),
                     "name those that matter: noise grows with every one");
}

struct CentresToLearn {
  RowsToLearn rows;
  learn::CentreWish wish;
  CellPlan plan;
};

Result<CentresToLearn> PlanOfCentres(const sql::LearnCall& call, const Request& request,
                                     const Services& services) {
  learn::CentreWish wish;
  TACIT_TRY(wish.centres, CentresIn(call));
  if (request.wish.error) {
    return WrongOption("a model is asked for at a price, not at an error",
                       "SET tacit.epsilon = 0.5, or RESET tacit.error; EXPLAIN says how large the "
                       "noise of a price would be");
  }
  TACIT_TRY(RowsToLearn rows, ReadRows(call.rows, services));
  TACIT_CHECK(CheckCentreColumns(rows));
  TACIT_TRY(wish.features, CellColumnsOf(rows, learn::kBinsMax, request, services));
  TACIT_TRY(CellQuestion question, AskForCells(wish.features, rows, request, services));
  TACIT_TRY(CellPlan plan, PlanCells(std::make_shared<CentreTraining>(wish), std::move(question),
                                     request, services));
  return CentresToLearn{.rows = std::move(rows), .wish = std::move(wish), .plan = std::move(plan)};
}

engine::Value CentreNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return std::strtod(text, nullptr);
}

plan::OutputColumn CentreColumn(const char* name, TypeKind kind) {
  return plan::OutputColumn{
      .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
}

}  // namespace

std::vector<plan::OutputColumn> ColumnsOfCentres() {
  return {CentreColumn("centre", TypeKind::kBigint), CentreColumn("rows", TypeKind::kDouble),
          CentreColumn("term", TypeKind::kText), CentreColumn("value", TypeKind::kDouble),
          CentreColumn("se_noise", TypeKind::kDouble)};
}

Result<LearnedCentres> LearnCentres(const sql::LearnCall& call, const Request& request,
                                    Services& services) {
  TACIT_TRY(const CentresToLearn asked, PlanOfCentres(call, request, services));
  CellRelease release(asked.plan, request, services);
  TACIT_TRY(const CellRelease::Answer answer, release.CarryOut());
  TACIT_TRY(learn::CentreFit fit, learn::ReadCentreFit(answer.trained, asked.wish.features));
  LearnedCentres learned{.model = {.rows = call.rows,
                                   .features = asked.wish.features,
                                   .fit = std::move(fit),
                                   .privacy = ModelPrivacyOf(
                                       asked.plan.question.promises, asked.plan.price.epsilon.value,
                                       answer.privacy.receipt, services.policy)},
                         .asked = asked.wish.centres,
                         .privacy = answer.privacy,
                         .notices = {answer::PriceSentence(answer.privacy)}};
  learned.notices.emplace_back(
      "a row is of the centre that is nearest when each column is divided by half of its public "
      "range: a column with a range that is far wider than its values hardly counts");
  learned.notices.emplace_back(
      "se_noise is one deviation of what the noise of the last step did to a centre; where it is "
      "empty, the noise hides the rows that are nearest");
  return learned;
}

answer::Answer AnswerOf(const LearnedCentres& learned) {
  answer::Answer answer{.columns = ColumnsOfCentres(),
                        .rows = {},
                        .privacy = learned.privacy,
                        .notices = learned.notices};
  const learn::CentreModel& model = learned.model;
  for (size_t c = 0; c < learned.asked; ++c) {
    for (size_t f = 0; f < model.features.size(); ++f) {
      std::vector<engine::Value> row = {
          static_cast<int64_t>(c + 1), {}, model.features[f].name, {}, {}};
      if (model.fit.known) {
        const learn::Centre& centre = model.fit.centres[c];
        row[1] = std::round(centre.rows);
        row[3] = CentreNumber(centre.at[f]);
        if (!centre.noise.empty()) row[4] = CentreNumber(centre.noise[f]);
      }
      answer.rows.push_back(std::move(row));
    }
  }
  return answer;
}

Result<answer::Explanation> ExplainLearningCentres(const sql::LearnCall& call,
                                                   const Request& request, Services& services) {
  TACIT_TRY(const CentresToLearn asked, PlanOfCentres(call, request, services));
  TACIT_TRY(answer::Explanation explanation, ExplainCells(asked.plan, request, services));
  explanation.plan.columns = ColumnsOfCentres();
  explanation.plan.notices.push_back(
      std::to_string(asked.plan.rounds.size()) +
      " rounds, one charge; whoever has paid for these centres gets them again free");
  return explanation;
}

}  // namespace tacit::gateway::learning
