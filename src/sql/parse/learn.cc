#include "sql/parse/learn.h"

#include <algorithm>
#include <iterator>

#include "sql/learn.h"
#include "sql/parse/from_function.h"

namespace tacit::sql::grammar {
namespace {

bool IsLearnTask(const std::string& name) {
  return std::find(std::begin(kLearnTasks), std::end(kLearnTasks), name) != std::end(kLearnTasks);
}

std::string ExampleOf(const std::string& task) {
  const bool of_numbers = task == "moments" || task == "pca" || task == "linear_regression";
  if (!of_numbers) {
    return "SELECT * FROM tacit." + task + "('SELECT age, member FROM people', target => 'member')";
  }
  return "SELECT * FROM tacit." + task + "('SELECT age, income FROM people'" +
         (task == "linear_regression" ? ", target => 'income')" : ")");
}

// The call as the tree holds it; every argument behind the rows is two, its name and its value.
Result<Query> LearningQuery(const PgQuery__FuncCall& call, const std::string& task) {
  const std::string function = "tacit." + task;
  const std::string example = ExampleOf(task);
  if (call.n_args == 0 || call.args[0]->node_case == PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
    return Invalid(function + " takes the rows to learn from first", call.location, example);
  }
  Converter converter;
  TACIT_TRY(Expression rows, converter.ConvertExpression(call.args[0]));
  std::vector<Expression> arguments = {std::move(rows)};
  std::vector<std::string> seen;
  for (size_t i = 1; i < call.n_args; ++i) {
    if (call.args[i]->node_case != PG_QUERY__NODE__NODE_NAMED_ARG_EXPR) {
      return Invalid(function + " takes what follows the rows by name", call.location, example);
    }
    const PgQuery__NamedArgExpr& named = *call.args[i]->named_arg_expr;
    if (std::find(seen.begin(), seen.end(), named.name) != seen.end()) {
      return Invalid(std::string(named.name) + " comes twice", named.location, example);
    }
    seen.emplace_back(named.name);
    TACIT_TRY(Expression value, converter.ConvertExpression(named.arg));
    arguments.push_back(
        MakeExpression(Literal{.kind = LiteralKind::kString, .text = named.name, .interval = {}},
                       {named.location}));
    arguments.push_back(std::move(value));
  }
  Select select;
  select.items.push_back(
      {MakeExpression(Call{function, std::move(arguments)}, {call.location}), ""});
  QueryNode learning;
  learning.body = std::move(select);
  return Query(std::move(learning));
}

}  // namespace

Result<std::optional<Query>> ConvertLearn(const Node& node) {
  const PgQuery__FuncCall* call = OnlyFunctionOf(node);
  if (call == nullptr) return std::optional<Query>();
  const std::vector<std::string> name = NameParts(call->n_funcname, call->funcname);
  if (name.size() != 2 || name[0] != "tacit" || !IsLearnTask(name[1])) {
    return std::optional<Query>();
  }
  Result<Query> learning = LearningQuery(*call, name[1]);
  if (learning.ok()) return std::optional<Query>(std::move(learning).value());
  Error error = learning.error();
  if (error.rule.empty()) error.rule = kLearnCallRule;
  return error;
}

}  // namespace tacit::sql::grammar

namespace tacit::sql {
namespace {

const Call* LearningCall(const Query& query) {
  const auto* select = As<Select>(query);
  if (select == nullptr || select->items.size() != 1 || !select->from.empty()) return nullptr;
  const auto* call = As<Call>(select->items[0].expression);
  if (call == nullptr || !call->name.starts_with("tacit.")) return nullptr;
  return grammar::IsLearnTask(call->name.substr(6)) ? call : nullptr;
}

}  // namespace

std::optional<std::string> LearnTaskOf(const Query& query) {
  const Call* call = LearningCall(query);
  return call == nullptr ? std::nullopt : std::optional(call->name.substr(6));
}

Result<LearnCall> LearnCallOf(const Query& query) {
  const Call* call = LearningCall(query);
  TACIT_ASSERT(call != nullptr && call->arguments.size() % 2 == 1);
  LearnCall learn{.task = call->name.substr(6), .rows = "", .options = {}};
  std::vector<std::string> texts;
  for (const Expression& argument : call->arguments) {
    const auto* literal = As<Literal>(argument);
    if (literal == nullptr || literal->kind == LiteralKind::kNull) {
      return Error{.code = ErrorCode::kInvalidQuery,
                   .public_message = "the arguments of " + call->name + " are constants",
                   .hint = "write the SELECT in quotes, and each option as name => 'value'",
                   .position = argument->position.offset,
                   .private_detail = ""};
    }
    texts.push_back(literal->text);
  }
  learn.rows = texts[0];
  for (size_t i = 1; i < texts.size(); i += 2) learn.options.emplace_back(texts[i], texts[i + 1]);
  return learn;
}

}  // namespace tacit::sql
