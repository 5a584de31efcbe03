#include "gateway/learning/classify.h"

#include <cmath>
#include <cstdlib>

#include "answer/assemble.h"
#include "gateway/learning/cell_answers.h"
#include "gateway/learning/cell_columns.h"
#include "gateway/learning/cell_release.h"
#include "gateway/learning/model_privacy.h"
#include "gateway/learning/roles.h"
#include "learn/classify/train.h"

namespace tacit::gateway::learning {
namespace {

// Why 16: at epsilon 1 and some ten thousand rows, more bins of a number say less than their noise.
constexpr size_t kBins = 16;

// Cells of all features that a task takes. Of lines, whose first round counts pairs of cells, and
// of trees, whose rounds count the cells of every leaf, fewer.
size_t CellsMaxOf(learn::CellTask task) {
  return task == learn::CellTask::kNaiveBayes ? 2'000 : 600;
}

Result<size_t> BinsIn(const sql::LearnCall& call) {
  const std::string* text = OptionOf(call, "bins");
  if (text == nullptr) return kBins;
  char* end = nullptr;
  const long bins = std::strtol(text->c_str(), &end, 10);
  const bool whole = !text->empty() && *end == '\0';
  if (whole && bins >= 2 && bins <= static_cast<long>(learn::kBinsMax)) {
    return static_cast<size_t>(bins);
  }
  return WrongOption("bins is '" + *text + "', and a number has 2 to " +
                         std::to_string(learn::kBinsMax) + " of them",
                     "bins => 16, which it is unless given");
}

Result<Done> CheckCellOptions(const sql::LearnCall& call, const Request& request) {
  for (const auto& [option, value] : call.options) {
    const bool known =
        option == "target" || option == "features" || option == "bins" || option == "holdout";
    if (known) continue;
    return WrongOption("tacit." + call.task + " has no option " + option,
                       "it has target, features, bins and holdout");
  }
  if (!request.wish.error) return Done{};
  return WrongOption("a model is asked for at a price, not at an error",
                     "SET tacit.epsilon = 0.5, or RESET tacit.error; EXPLAIN says how large the "
                     "noise of a price would be");
}

// 0 where nobody is held out.
Result<Rational> HoldoutIn(const sql::LearnCall& call) {
  const std::string* text = OptionOf(call, "holdout");
  if (text == nullptr) return Rational(0);
  const Result<Rational> share = ParseRational(*text);
  if (share.ok() && *share > 0 && *share < 1) return *share;
  return WrongOption("holdout is '" + *text + "', and is a share of the people",
                     "holdout => 0.2 holds a fifth of them out of training, for the score");
}

Result<Done> CheckTarget(learn::CellTask task, const learn::CellColumn& target) {
  const std::string& name = target.name;
  if (target.kind == learn::CellKind::kNumber) {
    return WrongOption(name + " is a number, and classes are a boolean or a listed text",
                       "make it one: (" + name +
                           " > 0) AS is_more; a number itself is what "
                           "tacit.linear_regression explains");
  }
  if (learn::IsOfTwo(task) && target.Cells() != 2) {
    return WrongOption(name + " has " + std::to_string(target.Cells()) + " classes, and " +
                           learn::TitleOf(task) + " tells two apart",
                       "make it a boolean: " + name +
                           " = 'value' AS is_value; tacit.naive_bayes "
                           "and tacit.tree take several classes");
  }
  return Done{};
}

Result<Done> CheckCells(const learn::CellWish& wish) {
  size_t cells = 0;
  for (const learn::CellColumn& feature : wish.features) {
    cells += feature.Cells();
  }
  const bool many_classes = wish.target.Cells() > 100;
  const size_t most = CellsMaxOf(wish.task);
  if (cells <= most && !many_classes) return Done{};
  return Error{.code = ErrorCode::kUnsupported,
               .public_message =
                   many_classes
                       ? wish.target.name + " has " + std::to_string(wish.target.Cells()) +
                             " classes, and a model takes 100"
                       : "the features have " + std::to_string(cells) + " cells together, and " +
                             learn::TitleOf(wish.task) + " takes " + std::to_string(most),
               .hint = "name the columns that matter, or take fewer bins: noise grows with each",
               .position = std::nullopt,
               .private_detail = ""};
}

class ClassTraining : public CellTraining {
 public:
  ClassTraining(learn::CellWish wish, Rational holdout)
      : wish_(std::move(wish)), holdout_(std::move(holdout)) {}
  std::string Text() const override {
    std::string text = "model of cells 2 " + learn::NameOf(wish_.task) + TextOf(wish_.target);
    for (const learn::CellColumn& feature : wish_.features) text += TextOf(feature);
    if (holdout_ > 0) text += "\nholdout " + ToString(holdout_);
    return text;
  }
  Rational HeldOut() const override { return holdout_; }
  std::vector<learn::Round> RoundsOf(bool gaussian) const override {
    return learn::RoundsOf(Under(gaussian));
  }
  std::string Train(bool gaussian, learn::Rounds& rounds) const override {
    return learn::FitText(learn::Train(Under(gaussian), rounds));
  }

