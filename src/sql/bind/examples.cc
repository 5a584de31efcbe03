#include "sql/bind/examples.h"

#include <array>
#include <string_view>

#include "sql/bind/parameters.h"
#include "sql/change.h"

// What can stand where a parameter stands before it has a value: a unit of time is no empty text.
namespace tacit::sql {
namespace {

struct Place {
  std::string_view function;
  size_t argument;
  LiteralKind kind;
  std::string_view text;
};
constexpr std::array<Place, 19> kPlaces = {{
    {"date_trunc", 0, LiteralKind::kString, "month"},
    {"date_trunc", 2, LiteralKind::kString, "UTC"},
    {"date_part", 0, LiteralKind::kString, "month"},
    {"extract", 0, LiteralKind::kString, "month"},
    {"to_char", 1, LiteralKind::kString, "YYYY"},
    {"timezone", 0, LiteralKind::kString, "UTC"},
    {"date_bin", 0, LiteralKind::kString, "1 day"},
    {"date_bin", 2, LiteralKind::kTimestamp, "2000-01-01 00:00:00"},
    {"width_bucket", 1, LiteralKind::kInteger, "0"},
    {"width_bucket", 2, LiteralKind::kInteger, "1"},
    {"width_bucket", 3, LiteralKind::kInteger, "1"},
    {"regexp_like", 1, LiteralKind::kString, "a"},
    {"regexp_replace", 1, LiteralKind::kString, "a"},
    {"regexp_substr", 1, LiteralKind::kString, "a"},
    {"regexp_count", 1, LiteralKind::kString, "a"},
    {"split_part", 1, LiteralKind::kString, ","},
    {"split_part", 2, LiteralKind::kInteger, "1"},
    {"percentile_cont", 0, LiteralKind::kNumeric, "0.5"},
    {"percentile_disc", 0, LiteralKind::kNumeric, "0.5"},
}};

// $1, $1::text
const Parameter* ParameterIn(const Expression& expression) {
  const auto* cast = As<Cast>(expression);
  return cast != nullptr ? ParameterIn(cast->operand) : As<Parameter>(expression);
}

}  // namespace

std::vector<Expression> ParameterExamples(const Query& query) {
  std::vector<Expression> examples(static_cast<size_t>(ParameterCount(query)));
  const auto look = [&](std::string_view name, const std::vector<Expression>& arguments) {
    for (const Place& place : kPlaces) {
      if (place.function != name || place.argument >= arguments.size()) continue;
      const Parameter* parameter = ParameterIn(arguments[place.argument]);
      if (parameter == nullptr || parameter->number < 1) continue;
      Expression& example = examples[static_cast<size_t>(parameter->number) - 1];
      if (example) continue;
      example = MakeExpression(
          Literal{.kind = place.kind, .text = std::string(place.text), .interval = {}});
    }
  };
  (void)ChangeExpressions(query, [&](const Expression& node) {
    if (const auto* call = As<Call>(node)) look(call->name, call->arguments);
    if (const auto* call = As<AggregateCall>(node)) look(call->name, call->arguments);
    return node;
  });
  return examples;
}

}  // namespace tacit::sql
