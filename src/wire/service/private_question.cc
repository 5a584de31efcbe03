#include "wire/service/private_question.h"

#include <algorithm>

#include "analysis/deep_walk.h"
#include "analysis/types.h"
#include "catalog/types.h"
#include "gateway/answer_query.h"
#include "gateway/moment.h"
#include "sql/bind/examples.h"
#include "sql/bind/parameters.h"
#include "wire/pg/types/codec.h"
#include "wire/service/parameter_value.h"

namespace tacit::wire {
namespace {

using Types = std::vector<uint32_t>;
using SharedStatement = std::shared_ptr<const sql::Statement>;

// What names a text and the types that were declared for it.
std::string TextKey(const std::string& text, const Types& declared) {
  std::string key;
  for (const uint32_t type : declared) key += std::to_string(type) + ",";
  return key + "|" + text;
}

// The declared types, and what the query says of the others.
Result<Types> ParameterTypes(const sql::Query& query, const Types& declared, const Terms& terms) {
  const int count = sql::ParameterCount(query);
  Types types = declared;
  if (types.size() < static_cast<size_t>(count)) types.resize(static_cast<size_t>(count), 0);
  if (count == 0) return types;
  const std::set<std::string> tables = analysis::TableNamesIn(query);
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
  const std::vector<sql::ParameterType> inferred = sql::InferParameterTypes(query, column_type);
  for (size_t i = 0; i < types.size(); ++i) {
    const bool known = i < inferred.size() && inferred[i].type.kind != sql::TypeKind::kUnknown;
    if (known && catalog::IsArray(types[i]) && !inferred[i].array) {
      return ParameterIsAList(i + 1, types[i]);
    }
    if (types[i] != 0) continue;
    types[i] = known ? TypeNumber(inferred[i].type) : oid::kText;
    if (known && inferred[i].array) types[i] = catalog::ArrayOf(types[i]);
  }
  return types;
}

// A question before its values are bound.
struct Unbound {
  Types types;
  SharedStatement statement;  // null: nobody has read the text, and perhaps nobody has to
};

// `judged`: the catalog was asked first, and did not take it. Only then is the text one that need
// not be shown to the catalog again.
Result<Unbound> UnboundOf(const Question& question, const Terms& terms, bool judged) {
  const Types& declared = question.parameter_types;
  const auto known = FindKnown(question.analyst, question.text, declared, terms);
  sql::SharedReading reading = question.reading;
  if (reading == nullptr && known == nullptr) {
    TACIT_TRY(reading, sql::ReadQuestion(question.text));
  }
  if (reading == nullptr) return Unbound{.types = known->parameter_types, .statement = nullptr};
  if (!reading->statement.ok()) return reading->statement.error();
  SharedStatement statement(reading, &reading->statement.value());
  if (known != nullptr) {
    return Unbound{.types = known->parameter_types, .statement = std::move(statement)};
  }
  TACIT_TRY(Types types, ParameterTypes(statement->query, declared, terms));
  if (judged) {
    terms.questions->Keep(question.analyst, TextKey(question.text, declared),
                          std::make_shared<const KnownQuestion>(KnownQuestion{
                              .parameter_types = types, .explains = statement->explain}),
                          sizeof(KnownQuestion) + types.size() * sizeof(uint32_t));
  }
  return Unbound{.types = std::move(types), .statement = std::move(statement)};
}

gateway::Request RequestOf(const Question& question, const Terms& terms) {
  return {.text = question.text,
          .analyst = question.analyst,
          .request_id = question.request_id,
          .wish = question.wish,
          .previews = question.previews,
          .now = gateway::RoundedNow(terms.policy, question.began),
          .zone = question.zone};
}

Result<gateway::Request> BoundRequest(const Question& question, const Terms& terms, bool judged) {
  TACIT_TRY(Unbound unbound, UnboundOf(question, terms, judged));
  gateway::Request request = RequestOf(question, terms);
  request.statement = std::move(unbound.statement);
  for (size_t i = 0; i < question.parameters.size(); ++i) {
    const uint32_t type = i < unbound.types.size() ? unbound.types[i] : 0;
    TACIT_TRY(sql::Expression value, ParameterValue(i + 1, type, question.parameters[i]));
    request.parameters.push_back(std::move(value));
  }
  return request;
}

}  // namespace

std::shared_ptr<const KnownQuestion> FindKnown(const std::string& analyst, const std::string& text,
                                               const std::vector<uint32_t>& declared,
                                               const Terms& terms) {
  return terms.questions->Find(analyst, TextKey(text, declared));
}

bool IsKnownPrivate(const Question& question, const Terms& terms) {
  return FindKnown(question.analyst, question.text, question.parameter_types, terms) != nullptr;
}

Result<answer::Answer> AnswerPrivate(const Question& question, LiveDeployment& deployment,
                                     const TermsInForce& terms, size_t worker) {
  gateway::Services services = deployment.ServicesFor(terms, worker);
  TACIT_TRY(const gateway::Request request,
            BoundRequest(question, *terms, question.session.has_value()));
  return gateway::AnswerQuery(request, services);
}

Result<answer::Explanation> ExplainPrivate(const Question& question, LiveDeployment& deployment,
                                           const TermsInForce& terms, size_t worker) {
  gateway::Services services = deployment.ServicesFor(terms, worker);
  TACIT_TRY(const gateway::Request request, BoundRequest(question, *terms, false));
  return gateway::ExplainQuery(request, services);
}

namespace {

// A question whose parameters' stand-ins did not fit: with examples of what stands there, as in
// date_trunc($1, d), with NULL, which fits everywhere else, and with both.
Result<std::vector<plan::OutputColumn>> DescribedOtherwise(const Question& question,
                                                           gateway::Request request,
                                                           const Types& types,
                                                           const gateway::Services& services) {
  if (request.statement == nullptr) {
    TACIT_TRY(const sql::SharedReading reading, sql::ReadQuestion(question.text));
    if (!reading->statement.ok()) return reading->statement.error();
    request.statement = SharedStatement(reading, &reading->statement.value());
  }
  const std::vector<sql::Expression> examples = sql::ParameterExamples(request.statement->query);
  std::optional<Error> first;
  for (const auto& [by_example, null] : {std::pair(true, false), {false, true}, {true, true}}) {
    for (size_t i = 0; i < request.parameters.size(); ++i) {
      const bool has_example = by_example && i < examples.size() && examples[i];
      TACIT_TRY(const sql::Expression nothing, ParameterValue(0, 0, std::nullopt));
      request.parameters[i] = has_example ? examples[i] : null ? nothing : AnyValueOf(types[i]);
    }
    Result<std::vector<plan::OutputColumn>> columns = gateway::DescribeQuery(request, services);
    if (columns.ok()) return columns;
    if (!first) first = columns.error();
  }
  return *first;
}

}  // namespace

Result<Shape> DescribePrivate(const Question& question, LiveDeployment& deployment,
                              const TermsInForce& terms, size_t worker) {
  const gateway::Services services = deployment.ServicesFor(terms, worker);
  TACIT_TRY(Unbound unbound, UnboundOf(question, *terms, question.session.has_value()));
  gateway::Request request = RequestOf(question, *terms);
  request.statement = std::move(unbound.statement);
  for (const uint32_t type : unbound.types) request.parameters.push_back(AnyValueOf(type));
  Result<std::vector<plan::OutputColumn>> columns = gateway::DescribeQuery(request, services);
  if (!columns.ok() && !request.parameters.empty()) {
    TACIT_TRY(columns, DescribedOtherwise(question, request, unbound.types, services));
  }
  if (!columns.ok()) return std::move(columns).error();
  Shape shape{.columns = ColumnsOf(*columns), .parameters = std::move(unbound.types)};
  // The digits of a bound numeric decide how precise what is computed with it is: not known yet.
  const Types& types = shape.parameters;
  if (std::find(types.begin(), types.end(), oid::kNumeric) != types.end()) {
    for (OidColumn& column : shape.columns) {
      if (column.type == oid::kNumeric) column.modifier = -1;
    }
  }
  return shape;
}

std::optional<answer::Answer> ReplayPrivate(const Question& question, LiveDeployment& deployment,
                                            const Terms& terms) {
  if (!IsKnownPrivate(question, terms)) return std::nullopt;
  const Result<gateway::Request> request = BoundRequest(question, terms, false);
  if (!request.ok()) return std::nullopt;
  const std::optional<ledger::Moment> now = deployment.ledger().TryNow();
  if (!now) return std::nullopt;
  const std::shared_ptr<const answer::Answer> kept = terms.replays->Find(*request, *now);
  return kept == nullptr ? std::nullopt : std::optional(*kept);
}

}  // namespace tacit::wire
