#include <algorithm>

#include "sql/functions/function.h"
#include "sql/functions/patterns/pattern.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

bool AreTexts(const Types& types) {
  return std::all_of(types.begin(), types.end(), [](const Type& type) {
    return type.kind == TypeKind::kText || type.kind == TypeKind::kUnknown;
  });
}

template <TypeKind result>
Signed SignRegex(const Types& types) {
  if (!AreTexts(types)) return std::nullopt;
  return Signature{Types(types.size(), kTextType), Simple(result)};
}

bool IsWritten(const Argument& argument) {
  return argument.literal != nullptr && argument.literal->kind == LiteralKind::kString;
}

// Flags: i for either case, and g where all matches are meant.
std::string ComplainFlags(const Argument& flags, std::string_view known) {
  const bool good =
      IsWritten(flags) && flags.literal->text.find_first_not_of(known) == std::string::npos;
  return good ? "" : "of flags '" + std::string(known) + "' are taken, as a literal";
}

std::string ComplainMatch(const Arguments& arguments) {
  if (!IsWritten(arguments[1])) return "the pattern must be written as a literal, such as '^A'";
  if (std::string wrong = ComplainRegex(arguments[1].literal->text); !wrong.empty()) return wrong;
  return arguments.size() > 2 ? ComplainFlags(arguments[2], "i") : "";
}

std::string ComplainReplacing(const Arguments& arguments) {
  const Arguments match(arguments.begin(), arguments.begin() + 2);
  if (std::string wrong = ComplainMatch(match); !wrong.empty()) return wrong;
  const Argument& by = arguments[2];
  // Why 100: as for replace.
  if (!IsWritten(by) || by.literal->text.size() > 100) {
    return "the replacement must be a literal of at most 100 bytes";
  }
  if (by.literal->text.find('\\') != std::string::npos) {
    return "the replacement takes no \\1: what was matched is not repeated";
  }
  return arguments.size() > 3 ? ComplainFlags(arguments[3], "gi") : "";
}

Range RangeCounted(const Arguments&, const Type&) {
  return {.low = Rational(0), .high = std::nullopt};
}

constexpr Totality kLinear{"patterns that are literals of up to 256 bytes",
                           "checked before anything runs; RE2 takes time linear in the text",
                           "the query is refused"};

Function Make(std::string_view name, Signed (*sign)(const Types&), int least, int most,
              std::string (*complain)(const Arguments&)) {
  return Function{.name = name,
                  .family = "regular expression",
                  .totality = kLinear,
                  .arguments_min = least,
                  .arguments_max = most,
                  .sign = sign,
                  .complain = complain,
                  .refine = nullptr,
                  .range = nullptr};
}

}  // namespace

std::vector<Function> RegexFunctions() {
  Function count = Make("regexp_count", SignRegex<TypeKind::kInteger>, 2, 2, ComplainMatch);
  count.range = RangeCounted;
  return {Make("regexp_like", SignRegex<TypeKind::kBoolean>, 2, 3, ComplainMatch),
          Make("regexp_substr", SignRegex<TypeKind::kText>, 2, 2, ComplainMatch),
          Make("regexp_replace", SignRegex<TypeKind::kText>, 3, 4, ComplainReplacing), count};
}

}  // namespace tacit::sql
