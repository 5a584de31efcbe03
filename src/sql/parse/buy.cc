#include "sql/parse/buy.h"

#include "sql/buy.h"
#include "sql/parse/from_function.h"

namespace tacit::sql::grammar {

std::optional<Query> ConvertBuy(const Node& node) {
  const PgQuery__FuncCall* call = OnlyFunctionOf(node);
  if (call == nullptr) return std::nullopt;
  const std::vector<std::string> name = NameParts(call->n_funcname, call->funcname);
  if (name != std::vector<std::string>{"tacit", "buy"} || call->n_args != 1) return std::nullopt;
  Converter converter;
  const Result<Expression> text = converter.ConvertExpression(call->args[0]);
  if (!text.ok() || As<Literal>(*text) == nullptr ||
      As<Literal>(*text)->kind != LiteralKind::kString) {
    return std::nullopt;
  }
  Select select;
  select.items.push_back({MakeExpression(Call{kBuyFunction, {*text}}, {call->location}), ""});
  QueryNode bought;
  bought.body = std::move(select);
  return Query(std::move(bought));
}

}  // namespace tacit::sql::grammar

namespace tacit::sql {

std::optional<std::string> BoughtText(const Query& query) {
  const auto* select = As<Select>(query);
  if (select == nullptr || select->items.size() != 1 || !select->from.empty()) return std::nullopt;
  const auto* call = As<Call>(select->items[0].expression);
  if (call == nullptr || call->name != kBuyFunction || call->arguments.size() != 1) {
    return std::nullopt;
  }
  const auto* text = As<Literal>(call->arguments[0]);
  return text == nullptr ? std::nullopt : std::optional(text->text);
}

}  // namespace tacit::sql
