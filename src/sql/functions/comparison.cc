#include <algorithm>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

Signed SignSameType(const Types& types) {
  const std::optional<Type> common = CommonType(types);
  if (!common) return std::nullopt;
  return Signature{Types(types.size(), *common), kBooleanType};
}

Signed SignAllBoolean(const Types& types) {
  for (const Type& type : types) {
    if (type.kind != TypeKind::kBoolean && type.kind != TypeKind::kUnknown) return std::nullopt;
  }
  return Signature{Types(types.size(), kBooleanType), kBooleanType};
}

Signed SignAnything(const Types& types) {
  return Signature{{types[0].kind == TypeKind::kUnknown ? kTextType : types[0]}, kBooleanType};
}

Signed SignPattern(const Types& types) {
  for (const Type& type : types) {
    if (type.kind != TypeKind::kText && type.kind != TypeKind::kUnknown) return std::nullopt;
  }
  return Signature{Types(types.size(), kTextType), kBooleanType};
}

std::string ComplainPattern(const Arguments& arguments) {
  const Literal* pattern = arguments[1].literal;
  if (pattern == nullptr || pattern->kind != LiteralKind::kString) {
    return "the pattern must be written as a literal, such as 'A%'";
  }
  // An odd run of backslashes at the end escapes nothing; PostgreSQL refuses it as well.
  size_t run = 0;
  while (run < pattern->text.size() && pattern->text[pattern->text.size() - 1 - run] == '\\') ++run;
  if (run % 2 == 1) return "the pattern must not end with the escape character";
  // Why 256 and 16: behind a %, each _ is one more place where a match may stand, and one person's
  // text must not hold the whole query up.
  if (pattern->text.size() > 256) return "the pattern is longer than 256 bytes";
  if (pattern->text.find('%') != std::string::npos &&
      std::count(pattern->text.begin(), pattern->text.end(), '_') > 16) {
    return "a pattern with % has at most 16 _";
  }
  return "";
}

Function Make(std::string_view name, int least, int most, Signed (*sign)(const Types&),
              const Totality& totality = kTotalEverywhere) {
  return Function{.name = name,
                  .family = "comparison",
                  .totality = totality,
                  .arguments_min = least,
                  .arguments_max = most,
                  .sign = sign,
                  .complain = nullptr,
                  .refine = nullptr,
                  .range = nullptr};
}

}  // namespace

std::vector<Function> ComparisonFunctions() {
  constexpr Totality kPattern{
      "patterns that are literals of up to 256 bytes",
      "checked before anything runs; with _ or an escape it is a regular expression of linear time",
      "the query is refused"};
  Function like = Make("like", 2, 2, SignPattern, kPattern);
  like.complain = ComplainPattern;
  Function ilike = like;
  ilike.name = "ilike";
  return {Make("=", 2, 2, SignSameType),
          Make("<>", 2, 2, SignSameType),
          Make("<", 2, 2, SignSameType),
          Make("<=", 2, 2, SignSameType),
          Make(">", 2, 2, SignSameType),
          Make(">=", 2, 2, SignSameType),
          Make("between", 3, 3, SignSameType),
          Make("in", 2, -1, SignSameType),
          Make("is distinct from", 2, 2, SignSameType),
          Make("is null", 1, 1, SignAnything),
          Make("is true", 1, 1, SignAllBoolean),
          Make("is false", 1, 1, SignAllBoolean),
          Make("and", 1, -1, SignAllBoolean),
          Make("or", 1, -1, SignAllBoolean),
          Make("not", 1, 1, SignAllBoolean),
          like,
          ilike};
}

}  // namespace tacit::sql
