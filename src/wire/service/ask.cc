#include "wire/service/ask.h"

#include "analysis/deep_walk.h"
#include "analysis/types.h"
#include "gateway/answer_query.h"
#include "ledger/of_policy.h"
#include "sql/parameters.h"
#include "sql/parse.h"
#include "wire/pg/types/codec.h"
#include "wire/service/account.h"
#include "wire/service/parameter_value.h"

namespace tacit::wire {
namespace {

std::vector<Column> ColumnsOf(const std::vector<plan::OutputColumn>& columns) {
  std::vector<Column> shown;
  for (const plan::OutputColumn& column : columns) {
    const pg::NamedType type = pg::TypeNamed(column.type);
    shown.push_back({.name = column.name, .type = type.type, .modifier = type.modifier});
  }
  return shown;
}

gateway::Request RequestOf(const Question& question) {
  return {
      .text = question.text, .analyst = question.analyst, .request_id = "", .wish = question.wish};
}

// The declared types, and what the query says of the others.
Result<std::vector<uint32_t>> ParameterTypes(const Question& question, const Terms& terms) {
  TACIT_TRY(const sql::Statement statement, sql::Parse(question.text));
  const int count = sql::ParameterCount(statement.query);
  std::vector<uint32_t> types = question.parameter_types;
  if (types.size() < static_cast<size_t>(count)) types.resize(static_cast<size_t>(count), 0);
  if (count == 0) return types;
  const std::set<std::string> tables = analysis::TableNamesIn(statement.query);
  const sql::ColumnTypes column_type = [&](const sql::ColumnReference& column) {
    for (const std::string& name : tables) {
      const policy::SchemaTable* table = terms.schema.Find(name);
      if (table == nullptr || terms.policy.Find(name) == nullptr) continue;
      if (const policy::SchemaColumn* stored = table->Find(column.column)) {
        return analysis::QueryTypeAbove(stored->type);
      }
    }
    return sql::Type{};
  };
  const std::vector<sql::Type> inferred = sql::InferParameterTypes(statement.query, column_type);
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i] != 0) continue;
    const bool known = i < inferred.size() && inferred[i].kind != sql::TypeKind::kUnknown;
    types[i] = known ? TypeNumber(inferred[i]) : pg::kText;
  }
  return types;
}

// What names a text and the types that were declared for it.
std::string TextKey(const Question& question) {
  std::string key;
  for (const uint32_t type : question.parameter_types) key += std::to_string(type) + ",";
  return key + "|" + question.text;
}

// The types of a text that was read before and was no question about the catalog; null otherwise.
std::shared_ptr<const std::vector<uint32_t>> KnownTypes(const Question& question,
                                                        const Terms& terms) {
  return terms.questions->Find(question.analyst, TextKey(question));
}

Result<std::vector<uint32_t>> TypesOnce(const Question& question, const Terms& terms) {
  if (const auto known = KnownTypes(question, terms)) return *known;
  TACIT_TRY(std::vector<uint32_t> types, ParameterTypes(question, terms));
  terms.questions->Keep(question.analyst, TextKey(question),
                        std::make_shared<const std::vector<uint32_t>>(types),
                        sizeof types + types.size() * sizeof(uint32_t));
  return types;
}

Result<Done> BindValues(const Question& question, const Terms& terms, gateway::Request& request) {
  TACIT_TRY(const std::vector<uint32_t> types, TypesOnce(question, terms));
  for (size_t i = 0; i < question.parameters.size(); ++i) {
    TACIT_TRY(sql::Expression value,
              ParameterValue(i < types.size() ? types[i] : 0, question.parameters[i]));
    request.parameters.push_back(std::move(value));
  }
  return Done{};
}

Table TableOf(answer::Answer answer) {
  Table table{.columns = ColumnsOf(answer.columns),
              .rows = {},
              .notices = {},
              .changes = {},
              .is_private = true};
  table.rows.reserve(answer.rows.size());
  for (const std::vector<engine::Value>& row : answer.rows) {
    Row texts;
    for (const engine::Value& value : row) {
      texts.push_back(engine::IsNull(value) ? std::nullopt : std::optional(engine::ToText(value)));
    }
    table.rows.push_back(std::move(texts));
  }
  table.notices = std::move(answer.notices);
  return table;
}

catalog::Amount AmountOf(const ledger::Cost& cost, ledger::Accounting accounting) {
  if (accounting == ledger::Accounting::kPure) {
    return {.epsilon = cost.epsilon, .delta = cost.delta, .rho = std::nullopt};
  }
  return {.epsilon = std::nullopt, .delta = cost.delta, .rho = cost.rho};
}

