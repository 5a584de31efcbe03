#include "sql/bind/text_length.h"

#include <algorithm>

namespace tacit::sql {
namespace {

using Length = std::optional<int64_t>;

// Of what gives back one of these.
Length LongestOf(const std::vector<Bound>& texts) {
  Length most = 0;
  for (const Bound& text : texts) {
    const Length length = LengthLimit(text);
    if (!length) return std::nullopt;
    most = std::max(*most, *length);
  }
  return most;
}

Length SumOf(const std::vector<Bound>& texts) {
  int64_t sum = 0;
  for (const Bound& text : texts) {
    const Length length = LengthLimit(text);
    if (!length) return std::nullopt;
    sum += *length;
  }
  return sum;
}

Length OfCall(const BoundApply& apply) {
  const std::string_view name = apply.function->name;
  const std::vector<Bound>& given = apply.arguments;
  const auto is_one_of = [name](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool part = name == "substring" || name == "substr";
  if (is_one_of({"left", "right"}) || (part && given.size() == 3)) {
    const Length length = IntegerLiteral({given.back()->type, As<Literal>(given.back()), {}});
    if (length && *length >= 0) return length;
  }
  // Letters keep their number in either case.
  const bool keeps =
      part || is_one_of({"btrim", "ltrim", "rtrim", "lower", "upper", "initcap", "reverse", "left",
                         "right", "split_part", "regexp_substr", "nullif"});
  if (keeps) return LengthLimit(given[0]);
  if (name == "replace") {
    const Length from = LengthLimit(given[1]);
    const Length to = LengthLimit(given[2]);
    const bool grows = !from || !to || As<Literal>(given[1]) == nullptr || *to > *from;
    return grows ? std::nullopt : LengthLimit(given[0]);
  }
  if (is_one_of({"||", "concat"})) return SumOf(given);
  return is_one_of({"coalesce", "least", "greatest"}) ? LongestOf(given) : std::nullopt;
}

}  // namespace

std::optional<int64_t> LengthLimit(const Bound& text) {
  if (text->type.kind == TypeKind::kBoolean) return 5;
  if (const auto* literal = As<Literal>(text)) {
    if (literal->kind == LiteralKind::kNull) return 0;
    const bool whole = literal->kind == LiteralKind::kString;
    return whole ? Length(static_cast<int64_t>(literal->text.size())) : std::nullopt;
  }
  if (const auto* choice = As<BoundCase>(text)) {
    std::vector<Bound> branches = {choice->otherwise};
    for (const BoundBranch& branch : choice->branches) branches.push_back(branch.then);
    return LongestOf(branches);
  }
  const auto* apply = As<BoundApply>(text);
  return apply == nullptr ? std::nullopt : OfCall(*apply);
}

}  // namespace tacit::sql
