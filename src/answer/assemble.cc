#include "answer/assemble.h"

#include <algorithm>
#include <cmath>

#include "accounting/zcdp.h"
#include "answer/format/format.h"
#include "answer/format/numbers.h"
#include "answer/shown/nonnegative.h"
#include "base/whole_file.h"

namespace tacit::answer {
namespace {

Remaining RemainingOf(const ledger::Balance& balance, ledger::Accounting accounting,
                      const ledger::Budget& budget) {
  TACIT_ASSERT(balance.left.has_value());
  const ledger::Cost& left = *balance.left;
  if (accounting == ledger::Accounting::kPure) {
    return {.epsilon = left.epsilon, .delta = left.delta, .rho = std::nullopt};
  }
  const Delta half(Rational(budget.delta / 2));
  const double bought = left.rho > 0 ? accounting::ZcdpEpsilonDown(Rho(left.rho), half) : 0;
  // Never more than the whole budget, however far it is beyond what doubles hold.
  Rational epsilon = budget.epsilon;
  if (std::isfinite(bought) && RationalOf(bought) < epsilon) epsilon = RationalOf(bought);
  return {.epsilon = epsilon, .delta = left.delta, .rho = left.rho};
}

// One error per distinct statement, in the order of the columns; long lists are cut.
std::vector<std::string> ErrorPhrases(const std::vector<plan::OutputColumn>& columns,
                                      bool with_margins) {
  std::vector<const plan::OutputColumn*> noisy;
  for (const plan::OutputColumn& column : columns) {
    if (!column.error || column.error->in_rows || (with_margins && column.margin)) continue;
    noisy.push_back(&column);
  }
  const bool same = std::all_of(noisy.begin(), noisy.end(), [&](const plan::OutputColumn* column) {
    return column->error->moe95 == noisy[0]->error->moe95 &&
           column->error->condition == noisy[0]->error->condition;
  });
  std::vector<std::string> phrases;
  for (const plan::OutputColumn* column : noisy) {
    std::string phrase = ErrorNumber(column->error->moe95);
    const std::string& condition = column->error->condition;
    if (!same) {
      phrase += " (" + column->name + (condition.empty() ? "" : ", " + condition) + ")";
    } else if (!condition.empty()) {
      phrase += " (" + condition + ")";
    }
    phrases.push_back(std::move(phrase));
    if (same) break;
  }
  return phrases;
}

std::string Listing(const std::vector<std::string>& phrases) {
  // Why 6: a sentence that nobody reads to its end says nothing; EXPLAIN has them all.
  constexpr size_t kPhrasesMax = 6;
  std::string list;
  for (size_t i = 0; i < std::min(phrases.size(), kPhrasesMax); ++i) {
    list += (i == 0 ? "" : ", ") + phrases[i];
  }
  return list + (phrases.size() > kPhrasesMax ? ", ..." : "");
}

// Whether a stored answer served whose noise is smaller than the asker's own price would buy now.
// To an analyst it says nothing of others: without having paid for it, nobody gets a finer one.
bool IsFinerThanAsked(const ledger::Receipt& receipt, const ledger::ChargeRequest& request) {
  for (size_t i = 0; i < receipt.releases.size(); ++i) {
    const std::vector<Rational>& served = receipt.releases[i].scales;
    const std::vector<Rational>& asked = request.releases[i].scales;
    if (!receipt.releases[i].bytes) continue;
    for (size_t k = 0; k < std::min(served.size(), asked.size()); ++k) {
      // Written down, a scale may be rounded in its last digits.
      if (served[k] < asked[k] * Rational(999'999, 1'000'000)) return true;
    }
  }
  return false;
}

}  // namespace

Privacy PrivacyOf(const ledger::Balance& balance, const ledger::Limits& limits,
                  bool asked_by_owner) {
  Privacy privacy{.accounting = limits.accounting,
                  .cost = {},
                  .cached = false,
                  .budget = limits.analyst ? *limits.analyst : limits.dataset,
                  .remaining = {},
                  .asked_by_owner = asked_by_owner,
                  .receipt = ""};
  privacy.remaining = RemainingOf(balance, limits.accounting, privacy.budget);
  return privacy;
}

Privacy PrivacyOf(const ledger::Receipt& receipt, const ledger::ChargeRequest& request) {
  const bool asked_by_owner = request.analyst.empty();
  Privacy privacy = PrivacyOf(receipt.balance, request.limits, asked_by_owner);
  privacy.cost = asked_by_owner ? receipt.dataset_cost : receipt.analyst_cost;
  // Under zcdp epsilon E buys rho = E^2 / 2: said as the price that was asked.
  if (privacy.accounting == ledger::Accounting::kZcdp) {
    privacy.cost.epsilon = SquareRootUp(Rational(privacy.cost.rho * 2));
  }
  privacy.receipt = receipt.name;
  // Only what the asker has paid for before: that others asked it is their affair.
  privacy.cached = !receipt.releases.empty() && privacy.cost.IsZero();
  for (const ledger::GrantedRelease& release : receipt.releases) {
    privacy.cached = privacy.cached && release.bytes.has_value();
  }
  privacy.finer_than_asked = IsFinerThanAsked(receipt, request);
  return privacy;
}

std::string PriceSentence(const Privacy& privacy) {
  const bool pure = privacy.accounting == ledger::Accounting::kPure;
  const std::string left = ShortNumber(privacy.remaining.epsilon, Rounding::kDown) + " left." +
                           (pure ? ""
                                 : " (rho " + ShortNumber(*privacy.remaining.rho, Rounding::kDown) +
                                       "; epsilons do not add up under zcdp.)");
  if (privacy.cost.IsZero()) {
    const std::string why =
        privacy.cached ? "this is the stored answer" : "no protected row is needed";
    return "cost nothing: " + why + "; " + left;
  }
  std::string cost = ShortNumber(privacy.cost.epsilon, Rounding::kUp);
  if (privacy.cost.delta > 0) {
    cost += " and delta " + ShortNumber(privacy.cost.delta, Rounding::kUp);
  }
  return "cost " + cost + (privacy.asked_by_owner ? " of the dataset's " : " of your ") +
         ShortNumber(privacy.budget.epsilon, Rounding::kUp) + "; " + left;
}

std::string ErrorSentence(const std::vector<plan::OutputColumn>& columns, bool with_margins) {
  const std::string list = Listing(ErrorPhrases(columns, with_margins));
  return list.empty() ? "" : "95 % of answers like this are within " + list + " of the truth.";
}

std::string RankWords(const plan::ColumnError& error) {
  const std::string rows = ShortNumber(error.moe95, Rounding::kUp);
  if (error.of_mode) return "is at most " + rows + " rows rarer than the most frequent value";
  return "stands at most " + rows + (rows == "1" ? " rank" : " ranks") + " from the true one";
}

std::string RankSentence(const std::vector<plan::OutputColumn>& columns) {
  std::vector<std::string> phrases;
  for (const plan::OutputColumn& column : columns) {
    if (!column.error || !column.error->in_rows) continue;
    phrases.push_back(column.name + " " + RankWords(*column.error));
  }
  const std::string list = Listing(phrases);
  return list.empty() ? "" : "In 95 % of answers " + list + ".";
}

Answer Assemble(const plan::PrivatePlan& plan, engine::PackedRows rows, engine::PackedRows margins,
                const Privacy& privacy) {
  Answer answer{.columns = plan.columns,
                .rows = NoneBelowZero(plan.columns, std::move(rows)),
                .margins = std::move(margins),
                .privacy = privacy,
                .notices = {}};
  std::string price = PriceSentence(privacy);
  // Of no rows nothing is said, whether they were left out or there were none.
  const bool with_margins =
      answer.rows.empty() ? !plan.margin_sql.empty() : !answer.margins.empty();
  const std::string error = ErrorSentence(plan.columns, with_margins);
  if (!error.empty()) price += " " + error;
  if (const std::string ranks = RankSentence(plan.columns); !ranks.empty()) price += " " + ranks;
  answer.notices.push_back(std::move(price));
  if (privacy.finer_than_asked) {
    answer.notices.push_back(
        "a stored answer served that is finer than asked: its noise, and the size below which "
        "groups are withheld, are smaller than stated here");
  }
  answer.notices.insert(answer.notices.end(), plan.notices.begin(), plan.notices.end());
  return answer;
}

void AddPaidBefore(Answer& answer, const ledger::Cost& before) {
  if (before.IsZero()) return;
  const std::string alone = PriceSentence(answer.privacy);
  ledger::Cost& cost = answer.privacy.cost;
  cost.epsilon += before.epsilon;
  cost.delta += before.delta;
  cost.rho += before.rho;
  if (answer.privacy.accounting == ledger::Accounting::kZcdp) {
    cost.epsilon = SquareRootUp(Rational(cost.rho * 2));
  }
  answer.privacy.cached = false;
  if (answer.notices.empty() || !answer.notices.front().starts_with(alone)) return;
  answer.notices.front().replace(0, alone.size(), PriceSentence(answer.privacy));
}

plan::OutputColumn ExplainColumn() {
  return {.name = "QUERY PLAN", .type = kTextType, .error = std::nullopt};
}

namespace {

// A line as several ones of at most 110 bytes where it has blanks: a client shows the column as
// wide as its longest line. What follows is indented further.
void AddFolded(const std::string& line, engine::PackedRows& rows) {
  constexpr size_t kWidth = 110;
  const size_t indent = std::min(line.find_first_not_of(' '), line.size()) + 4;
  std::string rest = line;
  while (rest.size() > kWidth) {
    const size_t blank = rest.rfind(' ', kWidth);
    if (blank == std::string::npos || blank <= indent) break;
    rows.push_back({rest.substr(0, blank)});
    rest = std::string(indent, ' ') + rest.substr(blank + 1);
  }
  rows.push_back({std::move(rest)});
}

}  // namespace

Answer AnswerOf(const Explanation& explanation) {
  Answer answer{
      .columns = {ExplainColumn()}, .rows = {}, .privacy = explanation.privacy, .notices = {}};
  answer.privacy.cost = {};
  answer.privacy.receipt.clear();
  const std::string text = FormatText(explanation);
  for (const std::string_view line : LinesOf(text)) AddFolded(std::string(line), answer.rows);
  return answer;
}

}  // namespace tacit::answer
