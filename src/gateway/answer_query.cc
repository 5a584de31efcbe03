#include "gateway/answer_query.h"

#include <algorithm>

#include "analysis/analyze.h"
#include "answer/assemble.h"
#include "answer/format/format.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"
#include "gateway/derive/derived.h"
#include "gateway/derive/topped_up.h"
#include "gateway/kept/parsed_texts.h"
#include "gateway/kept/plan_bytes.h"
#include "gateway/kept/plan_key.h"
#include "gateway/kept/replays.h"
#include "gateway/learning/learn.h"
#include "gateway/moment.h"
#include "gateway/probe.h"
#include "gateway/stages.h"
#include "gateway/within_error.h"
#include "gateway/workload/bought.h"
#include "gateway/workload/buy.h"
#include "ledger/of_policy.h"
#include "plan/compile.h"
#include "sql/bind/parameters.h"
#include "sql/bind/session_zone.h"
#include "sql/buy.h"
#include "sql/constants/moment.h"
#include "sql/constants/zone.h"
#include "sql/learn.h"
#include "sql/parse.h"

namespace tacit::gateway {

using workload::BoughtAt;
using workload::MayBeBought;

namespace {

Result<sql::Statement> BoundStatement(const Request& request, const Services& services) {
  std::shared_ptr<const sql::Statement> read = request.statement;
  if (request.parameters.empty()) {
    return read == nullptr ? sql::Parse(request.text) : Result<sql::Statement>(*read);
  }
  ParsedTexts* texts = services.texts;
  if (read == nullptr && texts != nullptr) read = texts->Find(request.analyst, request.text);
  if (read == nullptr) {
    TACIT_TRY(sql::Statement parsed, sql::Parse(request.text));
    read = std::make_shared<const sql::Statement>(std::move(parsed));
  }
  if (texts != nullptr) texts->Keep(request.analyst, request.text, read);
  sql::Statement statement = *read;
  TACIT_TRY(statement.query, sql::BindParameters(statement.query, request.parameters));
  return statement;
}

// With nothing left that depends on when and where it is asked: what follows is about one question.
Result<sql::Statement> ReadStatement(const Request& request, const Services& services) {
  TACIT_TRY(sql::Statement statement, BoundStatement(request, services));
  TACIT_TRY(statement.query, sql::AtMoment(statement.query, request.now, request.zone.get()));
  statement.query = sql::InZone(statement.query, request.zone);
  return statement;
}

// The answer of a question that asks for no rows: nothing is charged, nothing is run.
Result<answer::Answer> AnswerWithoutRows(std::vector<plan::OutputColumn> columns,
                                         const Request& request, Services& services) {
  TACIT_TRY(const ledger::Limits limits, ledger::LimitsOf(services.policy, request.analyst));
  TACIT_TRY(const ledger::Balance balance,
            services.ledger.BalanceOf(request.analyst, limits.accounting,
                                      limits.analyst ? limits.analyst : limits.dataset));
  return answer::Answer{.columns = std::move(columns),
                        .rows = {},
                        .privacy = answer::PrivacyOf(balance, limits, request.analyst.empty()),
                        .notices = {}};
}

// Rows are never shown, and that there is none says nothing about the data.
constexpr char kPreviewNotice[] =
    "these are the columns only: rows about people are not shown. RESET tacit.previews makes this "
    "a refusal again, which says what may be asked";
bool IsPreview(const Request& request, const sql::Statement& statement) {
  return request.previews && !statement.explain && IsAskingForRows(statement.query);
}

using SharedPlan = std::shared_ptr<const plan::PrivatePlan>;

Result<plan::PrivatePlan> PlanOf(const sql::Query& query, const Request& request,
                                 const Services& services,
                                 const std::vector<plan::Derivation>& made_of = {}) {
  TACIT_TRY(const analysis::Facts facts, analysis::Analyze(query, services.policy, services.schema,
                                                           sql::ZoneName(request.zone)));
  TACIT_TRY(plan::PrivatePlan plan,
            plan::Compile(facts, services.policy.privacy, request.wish, made_of));
  if (services.room != nullptr) TACIT_CHECK(services.room->Check(plan));
  return plan;
}

// The plan of a question that was planned before; null when it was not.
SharedPlan RecentPlan(const Request& request, const Services& services) {
  if (services.plans == nullptr) return nullptr;
  const std::optional<std::string> key = PlanKey(request);
  return key ? services.plans->Find(request.analyst, *key) : nullptr;
}

SharedPlan KeepPlan(plan::PrivatePlan plan, const Request& request, const Services& services) {
  SharedPlan shared = std::make_shared<const plan::PrivatePlan>(std::move(plan));
  if (services.plans == nullptr) return shared;
  if (const std::optional<std::string> key = PlanKey(request)) {
    services.plans->Keep(request.analyst, *key, shared, BytesOf(*shared));
  }
  return shared;
}

// The plan of a question, made now or before.
Result<SharedPlan> PlanFor(const Request& request, const Services& services) {
  if (SharedPlan recent = RecentPlan(request, services)) return recent;
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  TACIT_TRY(plan::PrivatePlan made, PlanOf(statement.query, request, services));
  return KeepPlan(std::move(made), request, services);
}

// Whether a question would be charged for, and the asker's own releases may change that. Under an
// id every answer is the one that was charged, and what was asked in steps is gone through as it
// was.
bool MayBeServedByOwn(const Result<ledger::Receipt>& quote, const ledger::ChargeRequest& price) {
  const bool full = !quote.ok() && quote.error().code == ErrorCode::kBudgetExhausted;
  const bool is_charged = full || (quote.ok() && !IsFree(*quote));
  return is_charged && price.request_id.empty() && !price.coarsest;
}

// What the asker's own releases make of a question, for nothing.
Result<std::optional<Derived>> FromOwnReleases(const Result<ledger::Receipt>& quote,
                                               const plan::PrivatePlan& plan,
                                               const ledger::ChargeRequest& price,
                                               const Services& services) {
  if (!MayBeServedByOwn(quote, price)) return std::optional<Derived>();
  OwnShapes read_now;
  OwnShapes& shapes = services.own_shapes != nullptr ? *services.own_shapes : read_now;
  return DeriveFromOwn(plan, price, shapes, services.ledger);
}

// A question for whose coarser answer the asker has paid: what has to be paid still.
Result<std::optional<ToppedUp>> WhatIsMissing(const Result<ledger::Receipt>& quote,
                                              const plan::PrivatePlan& plan,
                                              const ledger::ChargeRequest& price,
                                              Services& services) {
  if (!MayBeServedByOwn(quote, price)) return std::optional<ToppedUp>();
  return TopUpFromOwn(plan, price, services);
}

Result<plan::PrivatePlan> PlanMadeOf(const Derived& derived, const Request& request,
                                     const Services& services) {
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  TACIT_TRY(plan::PrivatePlan plan, PlanOf(statement.query, request, services, derived.made_of));
  plan.notices.push_back(
      "this is made of answers that you have paid for; what is said of its error is its own");
  return plan;
}

Result<answer::Explanation> Explain(plan::PrivatePlan plan, const Request& request,
                                    Services& services) {
  TACIT_TRY(ledger::ChargeRequest price,
            ChargeRequestOf(request, plan, services.policy, services.charge_terms));
  Result<ledger::Receipt> quote = services.ledger.Quote(price);
  TACIT_TRY(std::optional<Derived> derived, FromOwnReleases(quote, plan, price, services));
  if (derived) {
    TACIT_TRY(plan, PlanMadeOf(*derived, request, services));
    quote = std::move(derived->receipt);
  } else {
    TACIT_TRY(std::optional<ToppedUp> topped_up, WhatIsMissing(quote, plan, price, services));
    if (topped_up) {
      price = std::move(topped_up->price);
      quote = services.ledger.Quote(price);
      plan.notices.push_back(kToppedUpNotice);
    }
  }
  std::vector<engine::Told> told;
  if (request.analyst.empty()) {
    TACIT_TRY(told, services.engine.Explain(plan));
  } else {
    plan::ForgetStatements(plan);
  }
  answer::Explanation explanation{
      .plan = std::move(plan), .told = std::move(told), .privacy = {}, .no_room = std::nullopt};
  if (quote.ok()) {
    explanation.privacy = answer::PrivacyOf(*quote, price);
  } else if (quote.error().code == ErrorCode::kBudgetExhausted) {
    const std::optional<ledger::Budget> budget =
        price.limits.analyst ? price.limits.analyst : price.limits.dataset;
    TACIT_TRY(const ledger::Balance balance,
              services.ledger.BalanceOf(request.analyst, price.limits.accounting, budget));
    explanation.privacy = answer::PrivacyOf(balance, price.limits, request.analyst.empty());
    explanation.no_room = quote.error().public_message;
  } else {
    return quote.error();
  }
  return explanation;
}

bool IsInSteps(const plan::PrivatePlan& plan) {
  return std::any_of(plan.columns.begin(), plan.columns.end(),
                     [](const plan::OutputColumn& column) { return column.target.has_value(); });
}

// What EXPLAIN shows of a question that is asked in steps is the first of them.
Result<plan::PrivatePlan> WithItsFirstStep(plan::PrivatePlan plan, const Request& request,
                                           const sql::Query& query, Services& services) {
  if (!IsInSteps(plan)) return plan;
  TACIT_TRY(const std::optional<Epsilon> better, FirstStepOf(request, plan, services));
  if (!better) return plan;
  Request from_there = request;
  from_there.wish.first_step = better;
  return PlanOf(query, from_there, services);
}

// The state of the ledger before anything is looked up in it, where replays are kept.
std::optional<ledger::Moment> MomentNow(const Services& services) {
  if (services.replays == nullptr) return std::nullopt;
  const Result<ledger::Moment> now = services.ledger.Now();
  return now.ok() ? std::optional(*now) : std::nullopt;
}

// An answer, whether it cost nothing, and what it was made of.
struct CarriedOut {
  answer::Answer answer;
  bool was_free = false;
  std::vector<ledger::GrantedRelease> granted;
};
Result<CarriedOut> CarryOutPlan(const plan::PrivatePlan& plan, const Request& request,
                                Services& services) {
  const QuestionGate::Pass pass = QuestionGate::Enter(services.gate, plan.fingerprint);
  TACIT_TRY(const ledger::ChargeRequest price,
            ChargeRequestOf(request, plan, services.policy, services.charge_terms));
  Result<ledger::Receipt> quote = services.ledger.Quote(price);
  TACIT_TRY(std::optional<Derived> derived, FromOwnReleases(quote, plan, price, services));
  if (derived) {
    TACIT_TRY(const plan::PrivatePlan made, PlanMadeOf(*derived, request, services));
    Stages stages(made, price, services);
    TACIT_TRY(answer::Answer answer, ReplayAll(std::move(derived->receipt), stages));
    return CarriedOut{std::move(answer), stages.WasFree(), {}};
  }
  TACIT_TRY(const std::optional<ToppedUp> topped_up, WhatIsMissing(quote, plan, price, services));
  if (topped_up) {
    ToppedUpStages stages(plan, *topped_up, price, services);
    TACIT_TRY(answer::Answer answer,
              CarryOut(topped_up->price, stages, services.ledger, services.entropy));
    return CarriedOut{std::move(answer), false, {}};
  }
  Stages stages(plan, price, services);
  TACIT_TRY(answer::Answer answer,
            CarryOut(std::move(quote), price, stages, services.ledger, services.entropy));
  return CarriedOut{std::move(answer), stages.WasFree(), stages.Granted()};
}

// The request at the highest price that all of what serves was bought for: every scale falls as 1 /
// epsilon, by either accounting. Nothing where some of it is no finer than asked; what can be the
// price, the likeliest first, where a scale that was rounded hides it.
std::vector<Request> AtItsOwnPrice(const Request& request, const plan::PrivatePlan& plan,
                                   const std::vector<ledger::GrantedRelease>& granted) {
  std::optional<Rational> times;
  for (size_t i = 0; i < granted.size(); ++i) {
    const std::vector<Rational>& asked = plan.releases[i].scales;
    const bool known = !asked.empty() && !granted[i].scales.empty() && granted[i].scales[0] > 0;
    if (!known) return {};
    const Rational finer = Rational(asked[0] / granted[i].scales[0]);
    if (!times || finer < *times) times = finer;
  }
  if (!times || *times <= 1) return {};
  std::vector<Rational> prices = {Rational(plan.cost.epsilon * *times)};
  if (plan.cost.rho > 0) {
    // A Gaussian's scale is written down rounded up. The price is the short number beside it; a
    // hair less is certain to be served. The scale of an estimate has nine digits, rounded up.
    const Rational hair(1, 1'000'000'000);
    const Rational less = Rational(prices[0] * (1 - hair));
    const Rational of_estimate = Rational(prices[0] * (1 - 100 * hair));
    prices = {ShortestWithin(less, Rational(prices[0] * (1 + hair))), less, of_estimate};
  }
  std::vector<Request> requests;
  for (const Rational& price : prices) {
    requests.push_back(request);
    requests.back().wish.error.reset();
    requests.back().wish.epsilon = Epsilon(price);
  }
  return requests;
}

// Whether these very releases serve the request, for nothing.
bool IsServedBy(const std::vector<ledger::GrantedRelease>& granted, const Request& request,
                Services& services) {
  const Result<std::optional<std::vector<ledger::ReleaseId>>> paid =
      PaidReleases(request, services);
  if (!paid.ok() || !*paid || (*paid)->size() != granted.size()) return false;
  for (size_t i = 0; i < granted.size(); ++i) {
    if ((*paid)->at(i) != granted[i].id) return false;
  }
  return true;
}

// Where an answer served that was bought at a higher price: the same with the errors of that price
// and the size of groups that it shows, instead of those that were asked for. Nothing where that
// price cannot be told; what is asked at it is free, or it is not asked.
Result<std::optional<answer::Answer>> AsPaidFor(const CarriedOut& served, const Request& request,
                                                const plan::PrivatePlan& plan, Services& services) {
  using Found = std::optional<answer::Answer>;
  if (!served.answer.privacy.finer_than_asked || !served.was_free || !request.request_id.empty()) {
    return Found();
  }
  const std::vector<Request> prices = AtItsOwnPrice(request, plan, served.granted);
  const auto own = std::find_if(prices.begin(), prices.end(), [&](const Request& at) {
    return IsServedBy(served.granted, at, services);
  });
  if (own == prices.end()) return Found();
  TACIT_TRY(const SharedPlan finer, PlanFor(*own, services));
  TACIT_TRY(CarriedOut again, CarryOutPlan(*finer, *own, services));
  if (!again.was_free) return Found();
  again.answer.privacy.finer_than_asked = true;
  again.answer.notices.push_back(
      "this is a stored answer that is finer than asked; what is said of its error is its own");
  return Found(std::move(again.answer));
}

}  // namespace

Result<answer::Answer> AnswerQuery(const Request& asked, Services& services) {
  TACIT_TRY(const Request request, AsFirstAsked(asked, services));
  // What is wrong with the ledger, its quote will say.
  const std::optional<ledger::Moment> asked_at = MomentNow(services);
  if (asked_at) {
    if (const auto kept = services.replays->Find(request, *asked_at)) return *kept;
  }
  SharedPlan recent = RecentPlan(request, services);
  if (recent == nullptr) {
    TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
    if (const std::optional<std::string> bought = sql::BoughtText(statement.query)) {
      return workload::AnswerBuying(*bought, request, statement.explain, services);
    }
    if (sql::Learns(statement.query)) {
      if (!statement.explain) return learning::AnswerLearning(statement.query, request, services);
      TACIT_TRY(const answer::Explanation learning, ExplainQuery(request, services));
      return answer::AnswerOf(learning);
    }
    if (!statement.explain && IsZeroRowProbe(statement.query)) {
      TACIT_TRY(auto columns, DescribeQuery(request, services));
      return AnswerWithoutRows(std::move(columns), request, services);
    }
    Result<plan::PrivatePlan> planned = PlanOf(statement.query, request, services);
    if (!planned.ok() && IsPreview(request, statement)) {
      TACIT_TRY(auto columns, DescribeQuery(request, services));
      TACIT_TRY(answer::Answer shape, AnswerWithoutRows(std::move(columns), request, services));
      shape.notices.push_back(kPreviewNotice);
      return shape;
    }
    TACIT_TRY(plan::PrivatePlan made, std::move(planned));
    if (statement.explain) {
      TACIT_TRY(made, WithItsFirstStep(std::move(made), request, statement.query, services));
      TACIT_TRY(answer::Explanation explanation, Explain(std::move(made), request, services));
      explanation.verbose = statement.verbose;
      return answer::AnswerOf(explanation);
    }
    recent = KeepPlan(std::move(made), request, services);
  }
  const plan::PrivatePlan& plan = *recent;
  TACIT_TRY(const std::optional<Epsilon> bought, BoughtAt(request, plan, services));
  if (bought) {
    Request cheaper = request;
    cheaper.wish.epsilon = bought;
    return AnswerQuery(cheaper, services);
  }
  if (IsInSteps(plan)) {
    TACIT_TRY(const std::optional<Epsilon> better, FirstStepOf(request, plan, services));
    if (!better) return AnswerWithinError(request, plan, services);
    Request from_there = request;
    from_there.wish.first_step = better;
    return AnswerQuery(from_there, services);
  }

  TACIT_TRY(CarriedOut carried_out, CarryOutPlan(plan, request, services));
  TACIT_TRY(std::optional<answer::Answer> finer, AsPaidFor(carried_out, request, plan, services));
  answer::Answer answer = finer ? std::move(*finer) : std::move(carried_out.answer);
  // Public tables are no part of what was asked: what is computed from them is computed again.
  if (asked_at && carried_out.was_free && plan.public_tables.empty()) {
    services.replays->Keep(request, *asked_at, answer);
  }
  return answer;
}

Result<std::optional<std::vector<ledger::ReleaseId>>> PaidReleases(const Request& request,
                                                                   Services& services) {
  using Paid = std::optional<std::vector<ledger::ReleaseId>>;
  TACIT_TRY(const SharedPlan plan, PlanFor(request, services));
  TACIT_TRY(const ledger::ChargeRequest price,
            ChargeRequestOf(request, *plan, services.policy, services.charge_terms));
  const Result<ledger::Receipt> quote = services.ledger.Quote(price);
  TACIT_TRY(const std::optional<Derived> derived, FromOwnReleases(quote, *plan, price, services));
  if (derived) return Paid(derived->sources);
  if (!quote.ok()) {
    if (quote.error().code == ErrorCode::kBudgetExhausted) return Paid();
    return quote.error();
  }
  if (!IsFree(*quote)) return Paid();
  std::vector<ledger::ReleaseId> releases;
  for (const ledger::GrantedRelease& release : quote->releases) releases.push_back(release.id);
  return Paid(std::move(releases));
}

Result<analysis::Facts> FactsOf(const Request& request, const Services& services) {
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  if (statement.explain || sql::BoughtText(statement.query) || sql::Learns(statement.query)) {
    return InvalidArgument("a workload holds questions: SELECTs about tables",
                           "leave EXPLAIN, tacit.buy and models out of it");
  }
  return analysis::Analyze(statement.query, services.policy, services.schema,
                           sql::ZoneName(request.zone));
}

Result<answer::Explanation> ExplainQuery(const Request& asked, Services& services) {
  Request request = asked;
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  if (sql::Learns(statement.query)) {
    TACIT_TRY(answer::Explanation learning,
              learning::ExplainLearning(statement.query, request, services));
    learning.verbose = statement.verbose;
    return learning;
  }
  TACIT_TRY(plan::PrivatePlan plan, PlanOf(statement.query, request, services));
  TACIT_TRY(const std::optional<Epsilon> bought, BoughtAt(request, plan, services));
  if (bought) {
    request.wish.epsilon = bought;
    TACIT_TRY(plan, PlanOf(statement.query, request, services));
  }
  TACIT_TRY(plan, WithItsFirstStep(std::move(plan), request, statement.query, services));
  TACIT_TRY(answer::Explanation explanation, Explain(std::move(plan), request, services));
  explanation.verbose = statement.verbose;
  return explanation;
}

Result<std::vector<plan::OutputColumn>> DescribeQuery(const Request& request,
                                                      const Services& services) {
  if (const SharedPlan recent = RecentPlan(request, services)) return recent->columns;
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  if (sql::BoughtText(statement.query)) return workload::BoughtColumns();
  if (const std::optional<std::string> task = sql::LearnTaskOf(statement.query)) {
    if (statement.explain) return std::vector<plan::OutputColumn>{answer::ExplainColumn()};
    return learning::LearnedColumns(*task);
  }
  Result<plan::PrivatePlan> plan = PlanOf(statement.query, request, services);
  if (plan.ok()) {
    if (statement.explain) return std::vector<plan::OutputColumn>{answer::ExplainColumn()};
    if (IsZeroRowProbe(statement.query)) return plan->columns;
    return KeepPlan(std::move(plan).value(), request, services)->columns;
  }
  if (!statement.explain && IsZeroRowProbe(statement.query)) {
    return ShapeOfProbe(statement.query, services.policy, services.schema);
  }
  if (IsPreview(request, statement)) {
    Result<std::vector<plan::OutputColumn>> shape =
        ShapeOfProbe(statement.query, services.policy, services.schema);
    if (shape.ok()) return shape;
  }
  return std::move(plan).error();
}

}  // namespace tacit::gateway
