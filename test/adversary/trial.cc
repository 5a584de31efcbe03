#include "trial.h"

#include <algorithm>

#include "engine/duckdb/statement/statements.h"
#include "generate/generator.h"
#include "spy.h"

namespace tacit::adversary {
namespace {

using neighbours::SpyEngine;
using Seen = neighbours::World::Seen;

std::string RowsText(const Seen& seen) {
  std::string text;
  for (const auto& row : seen.rows) {
    for (const engine::Value& value : row) {
      text += engine::IsNull(value) ? "|NULL" : "|" + engine::ToText(value);
    }
    text += "\n";
  }
  return text;
}

std::string Name(const Seen& seen) {
  if (!seen.error) return "answered";
  return seen.error->public_message + " [" + seen.error->private_detail + "]";
}

// The part above the frontier may fail on a released value: what it says then was paid for.
bool FailedAbove(const Seen& seen, const SpyEngine& spy) {
  return seen.error && seen.error->code == ErrorCode::kInvalidQuery && !spy.seen().empty();
}

// The engine's text without what it quotes: tells one fault from another.
std::string BeforeDigits(const std::string& text) {
  return text.substr(0, std::min<size_t>(text.find_first_of("0123456789\"'"), 60));
}

bool IsFault(const Seen& seen) {
  return seen.error &&
         (seen.error->code == ErrorCode::kInternal || seen.error->code == ErrorCode::kUnavailable);
}

// Refused by name, before anything was charged: the engine has no words for it.
bool IsWithoutWords(const Seen& seen) {
  return seen.error && seen.error->rule == "engine_without_words";
}

// Where every group of every release is shown and nothing above chooses among them, so many rows
// leave, whoever is in the data.
bool HasFixedRows(const plan::PrivatePlan& plan) {
  for (const plan::Release& release : plan.releases) {
    if (!std::holds_alternative<plan::AllGroups>(release.selection)) return false;
  }
  for (const char* chooser : {"WHERE", "HAVING", "LIMIT", "JOIN", "DISTINCT", "GROUP BY", "UNION",
                              "INTERSECT", "EXCEPT"}) {
    if (plan.post_sql.find(chooser) != std::string::npos) return false;
  }
  return true;
}

void CompareReleases(const plan::PrivatePlan& plan, uint64_t people, const SpyEngine& one,
                     const SpyEngine& other, Outcome& outcome) {
  for (const plan::Release& release : plan.releases) {
    const auto a = one.seen().find(release.name);
    const auto b = other.seen().find(release.name);
    if (a == one.seen().end() || b == other.seen().end()) continue;
    ++outcome.releases;
    outcome.measures += release.measures.size();
    outcome.moved += a->second.exact == b->second.exact ? 0 : 1;
    for (const std::string& text :
         neighbours::Violations(release, people, a->second.exact, b->second.exact)) {
      outcome.violations.push_back(
          {"release", text + "\n    " + engine::duckdb::StatementsOf(release.exact)->sql});
    }
  }
}

void CompareAnswers(const Seen& a, const Seen& b, const SpyEngine& one, const SpyEngine& other,
                    Outcome& outcome) {
  for (const Seen* side : {&a, &b}) {
    if (IsFault(*side)) {
      outcome.violations.push_back(
          {"fault " + BeforeDigits(side->error->private_detail), Name(*side)});
    }
  }
  if (!outcome.violations.empty()) return;
  if (FailedAbove(a, one) || FailedAbove(b, other)) return;
  if (a.said != b.said) {
    outcome.violations.push_back({"said", a.said + "\n    other: " + b.said});
  } else if (a.balance != b.balance) {
    outcome.violations.push_back({"balance", a.balance + "\n    other: " + b.balance});
  }
  if (a.answered && b.answered && one.plan() != nullptr && HasFixedRows(*one.plan()) &&
      a.rows.size() != b.rows.size()) {
    outcome.violations.push_back(
        {"rows", std::to_string(a.rows.size()) + " rows and " + std::to_string(b.rows.size())});
  }
}

// With other values in the hidden columns everything has to come out as before. Only where no cap
// chooses rows: it looks at all columns.
void CompareHidden(const gateway::Request& request, uint64_t number, Rows rows, Outcome& outcome) {
  static const HiddenWorlds worlds = MakeHiddenWorlds(rows);
  SpyEngine one(worlds.there_one ? *worlds.there_one : worlds.one->engine());
  SpyEngine other(worlds.there_other ? *worlds.there_other : worlds.other->engine());
  other.FollowParametersOf(one);
  worlds.one->Ask(request, number, &one);
  worlds.other->Ask(request, number, &other);
  for (const auto& [name, release] : one.seen()) {
    const auto changed = other.seen().find(name);
    if (changed == other.seen().end() || changed->second.exact == release.exact) continue;
    outcome.violations.push_back({"hidden", "a hidden column decides over the result"});
    return;
  }
}

// The ledger writes scales down to 10^-60: finer ones serve no other price than their own.
bool IsWrittenDown(const Result<plan::PrivatePlan>& plan) {
  static const Rational least = ParseRational("1e-59").value();
  if (!plan.ok()) return false;
  for (const plan::Release& release : plan->releases) {
    if (std::any_of(release.scales.begin(), release.scales.end(),
                    [](const Rational& scale) { return scale < least; })) {
      return false;
    }
  }
  return true;
}

// Asked again at the same price, what was stored leaves: for nothing, and the same; at half of it
// too, with the errors that were paid for. At a higher price it is paid and drawn anew on both
// sides, or on none; only where no third world, which is not asked so, has to know the same stored
// answers.
void CompareAgain(gateway::Request request, const Seen& first, Stage& stage, uint64_t number,
                  Outcome& outcome) {
  const bool elsewhere = number % 3 == 1 && request.wish.epsilon && !stage.unprepared;
  if (elsewhere) request.wish.epsilon = Epsilon(Rational(request.wish.epsilon->value * 2));
  if (number % 3 == 2 && request.wish.epsilon && IsWrittenDown(stage.one->PlanOf(request))) {
    request.wish.epsilon = Epsilon(Rational(request.wish.epsilon->value / 2));
  }
  const Seen a = stage.one->Ask(request, number + 1, &stage.EngineOfOne());
  const Seen b = stage.other->Ask(request, number + 1, &stage.EngineOfOther());
  if (a.error || b.error) {  // after a charge only by what was released; before it by both alike
    if (!elsewhere) outcome.violations.push_back({"again", Name(a) + "\n    other: " + Name(b)});
    return;
  }
  if (a.said != b.said || a.balance != b.balance) {
    outcome.violations.push_back({"again", a.said + "\n    other: " + b.said});
  } else if (!elsewhere && a.said.find("cost nothing") == std::string::npos) {
    outcome.violations.push_back({"again", "it was paid for twice\n    " + a.said});
  } else if (!elsewhere && RowsText(a) != RowsText(first)) {
    outcome.violations.push_back(
        {"again", "the stored answer is another one\n" + RowsText(first) + "\n" + RowsText(a)});
  }
}

bool IsInSteps(const Result<plan::PrivatePlan>& plan) {
  if (!plan.ok()) return false;
  return std::any_of(plan->columns.begin(), plan->columns.end(),
                     [](const auto& column) { return column.target.has_value(); });
}

}  // namespace

Question Write(Choices choices, const Scene& scene) {
  Question question;
  Generator generator(choices, question.features, scene.step->table, scene.step->partner);
  question.text = generator.Query();
  question.uses_hidden = generator.UsesHidden();
  question.counts_hidden = generator.CountsHidden();
  question.wants_intervals = choices.OneIn(8);
  question.names_error = choices.OneIn(12);
  question.choices = choices.taken();
  return question;
}

Outcome Try(const Question& question, const Scene& scene, Stage& stage, uint64_t number) {
  gateway::Request request{.text = question.text, .analyst = "", .request_id = "", .wish = {}};
  // Clocks of a session elsewhere cut what is stored with a zone.
  if (number % 6 == 5) request.zone = TimeZone::Find("America/New_York").value();
  const Rational price = MakeRational(static_cast<int64_t>(1'000'000 + number), 1'000'000);
  if (question.names_error) {
    request.wish.error =
        plan::ErrorWish{.named = {}, .others = plan::ErrorTarget{Rational(price * 20)}};
  }
  // Where an answer decides over the next step, what follows was paid for, and differs with it.
  if (!question.names_error || IsInSteps(stage.one->PlanOf(request))) {
    request.wish.error.reset();
    request.wish.epsilon = Epsilon(price);
  }
  request.wish.intervals = question.wants_intervals;
  Outcome outcome;
  SpyEngine one(stage.EngineOfOne());
  SpyEngine other(stage.EngineOfOther());
  other.FollowParametersOf(one);
  const Seen a = stage.one->Ask(request, number, &one);
  const Seen b = stage.other->Ask(request, number, &other);
  CompareAnswers(a, b, one, other, outcome);
  outcome.accepted = !one.seen().empty() || a.answered;
  if (a.error) {
    outcome.refused_by = a.error->rule.empty() ? a.error->public_message : a.error->rule;
  }
  if (one.plan() != nullptr) {
    CompareReleases(*one.plan(), static_cast<uint64_t>(scene.step->people), one, other, outcome);
  }
  if (outcome.accepted && question.uses_hidden && !question.counts_hidden) {
    CompareHidden(request, number, stage.there_one ? Rows::kInPostgres : Rows::kInDuckdb, outcome);
  }
  if (number % 4 == 1 && a.answered && b.answered) {
    CompareAgain(request, a, stage, number, outcome);
  }
  if (number % 8 == 0 && stage.one->Explain(request) != stage.other->Explain(request)) {
    outcome.violations.push_back({"explain", "EXPLAIN says something else"});
  }
  if (stage.unprepared && !IsWithoutWords(a)) {
    const Seen c = stage.unprepared->Ask(request, number);
    if (!outcome.violations.empty()) return outcome;
    if (a.said != c.said || RowsText(a) != RowsText(c)) {
      outcome.violations.push_back({"prepared", "prepared: " + Name(a) + "\n" + RowsText(a) +
                                                    a.said + "\n    imported: " + Name(c) + "\n" +
                                                    RowsText(c) + c.said});
    }
  }
  return outcome;
}

}  // namespace tacit::adversary
