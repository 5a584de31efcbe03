#include "analysis/blocks/keys/cells.h"

#include <algorithm>
#include <optional>

#include "sql/walk.h"

namespace tacit::analysis {
namespace {

using policy::CalendarStep;
using sql::MakeExpression;

// The unit to whose beginning an instant was put back; nothing for one that was left as it is.
struct Kept {
  std::optional<CalendarStep> unit;
};

bool Within(CalendarStep cell, const Kept& kept) {
  return kept.unit && policy::Refines(cell, *kept.unit);
}

const std::string* WordIn(const sql::Call& call) {
  const auto* literal = call.arguments.empty() ? nullptr : sql::As<sql::Literal>(call.arguments[0]);
  return literal == nullptr ? nullptr : &literal->text;
}

// Of a finer unit than hours nothing is known.
std::optional<CalendarStep> UnitOfField(const std::string& field) {
  if (field == "hour") return CalendarStep::kHour;
  if (field == "day" || field == "dow" || field == "isodow" || field == "doy") {
    return CalendarStep::kDay;
  }
  if (field == "week" || field == "isoyear") return CalendarStep::kWeek;
  if (field == "decade" || field == "century") return CalendarStep::kYear;
  return policy::CalendarStepOf(field);
}

// The column's instant put back to a beginning: by being a date, by casts and by date_trunc.
// Nothing for an expression that is anything else.
std::optional<Kept> KeptOf(const Expression& expression, const sql::ColumnReference& column,
                           const ValueType& type) {
  if (const auto* reference = sql::As<sql::ColumnReference>(expression)) {
    if (!(*reference == column)) return std::nullopt;
    return type.kind == TypeKind::kDate ? Kept{CalendarStep::kDay} : Kept{std::nullopt};
  }
  std::optional<CalendarStep> unit;
  std::optional<Kept> inner;
  if (const auto* cast = sql::As<sql::Cast>(expression)) {
    inner = KeptOf(cast->operand, column, type);
    if (cast->type.kind == TypeKind::kTimestamp) return inner;
    if (cast->type.kind != TypeKind::kDate) return std::nullopt;
    unit = CalendarStep::kDay;
  } else if (const auto* call = sql::As<sql::Call>(expression);
             call != nullptr && call->name == "date_trunc" && call->arguments.size() == 2) {
    inner = KeptOf(call->arguments[1], column, type);
    const std::string* word = WordIn(*call);
    if (word == nullptr) return std::nullopt;
    // A decade's beginning is a year's.
    unit = *word == "decade" ? CalendarStep::kYear : policy::CalendarStepOf(*word);
    if (!unit) return inner;  // finer than an hour
  }
  if (!unit || !inner) return std::nullopt;
  if (!inner->unit || policy::Refines(*inner->unit, *unit)) return Kept{unit};
  if (policy::Refines(*unit, *inner->unit)) return inner;
  return std::nullopt;  // the month of a week's beginning
}

// What a field of an instant depends on.
std::optional<Kept> KeptByField(const Expression& expression, const sql::ColumnReference& column,
                                const ValueType& type) {
  const auto* call = sql::As<sql::Call>(expression);
  if (call == nullptr || call->arguments.size() != 2) return std::nullopt;
  if (call->name != "extract" && call->name != "date_part") return std::nullopt;
  const std::optional<Kept> inner = KeptOf(call->arguments[1], column, type);
  const std::string* word = WordIn(*call);
  if (!inner || word == nullptr) return std::nullopt;
  const std::optional<CalendarStep> unit = UnitOfField(*word);
  if (unit && (!inner->unit || policy::Refines(*inner->unit, *unit))) return Kept{unit};
  return inner;
}

bool NamesNoColumn(const Expression& expression) {
  return sql::ColumnsIn(expression).empty() && !sql::HasSubquery(expression);
}

// The beginning of the cell that a constant lies in.
Expression BeginOf(const Expression& constant, CalendarStep cell) {
  const Expression unit = MakeExpression(
      sql::Literal{sql::LiteralKind::kString, std::string(policy::WordOf(cell)), {}});
  const Expression instant = MakeExpression(sql::Cast{constant, kTimestampType});
  return MakeExpression(sql::Call{"date_trunc", {unit, instant}});
}

Expression Compare(const Expression& left, const std::string& symbol, const Expression& right) {
  return MakeExpression(sql::Operator{symbol, {left, right}});
}

std::string Flipped(const std::string& symbol) {
  if (symbol == "<") return ">";
  if (symbol == "<=") return ">=";
  if (symbol == ">") return "<";
  return symbol == ">=" ? "<=" : symbol;
}

Expression Bound(const Expression& column, const std::string& symbol, const Expression& constant,
                 CalendarStep cell) {
  // A cell begins before everything in it: an upper bound holds for the beginning or for nothing.
  if (symbol == "<" || symbol == "<=") return Compare(column, symbol, constant);
  if (symbol == ">" || symbol == ">=") return Compare(column, ">=", BeginOf(constant, cell));
  if (symbol == "=") return Compare(column, "=", BeginOf(constant, cell));
  return {};
}

Expression InstantLiteral(int64_t hour, const ValueType& type) {
  std::string text = policy::InstantText(hour);
  if (type.kind == TypeKind::kDate) {
    return MakeExpression(sql::Literal{sql::LiteralKind::kDate, std::move(text), {}});
  }
  if (text.size() == 10) text += " 00:00:00";
  return MakeExpression(sql::Literal{sql::LiteralKind::kTimestamp, std::move(text), {}});
}

}  // namespace

// proof: analysis/blocks/keys/keys.md#claim
bool IsConstantWithin(const Expression& expression, const sql::ColumnReference& column,
                      const ValueType& type, CalendarStep cell) {
  if (const std::optional<Kept> kept = KeptOf(expression, column, type)) {
    if (Within(cell, *kept)) return true;
    if (sql::As<sql::ColumnReference>(expression) != nullptr) return false;
  }
  if (const std::optional<Kept> kept = KeptByField(expression, column, type)) {
    if (Within(cell, *kept)) return true;
  }
  const std::vector<Expression> children = sql::Children(expression);
  return std::all_of(children.begin(), children.end(), [&](const Expression& child) {
    return IsConstantWithin(child, column, type, cell);
  });
}

// proof: analysis/blocks/keys/keys.md#claim
Expression OnCells(const Expression& condition, const sql::ColumnReference& column,
                   const ValueType& type, CalendarStep cell) {
  if (IsConstantWithin(condition, column, type, cell)) return condition;
  const Expression bare = MakeExpression(column);
  if (const auto* comparison = sql::As<sql::Operator>(condition);
      comparison != nullptr && comparison->arguments.size() == 2) {
    const Expression& left = comparison->arguments[0];
    const Expression& right = comparison->arguments[1];
    if (left == bare && NamesNoColumn(right)) return Bound(bare, comparison->symbol, right, cell);
    if (right == bare && NamesNoColumn(left)) {
      return Bound(bare, Flipped(comparison->symbol), left, cell);
    }
  }
  const auto* between = sql::As<sql::Between>(condition);
  if (between != nullptr && !between->negated && between->operand == bare &&
      NamesNoColumn(between->low) && NamesNoColumn(between->high)) {
    return MakeExpression(sql::Logical{
        sql::Connective::kAnd,
        {Bound(bare, ">=", between->low, cell), Bound(bare, "<=", between->high, cell)}});
  }
  return {};
}

// proof: analysis/blocks/keys/keys.md#claim
Expression LiesIn(const sql::ColumnReference& column, const ValueType& type,
                  const policy::KeyCalendar& calendar, bool with_null) {
  const Expression bare = MakeExpression(column);
  const Expression inside =
      MakeExpression(sql::Logical{sql::Connective::kAnd,
                                  {Compare(bare, ">=", InstantLiteral(calendar.first, type)),
                                   Compare(bare, "<", InstantLiteral(calendar.End(), type))}});
  if (!with_null) return inside;
  return MakeExpression(
      sql::Logical{sql::Connective::kOr, {MakeExpression(sql::IsNull{bare, false}), inside}});
}

}  // namespace tacit::analysis
