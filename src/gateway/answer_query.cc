#include "gateway/answer_query.h"

#include <algorithm>

#include "analysis/analyze.h"
#include "answer/assemble.h"
#include "answer/format.h"
#include "engine/duckdb/errors.h"
#include "gateway/charge_request.h"
#include "gateway/parsed_texts.h"
#include "gateway/plan_bytes.h"
#include "gateway/plan_key.h"
#include "gateway/probe.h"
#include "gateway/replays.h"
#include "gateway/stages.h"
#include "ledger/of_policy.h"
#include "plan/compile.h"
#include "sql/parameters.h"
#include "sql/parse.h"

namespace tacit::gateway {
namespace {

Result<sql::Statement> ReadStatement(const Request& request, const Services& services) {
  if (request.parameters.empty()) return sql::Parse(request.text);
  ParsedTexts* texts = services.texts;
  std::shared_ptr<const sql::Statement> read =
      texts == nullptr ? nullptr : texts->Find(request.analyst, request.text);
  if (read == nullptr) {
    TACIT_TRY(sql::Statement parsed, sql::Parse(request.text));
    read = std::make_shared<const sql::Statement>(std::move(parsed));
    if (texts != nullptr) texts->Keep(request.analyst, request.text, read);
  }
  sql::Statement statement = *read;
  TACIT_TRY(statement.query, sql::BindParameters(statement.query, request.parameters));
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

using SharedPlan = std::shared_ptr<const plan::PrivatePlan>;

Result<plan::PrivatePlan> PlanOf(const sql::Query& query, const Request& request,
                                 const Services& services) {
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(query, services.policy, services.schema));
  TACIT_TRY(plan::PrivatePlan plan, plan::Compile(facts, services.policy.privacy, request.wish));
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

// Whether stored answers serve every release, and the asker has paid for all of them: then the
// quote says all that a charge would, and nothing is written.
bool IsFree(const ledger::Receipt& quote) {
  return !quote.charged() && std::all_of(quote.releases.begin(), quote.releases.end(),
                                         [](const ledger::GrantedRelease& release) {
                                           return release.bytes.has_value();
                                         });
}

Result<answer::Explanation> Explain(plan::PrivatePlan plan, const Request& request,
                                    Services& services) {
  TACIT_TRY(const ledger::ChargeRequest price,
            ChargeRequestOf(request, plan, services.policy, services.charge_terms));
  const Result<ledger::Receipt> quote = services.ledger.Quote(price);
  if (!request.analyst.empty()) plan::ForgetStatements(plan);
  answer::Explanation explanation{.plan = std::move(plan), .privacy = {}, .no_room = std::nullopt};
  if (quote.ok()) {
    explanation.privacy = answer::PrivacyOf(*quote, price.limits, request.analyst.empty());
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

// The state of the ledger before anything is looked up in it, where replays are kept.
std::optional<ledger::Moment> MomentNow(const Services& services) {
  if (services.replays == nullptr) return std::nullopt;
  const Result<ledger::Moment> now = services.ledger.Now();
  return now.ok() ? std::optional(*now) : std::nullopt;
}

// An answer that could not be kept does not leave: asked again it would be another one, paid anew.
Result<Done> OrChargeStands(Result<Done> stored) {
  if (stored.ok()) return Done{};
  Error error = std::move(stored).error();
  error.public_message += "; the answer was not kept, and its charge stands";
  return error;
}

// Everything after the charge. A later release may use an earlier one.
Result<answer::Answer> CarryOut(const plan::PrivatePlan& plan, const ledger::Receipt& receipt,
                                const ledger::Limits& limits, bool is_owner, Stages& stages,
                                Services& services) {
  for (size_t i = 0; i < plan.releases.size(); ++i) {
    if (receipt.releases[i].bytes) {
      TACIT_CHECK(stages.Replay(i, *receipt.releases[i].bytes));
    } else {
      TACIT_TRY(const std::string bytes, stages.Draw(i));
      TACIT_CHECK(OrChargeStands(services.ledger.Store(receipt, i, bytes)));
    }
  }
  TACIT_TRY(std::vector<std::vector<engine::Value>> rows, stages.Finish());
  return answer::Assemble(plan, std::move(rows), answer::PrivacyOf(receipt, limits, is_owner));
}

}  // namespace

Result<answer::Answer> AnswerQuery(const Request& request, Services& services) {
  // What is wrong with the ledger, its quote will say.
  const std::optional<ledger::Moment> asked_at = MomentNow(services);
  if (asked_at) {
    if (const auto kept = services.replays->Find(request, *asked_at)) return *kept;
  }
  SharedPlan recent = RecentPlan(request, services);
  if (recent == nullptr) {
    TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
    if (!statement.explain && IsZeroRowProbe(statement.query)) {
      TACIT_TRY(auto columns, DescribeQuery(request, services));
      return AnswerWithoutRows(std::move(columns), request, services);
    }
    TACIT_TRY(plan::PrivatePlan made, PlanOf(statement.query, request, services));
    if (statement.explain) {
      TACIT_TRY(const answer::Explanation explanation, Explain(std::move(made), request, services));
      return answer::AnswerOf(explanation);
    }
    recent = KeepPlan(std::move(made), request, services);
  }
  const plan::PrivatePlan& plan = *recent;

  const QuestionGate::Pass pass = QuestionGate::Enter(services.gate, plan.fingerprint);

  // What can go wrong without looking at a row goes wrong here, while nothing is charged.
  TACIT_TRY(const ledger::ChargeRequest price,
            ChargeRequestOf(request, plan, services.policy, services.charge_terms));
  TACIT_TRY(const ledger::Receipt quote, services.ledger.Quote(price));
  TACIT_TRY(Stages stages, Stages::Prepare(plan, quote, services));

  // The one text for whatever is thrown after the charge, as for an engine that fails: how much
  // memory exact groups took would be an answer. Made now, so that saying it needs none.
  Error unfinished = engine::duckdb::ExactQueryFailed("exception");

  // Known to fit, by declared sizes, before it is paid for.
  const EngineRoom::Stay stay =
      EngineRoom::Enter(stages.NeedsEngine() ? services.room : nullptr, plan);

  // Charge before the engine runs: from here on even a failure is an observation.
  TACIT_TRY(const ledger::Receipt receipt,
            IsFree(quote) ? Result<ledger::Receipt>(quote) : services.ledger.Charge(price));
  try {
    Result<answer::Answer> answer =
        CarryOut(plan, receipt, price.limits, request.analyst.empty(), stages, services);
    // Public tables are no part of what was asked: what is computed from them is computed again.
    if (answer.ok() && asked_at && IsFree(quote) && plan.public_tables.empty()) {
      services.replays->Keep(request, *asked_at, *answer);
    }
    return answer;
  } catch (...) {
    return Result<answer::Answer>(std::move(unfinished));
  }
}

Result<answer::Explanation> ExplainQuery(const Request& request, Services& services) {
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  TACIT_TRY(plan::PrivatePlan plan, PlanOf(statement.query, request, services));
  return Explain(std::move(plan), request, services);
}

Result<std::vector<plan::OutputColumn>> DescribeQuery(const Request& request,
                                                      const Services& services) {
  if (const SharedPlan recent = RecentPlan(request, services)) return recent->columns;
  TACIT_TRY(const sql::Statement statement, ReadStatement(request, services));
  Result<plan::PrivatePlan> plan = PlanOf(statement.query, request, services);
  if (plan.ok()) {
    if (statement.explain) return std::vector<plan::OutputColumn>{answer::ExplainColumn()};
    if (IsZeroRowProbe(statement.query)) return plan->columns;
    return KeepPlan(std::move(plan).value(), request, services)->columns;
  }
  if (!statement.explain && IsZeroRowProbe(statement.query)) {
    return ShapeOfProbe(statement.query, services.policy, services.schema);
  }
  return std::move(plan).error();
}

}  // namespace tacit::gateway
