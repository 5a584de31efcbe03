#include "engine/duckdb/database/constants.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/duckdb/functions/looked_up/living.h"

namespace tacit::engine::duckdb {
namespace {

Living<Constants>& LivingConstants() {
  static Living<Constants> living;
  return living;
}

struct Constant {
  Value value;
  const char* function = nullptr;
  size_t size = 0;  // of its text
};

template <class Number>
std::optional<Number> NumberOf(std::string_view text) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// YYYY-MM-DD, of a day that there is.
std::optional<Date> DateOf(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = NumberOf<int>(text.substr(0, 4));
  const auto month = NumberOf<unsigned>(text.substr(5, 2));
  const auto day = NumberOf<unsigned>(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return Date{static_cast<int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
}

// Behind the closing quote of what begins with an opening one; npos when it does not end.
size_t EndOfQuoted(std::string_view text) {
  const char quote = text[0];
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] != quote) continue;
    if (i + 1 == text.size() || text[i + 1] != quote) return i + 1;
    ++i;  // doubled: the quote itself
  }
  return std::string_view::npos;
}

// What stands between the quotes; nothing when it is more than plain characters.
std::optional<std::string_view> PlainTextAt(std::string_view text) {
  const size_t end = EndOfQuoted(text);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(1, end - 2);
  if (inside.find_first_of(std::string_view("'\0", 2)) != std::string_view::npos) return {};
  return inside;
}

std::optional<Constant> QuotedAt(std::string_view text) {
  const auto inside = PlainTextAt(text);
  if (!inside) return std::nullopt;
  return Constant{std::string(*inside), kTextConstant, inside->size() + 2};
}

std::optional<Constant> DateAt(std::string_view text) {
  constexpr std::string_view kWord = "DATE ";
  if (!text.starts_with("DATE '")) return std::nullopt;
  const auto inside = PlainTextAt(text.substr(kWord.size()));
  const std::optional<Date> date = inside ? DateOf(*inside) : std::nullopt;
  if (!date) return std::nullopt;
  return Constant{*date, kDateConstant, kWord.size() + inside->size() + 2};
}

// CAST(40 AS BIGINT), CAST('40' AS BIGINT), CAST('0.5' AS DOUBLE)
std::optional<Constant> CastAt(std::string_view text) {
  constexpr std::string_view kCast = "CAST(", kBigint = " AS BIGINT)", kDouble = " AS DOUBLE)";
  if (!text.starts_with(kCast)) return std::nullopt;
  const std::string_view operand = text.substr(kCast.size());
  const bool quoted = operand.starts_with('\'');
  const std::optional<std::string_view> inside =
      quoted ? PlainTextAt(operand) : operand.substr(0, operand.find_first_not_of("0123456789"));
  if (!inside || inside->empty()) return std::nullopt;
  const size_t before_type = kCast.size() + inside->size() + (quoted ? 2 : 0);
  const std::string_view type = text.substr(before_type);
  if (type.starts_with(kBigint)) {
    const auto whole = NumberOf<int64_t>(*inside);
    if (!whole) return std::nullopt;
    return Constant{*whole, kBigintConstant, before_type + kBigint.size()};
  }
  if (type.starts_with(kDouble) && quoted) {
    const auto real = NumberOf<double>(*inside);
    if (!real || !std::isfinite(*real)) return std::nullopt;
    return Constant{*real, kDoubleConstant, before_type + kDouble.size()};
  }
  return std::nullopt;
}

// Larger ones are of another type.
std::optional<Constant> WholeAt(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  const auto whole = NumberOf<int32_t>(digits);
  if (!whole) return std::nullopt;
  return Constant{int64_t{*whole}, kIntegerConstant, digits.size()};
}

std::optional<Constant> ConstantAt(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text[0] == '\'') return QuotedAt(text);
  if (text[0] == 'D') return DateAt(text);
  if (text[0] == 'C') return CastAt(text);
  return WholeAt(text);
}

constexpr std::string_view kComparisons[] = {" = ", " <> ", " < ", " > ", " <= ", " >= "};

// Whether it is all that stands on its side of a comparison in parentheses.
bool IsCompared(std::string_view before, std::string_view after) {
  for (const std::string_view comparison : kComparisons) {
    if (before.ends_with('(') && after.starts_with(comparison)) return true;
    if (before.ends_with(comparison) && after.starts_with(')')) return true;
  }
  return false;
}

}  // namespace

std::shared_ptr<Constants> Constants::Make() {
  return LivingConstants().Add(
      [](int64_t name) { return std::shared_ptr<Constants>(new Constants(name)); });
}

std::shared_ptr<Constants> Constants::Find(int64_t name) { return LivingConstants().Find(name); }

namespace {

// Behind `(constant comparison constant)`, which the engine folds: 1 = 1 is a join without a
// condition. Nothing when the text does not go on so behind its first constant.
std::optional<size_t> EndOfFolded(std::string_view after) {
  for (const std::string_view comparison : kComparisons) {
    if (!after.starts_with(comparison)) continue;
    const std::optional<Constant> other = ConstantAt(after.substr(comparison.size()));
    if (!other) continue;
    const size_t end = comparison.size() + other->size;
    if (after.substr(end).starts_with(')')) return end;
  }
  return std::nullopt;
}

}  // namespace

StatementForm FormOf(std::string_view sql) {
  StatementForm form;
  size_t piece = 0;
  for (size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    // A constant begins a side; what is inside quotes is not looked at.
    const bool begins = at > 0 && (sql[at - 1] == '(' || sql[at - 1] == ' ');
    const std::optional<Constant> constant = begins ? ConstantAt(sql.substr(at)) : std::nullopt;
    const std::string_view after = constant ? sql.substr(at + constant->size) : "";
    if (const auto folded = constant ? EndOfFolded(after) : std::nullopt) {
      at += constant->size + *folded;
    } else if (constant && IsCompared(sql.substr(0, at), after)) {
      form.pieces.emplace_back(sql.substr(piece, at - piece));
      form.constants.push_back(constant->value);
      form.functions.push_back(constant->function);
      at += constant->size;
      piece = at;
    } else if (c == '\'' || c == '"') {
      const size_t size = EndOfQuoted(sql.substr(at));
      if (size == std::string_view::npos) break;
      at += size;
    } else {
      ++at;
    }
  }
  form.pieces.emplace_back(sql.substr(piece));
  return form;
}

std::string StatementForm::TextFor(int64_t list) const {
  std::string text = pieces[0];
  for (size_t i = 0; i < constants.size(); ++i) {
    text += functions[i];
    text += "('" + std::to_string(list) + "." + std::to_string(i) + "')" + pieces[i + 1];
  }
  return text;
}

}  // namespace tacit::engine::duckdb