 private:
  learn::CellWish Under(bool gaussian) const {
    learn::CellWish wish = wish_;
    wish.gaussian = gaussian;
    return wish;
  }

  learn::CellWish wish_;
  Rational holdout_;
};

// The call, and what is known of it for nothing.
struct CellsToLearn {
  RowsToLearn rows;
  learn::CellWish wish;
  CellPlan plan;
};

Result<CellsToLearn> PlanOfCall(const sql::LearnCall& call, const Request& request,
                                const Services& services) {
  TACIT_CHECK(CheckCellOptions(call, request));
  learn::CellWish wish{.task = *learn::CellTaskNamed(call.task), .target = {}, .features = {}};
  TACIT_TRY(const size_t bins, BinsIn(call));
  TACIT_TRY(const Rational holdout, HoldoutIn(call));
  wish.scored = holdout > 0;
  TACIT_TRY(RowsToLearn rows, ReadRows(call.rows, services));
  TACIT_TRY(const Roles roles, ReadRoles(call, rows));
  TACIT_TRY(const std::vector<learn::CellColumn> columns,
            CellColumnsOf(rows, bins, request, services));
  wish.target = columns[roles.target];
  for (const size_t feature : roles.features) wish.features.push_back(columns[feature]);
  TACIT_CHECK(CheckTarget(wish.task, wish.target));
  TACIT_CHECK(CheckCells(wish));
  std::vector<learn::CellColumn> asked = {wish.target};
  asked.insert(asked.end(), wish.features.begin(), wish.features.end());
  TACIT_TRY(CellQuestion question, AskForCells(asked, rows, request, services, wish.scored));
  TACIT_TRY(CellPlan plan, PlanCells(std::make_shared<ClassTraining>(wish, holdout),
                                     std::move(question), request, services));
  return CellsToLearn{.rows = std::move(rows), .wish = std::move(wish), .plan = std::move(plan)};
}

}  // namespace

Result<LearnedCells> LearnCells(const sql::LearnCall& call, const Request& request,
                                Services& services) {
  TACIT_TRY(const CellsToLearn asked, PlanOfCall(call, request, services));
  CellRelease release(asked.plan, request, services);
  TACIT_TRY(CellRelease::Answer answer, release.CarryOut());
  const CellPlan& plan = asked.plan;
  const learn::CellWish& wish = asked.wish;
  TACIT_TRY(learn::CellFit fit,
            learn::ReadFit(answer.trained, wish.task, wish.target, wish.features));
  LearnedCells learned{.model = {.task = wish.task,
                                 .rows = call.rows,
                                 .target = wish.target,
                                 .features = wish.features,
                                 .fit = std::move(fit),
                                 .privacy = {}},
                       .privacy = answer.privacy,
                       .notices = {answer::PriceSentence(answer.privacy)}};
  learned.model.privacy = ModelPrivacyOf(plan.question.promises, plan.price.epsilon.value,
                                         answer.privacy.receipt, services.policy);
  for (std::string& notice : NoticesOfCells(wish.task)) {
    learned.notices.push_back(std::move(notice));
  }
  learned.scored = wish.scored;
  if (wish.scored) {
    learned.notices.emplace_back(
        "the rows (holdout) are about people who were held out of training: the share that the "
        "model says right, and what always saying the commonest class would get");
  }
  return learned;
}

answer::Answer AnswerOf(const LearnedCells& learned) {
  answer::Answer answer{.columns = ColumnsOfCells(learned.model.task),
                        .rows = {},
                        .privacy = learned.privacy,
                        .notices = learned.notices};
  if (learned.scored) {
    for (const std::vector<engine::Value>& row : RowsOfScore(learned.model)) {
      answer.rows.push_back(row);
    }
  }
  for (const std::vector<engine::Value>& row : RowsOfCells(learned.model)) {
    answer.rows.push_back(row);
  }
  return answer;
}

Result<answer::Explanation> ExplainLearningCells(const sql::LearnCall& call, const Request& request,
                                                 Services& services) {
  TACIT_TRY(const CellsToLearn asked, PlanOfCall(call, request, services));
  TACIT_TRY(answer::Explanation explanation, ExplainCells(asked.plan, request, services));
  explanation.plan.columns = ColumnsOfCells(asked.wish.task);
  explanation.plan.notices.push_back(
      std::to_string(asked.plan.rounds.size()) +
      " rounds, one charge; whoever has paid for this model gets it again free");
  return explanation;
}

}  // namespace tacit::gateway::learning
