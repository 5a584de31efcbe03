#include "selection/scores.h"

#include <algorithm>
#include <memory>

#include "gateway/answer_query.h"
#include "sql/read/command.h"

namespace tacit::selection {
namespace {

Error NotAScore(const std::string& what, int position) {
  Error error{.code = ErrorCode::kRefused,
              .public_message = what,
              .hint =
                  "each question gives one number that is compared: SELECT count(*) FROM t "
                  "WHERE ..., or SELECT sum(x) FROM t",
              .position = position,
              .private_detail = ""};
  error.rule = "one_number";
  return error;
}

// What is compared is the exact number, so nothing may be made of it above.
// proof: selection/proof.md#what-a-score-is
bool ShowsItsNumber(const analysis::Facts& facts) {
  const auto* select = sql::As<sql::Select>(facts.post);
  if (select == nullptr || select->from.size() != 1 || select->where || select->having ||
      select->distinct || facts.post->limit || facts.post->offset || !facts.post->with.empty()) {
    return false;
  }
  if (sql::As<sql::TableReference>(select->from[0]) == nullptr) return false;
  if (facts.columns.size() != 1 || !facts.columns[0].shows) return false;
  const auto [block, column] = *facts.columns[0].shows;
  const auto& value = facts.blocks.at(block).released.at(column).value;
  return std::holds_alternative<analysis::CountColumn>(value) ||
         std::holds_alternative<analysis::SumColumn>(value);
}

struct Read {
  Score score;
  Rational step;
  Integer sensitivity;
  bool moves_together;
};

// Whether a person's rows can only add to it: then whoever comes moves it up, and whoever goes
// down.
// proof: selection/proof.md#what-a-score-is
bool OnlyAdds(const analysis::ExactMeasure& measure) {
  return measure.kind != analysis::MeasureKind::kSum ||
         (measure.grid.low_steps >= 0 && measure.centre == 0);
}

Result<Read> ReadOne(const sql::Command& command, const gateway::Request& base,
                     const gateway::Services& services) {
  gateway::Request request = base;
  request.text = command.text.substr(0, command.text.find_last_not_of(" \t\r\n") + 1);
  request.statement = nullptr;
  const auto at = [&](Error error) {
    error.position = command.offset + error.position.value_or(0);
    return error;
  };
  Result<analysis::Facts> analysed = gateway::FactsOf(request, services);
  if (!analysed.ok()) return at(std::move(analysed).error());
  const analysis::Facts facts = std::move(analysed).value();
  if (facts.blocks.size() != 1 || !facts.blocks[0].keys.empty() ||
      facts.blocks[0].measures.size() != 1 || !facts.blocks[0].constants.empty() ||
      !facts.levels.empty()) {
    return NotAScore("this question does not give one number about people", command.offset);
  }
  if (!ShowsItsNumber(facts)) {
    return NotAScore("this question makes something else of its count or sum", command.offset);
  }
  Result<plan::PrivatePlan> planned = plan::Compile(facts, services.policy.privacy, request.wish);
  if (!planned.ok()) return at(std::move(planned).error());
  plan::PrivatePlan plan = std::move(planned).value();
  TACIT_ASSERT(plan.releases.size() == 1 && plan.releases[0].measures.size() == 1);
  plan::Release release = std::move(plan.releases[0]);
  const plan::Measure& measure = release.measures[0];
  const Rational steps = measure.sensitivity_l1 / measure.step;
  TACIT_ASSERT(steps.get_den() == 1 && measure.mechanism->Reads() == noise::Form::kNumber);
  return Read{.score = {.text = request.text, .release = std::move(release)},
              .step = measure.step,
              .sensitivity = steps.get_num(),
              .moves_together = OnlyAdds(facts.blocks[0].measures[0])};
}

}  // namespace

// proof: selection/proof.md#what-a-score-is
Result<Scores> ReadScores(const std::string& text, const gateway::Request& base,
                          const gateway::Services& services) {
  TACIT_TRY(const std::vector<sql::Command> commands, sql::ReadCommands(text, kScoresMax));
  Scores scores;
  TACIT_TRY(scores.price, plan::PriceOf(base.wish, services.policy.privacy));
  for (const sql::Command& command : commands) {
    if (!std::holds_alternative<sql::AskCommand>(command.kind)) {
      return NotAScore(command.tag + " is no question that gives a number", command.offset);
    }
    TACIT_TRY(Read read, ReadOne(command, base, services));
    if (scores.scores.empty()) {
      scores.step = read.step;
      scores.sensitivity = read.sensitivity;
    }
    if (read.step != scores.step) {
      return NotAScore("this question counts in steps of " + ToString(read.step) +
                           ", the first one in steps of " + ToString(scores.step),
                       command.offset);
    }
    scores.sensitivity = std::max(scores.sensitivity, read.sensitivity);
    scores.moves_together = scores.moves_together && read.moves_together;
    scores.scores.push_back(std::move(read.score));
  }
  if (scores.scores.empty()) {
    return InvalidArgument("there is no question to compare",
                           "write SELECTs that count or sum, with ; between them");
  }
  return scores;
}

}  // namespace tacit::selection