// Nothing of another analyst passes here.
catalog::Session SessionOf(const Question& question, House& house, const TermsInForce& terms) {
  catalog::Session session{.analyst = question.analyst,
                           .database = question.database,
                           .backend_pid = question.process,
                           .settings = question.settings,
                           .budget = nullptr,
                           .ledger = nullptr};
  session.budget = [&house, terms,
                    analyst = question.analyst]() -> Result<std::vector<catalog::BudgetRow>> {
    TACIT_TRY(const AccountLine own, AccountOf(analyst, house, *terms));
    return std::vector<catalog::BudgetRow>{
        {.scope = "analyst",
         .budget = {.epsilon = own.budget.epsilon, .delta = own.budget.delta, .rho = std::nullopt},
         .spent = AmountOf(own.spent, own.accounting),
         .left = AmountOf(own.left, own.accounting),
         .charges = own.charges}};
  };
  session.ledger = [&house, terms,
                    analyst = question.analyst]() -> Result<std::vector<catalog::LedgerRow>> {
    TACIT_TRY(const std::vector<ChargeLine> lines, ChargesOf(analyst, house));
    std::vector<catalog::LedgerRow> rows;
    for (const ChargeLine& line : lines) {
      rows.push_back({.sequence = line.sequence,
                      .time = line.time,
                      .cost = AmountOf(line.cost, ledger::AccountingOf(terms->policy)),
                      .query_fingerprint = line.query_fingerprint,
                      .policy_version = line.policy_version,
                      .data_version = line.data_version,
                      .releases = line.releases,
                      .receipt = line.receipt});
    }
    return rows;
  };
  return session;
}

std::vector<Column> ColumnsOf(const std::vector<catalog::Column>& columns) {
  std::vector<Column> shown;
  for (const catalog::Column& column : columns) {
    shown.push_back({.name = column.name, .type = column.type, .modifier = column.modifier});
  }
  return shown;
}

}  // namespace

Result<Shape> Describe(const Question& question, House& house, const TermsInForce& terms,
                       size_t worker) {
  std::optional<catalog::Query> own;
  if (KnownTypes(question, *terms) == nullptr) {
    TACIT_TRY(own, terms->catalog.Recognize(question.text));
  }
  if (own) {
    TACIT_TRY(
        catalog::Description description,
        terms->catalog.Describe(*own, SessionOf(question, house, terms), question.parameter_types));
    return Shape{.columns = ColumnsOf(description.columns),
                 .parameters = std::move(description.parameters)};
  }
  const gateway::Services services = house.ServicesFor(terms, worker);
  Shape shape;
  TACIT_TRY(shape.parameters, TypesOnce(question, *terms));
  gateway::Request request = RequestOf(question);
  for (const uint32_t type : shape.parameters) request.parameters.push_back(AnyValueOf(type));
  Result<std::vector<plan::OutputColumn>> columns = gateway::DescribeQuery(request, services);
  if (!columns.ok() && !request.parameters.empty()) {
    // The stand-in may be what does not fit: NULL fits everywhere.
    for (sql::Expression& value : request.parameters) {
      TACIT_TRY(value, ParameterValue(0, std::nullopt));
    }
    Result<std::vector<plan::OutputColumn>> again = gateway::DescribeQuery(request, services);
    if (again.ok()) columns = std::move(again);
  }
  if (!columns.ok()) return std::move(columns).error();
  shape.columns = ColumnsOf(*columns);
  return shape;
}

Result<Table> Answer(const Question& question, House& house, const TermsInForce& terms,
                     size_t worker) {
  std::optional<catalog::Query> own;
  if (KnownTypes(question, *terms) == nullptr) {
    TACIT_TRY(own, terms->catalog.Recognize(question.text));
  }
  if (own) {
    TACIT_TRY(catalog::Answer answer,
              terms->catalog.Run(*own, SessionOf(question, house, terms), question.parameters,
                                 question.parameter_types));
    return Table{.columns = ColumnsOf(answer.columns),
                 .rows = std::move(answer.rows),
                 .notices = {},
                 .changes = std::move(answer.changes)};
  }
  const auto start = std::chrono::steady_clock::now();
  gateway::Services services = house.ServicesFor(terms, worker);
  gateway::Request request = RequestOf(question);
  TACIT_CHECK(BindValues(question, *terms, request));
  Result<answer::Answer> answer = gateway::AnswerQuery(request, services);
  house.metrics().Count(
      answer.ok() ? Metrics::Outcome::kAnswered : Metrics::OutcomeOf(answer.error()),
      std::chrono::steady_clock::now() - start);
  if (!answer.ok()) return std::move(answer).error();
  return TableOf(std::move(answer).value());
}

std::optional<Table> AnswerAtOnce(const Question& question, House& house, const Terms& terms) {
  if (KnownTypes(question, terms) == nullptr) return std::nullopt;
  const auto start = std::chrono::steady_clock::now();
  gateway::Request request = RequestOf(question);
  if (!BindValues(question, terms, request).ok()) return std::nullopt;
  const std::optional<ledger::Moment> now = house.ledger().TryNow();
  const std::shared_ptr<const answer::Answer> kept =
      now ? terms.replays->Find(request, *now) : nullptr;
  if (kept == nullptr) return std::nullopt;
  house.metrics().Count(Metrics::Outcome::kAnswered, std::chrono::steady_clock::now() - start);
  return TableOf(*kept);
}

}  // namespace tacit::wire
