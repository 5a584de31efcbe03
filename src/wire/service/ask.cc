#include "wire/service/ask.h"

#include "analysis/deep_walk.h"
#include "analysis/types.h"
#include "gateway/answer_query.h"
#include "sql/parameters.h"
#include "sql/parse.h"
#include "wire/pg/types/codec.h"
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
  if (count > sql::kParametersMax) {
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message = "more than " + std::to_string(sql::kParametersMax) +
                                   " parameters are not taken",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  std::vector<uint32_t> types = question.parameter_types;
  if (types.size() < static_cast<size_t>(count)) types.resize(static_cast<size_t>(count), 0);
  if (count == 0) return types;
  const std::set<std::string> tables = analysis::TableNamesIn(statement.query);
  const sql::ColumnTypes column_type = [&](const sql::ColumnReference& column) {
    for (const std::string& name : tables) {
      const policy::SchemaTable* table = terms.schema.Find(name);
      if (table == nullptr || terms.policy.Find(name) == nullptr) continue;
      if (const policy::SchemaColumn* stored = table->Find(column.column)) {
        return analysis::QueryTypeOf(stored->type);
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

Result<Done> BindValues(const Question& question, const Terms& terms, gateway::Request& request) {
  if (question.parameters.empty()) return Done{};
  TACIT_TRY(const std::vector<uint32_t> types, ParameterTypes(question, terms));
  for (size_t i = 0; i < question.parameters.size(); ++i) {
    TACIT_TRY(sql::Expression value,
              ParameterValue(i < types.size() ? types[i] : 0, question.parameters[i]));
    request.parameters.push_back(std::move(value));
  }
  return Done{};
}

Table TableOf(answer::Answer answer) {
  Table table{.columns = ColumnsOf(answer.columns), .rows = {}, .notices = {}};
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

}  // namespace

Result<Shape> Describe(const Question& question, House& house, const TermsInForce& terms,
                       size_t worker) {
  const gateway::Services services = house.ServicesFor(terms, worker);
  Shape shape;
  TACIT_TRY(shape.parameters, ParameterTypes(question, *terms));
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
  gateway::Services services = house.ServicesFor(terms, worker);
  gateway::Request request = RequestOf(question);
  TACIT_CHECK(BindValues(question, *terms, request));
  TACIT_TRY(answer::Answer answer, gateway::AnswerQuery(request, services));
  return TableOf(std::move(answer));
}

}  // namespace tacit::wire
