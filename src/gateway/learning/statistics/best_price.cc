#include "answer/assemble.h"
#include "answer/format/numbers.h"
#include "gateway/charge_request.h"
#include "gateway/learning/statistics/asked.h"
#include "gateway/learning/statistics/price_release.h"
#include "gateway/learning/statistics/statistic.h"
#include "ledger/of_policy.h"

// tacit.best_price: which public price earns most from the bids, and no number beside it.

namespace tacit::gateway::learning {
namespace {

constexpr char kPriceTakes[] = "one column: a number, what each bidder would pay at most";
constexpr size_t kPricesDefault = 50;
// Why 500: the choice among more has more noise than a finer price is worth.
constexpr size_t kPricesMost = 500;

struct PriceTask {
  learn::PriceGrid grid;
  RowsToLearn rows;
};

Result<PriceTask> ReadPrices(const sql::LearnCall& call, const Request& request,
                             const Services& services) {
  TACIT_CHECK(CheckStatistic(call, {"prices"}, request));
  TACIT_TRY(StatisticRows from, ReadStatisticRows(call, 1, kPriceTakes, request, services));
  TACIT_TRY(const size_t count, CountOption(call, "prices", kPricesDefault, kPricesMost));
  if (!from.IsNumber(0)) return WrongColumns(call, kPriceTakes);
  std::optional<learn::PriceGrid> grid =
      learn::MakePriceGrid(*from.ranges[0], from.rows.shape[0].type.IsInteger(), count);
  if (!grid) {
    return Error{.code = ErrorCode::kInvalidQuery,
                 .public_message = from.rows.shape[0].name +
                                   " is never above 0 by its declared "
                                   "range: there is nothing to ask for",
                 .hint = "name what bidders would pay",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  return PriceTask{.grid = std::move(*grid), .rows = std::move(from.rows)};
}

std::vector<plan::OutputColumn> PriceColumns() {
  return {StatisticColumn("price", TypeKind::kDouble)};
}

std::string LossSentence(const PriceTask& task, const PriceRelease& release) {
  const Rational loss = Rational(
      Rational(release.chooser().UtilityLossAt95(task.grid.prices.size())) * task.grid.unit);
  return "in 95 % of choices among the " + std::to_string(task.grid.prices.size()) +
         " prices, the one chosen earns at most " + answer::ErrorNumber(loss) +
         " less from these bids than the best; what it earns is not shown";
}

Result<answer::Answer> AnswerPrice(const sql::LearnCall& call, const Request& request,
                                   Services& services) {
  TACIT_TRY(const PriceTask task, ReadPrices(call, request, services));
  TACIT_TRY(const std::unique_ptr<PriceRelease> release,
            PriceRelease::Make(task.grid, task.rows.text, request, services));
  TACIT_TRY(const PriceRelease::Answer chosen, release->CarryOut());
  TACIT_TRY(const ledger::ChargeRequest charge, release->ChargeOf());
  const answer::Privacy privacy = answer::PrivacyOf(chosen.receipt, charge);
  answer::Answer answer{.columns = PriceColumns(),
                        .rows = {},
                        .privacy = privacy,
                        .notices = {answer::PriceSentence(privacy), LossSentence(task, *release)}};
  answer.rows.push_back({task.grid.prices[chosen.price].get_d()});
  return answer;
}

Result<answer::Explanation> ExplainPrice(const sql::LearnCall& call, const Request& request,
                                         Services& services) {
  TACIT_TRY(const PriceTask task, ReadPrices(call, request, services));
  TACIT_TRY(const std::unique_ptr<PriceRelease> release,
            PriceRelease::Make(task.grid, task.rows.text, request, services));
  TACIT_TRY(const ledger::ChargeRequest charge, release->ChargeOf());
  answer::Explanation explanation{
      .plan = release->plan(), .told = {}, .privacy = {}, .no_room = std::nullopt};
  explanation.plan.columns = PriceColumns();
  explanation.plan.notices = {std::string("chosen by ") + release->chooser().Name(),
                              LossSentence(task, *release)};
  if (request.analyst.empty()) {
    TACIT_TRY(explanation.told, services.engine.Explain(release->to_engine()));
  } else {
    plan::ForgetStatements(explanation.plan);
  }
  const Result<ledger::Receipt> quote = services.ledger.Quote(charge);
  if (quote.ok()) {
    explanation.privacy = answer::PrivacyOf(*quote, charge);
    return explanation;
  }
  if (quote.error().code != ErrorCode::kBudgetExhausted) return quote.error();
  const std::optional<ledger::Budget> budget =
      charge.limits.analyst ? charge.limits.analyst : charge.limits.dataset;
  TACIT_TRY(const ledger::Balance balance,
            services.ledger.BalanceOf(request.analyst, charge.limits.accounting, budget));
  explanation.privacy = answer::PrivacyOf(balance, charge.limits, request.analyst.empty());
  explanation.no_room = quote.error().public_message;
  return explanation;
}

}  // namespace

const Statistic kBestPrice = {
    .task = "best_price", .columns = PriceColumns, .answer = AnswerPrice, .explain = ExplainPrice};

}  // namespace tacit::gateway::learning
