#include <algorithm>

#include "sql/functions/function.h"
#include "sql/functions/own_functions.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

bool IsText(const Type& type) {
  return type.kind == TypeKind::kText || type.kind == TypeKind::kUnknown;
}
bool AllText(const Types& types) { return std::all_of(types.begin(), types.end(), IsText); }

Signed SignTexts(const Types& types) {
  if (!AllText(types)) return std::nullopt;
  return Signature{Types(types.size(), kTextType), kTextType};
}
Signed SignCount(const Types& types) {
  if (!AllText(types)) return std::nullopt;
  return Signature{Types(types.size(), kTextType), kIntegerType};
}
Signed SignTest(const Types& types) {
  if (!AllText(types)) return std::nullopt;
  return Signature{Types(types.size(), kTextType), kBooleanType};
}
// A text and then integers: left, right, substring.
Signed SignTextIntegers(const Types& types) {
  if (!IsText(types[0])) return std::nullopt;
  Signature signature{{kTextType}, kTextType};
  for (size_t i = 1; i < types.size(); ++i) {
    if (types[i].kind != TypeKind::kInteger && types[i].kind != TypeKind::kSmallint) {
      return std::nullopt;
    }
    signature.arguments.push_back(kIntegerType);
  }
  return signature;
}
Signed SignSplit(const Types& types) {
  if (!IsText(types[0]) || !IsText(types[1]) || !types[2].IsInteger()) return std::nullopt;
  return Signature{{kTextType, kTextType, kIntegerType}, kTextType};
}
// || and concat take anything that has a text form.
Signed SignConcat(const Types& types) {
  const bool any_text = std::any_of(types.begin(), types.end(), IsText);
  for (const Type& type : types) {
    if (!CanCast(type, kTextType) || type.kind == TypeKind::kBoolean) return std::nullopt;
  }
  if (!any_text) return std::nullopt;
  return Signature{Types(types.size(), kTextType), kTextType};
}

bool IsString(const Argument& argument) {
  return argument.literal != nullptr && argument.literal->kind == LiteralKind::kString;
}

std::string ComplainSubstring(const Arguments& arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::optional<int64_t> number = IntegerLiteral(arguments[i]);
    if (!number || *number < -1'000'000'000 || *number > 1'000'000'000) {
      return "the position and the length must be literals of at most 1,000,000,000";
    }
  }
  if (arguments.size() == 3 && *IntegerLiteral(arguments[2]) < 0) {
    return "the length must not be negative";
  }
  return "";
}

// Why 100: one character may become at most so many, which bounds the output of a row.
std::string ComplainReplace(const Arguments& arguments) {
  if (!IsString(arguments[1]) || !IsString(arguments[2]) || arguments[1].literal->text.empty() ||
      arguments[1].literal->text.size() > 100 || arguments[2].literal->text.size() > 100) {
    return "what is replaced and its replacement must be literals of at most 100 bytes";
  }
  return "";
}

std::string ComplainTrim(const Arguments& arguments) {
  const bool good =
      arguments.size() == 1 || (IsString(arguments[1]) && !arguments[1].literal->text.empty() &&
                                arguments[1].literal->text.size() <= 100);
  return good ? "" : "the characters to trim must be a literal of at most 100 bytes";
}

std::string ComplainSplit(const Arguments& arguments) {
  const std::optional<int64_t> field = IntegerLiteral(arguments[2]);
  if (!IsString(arguments[1]) || arguments[1].literal->text.empty() || !field || *field == 0 ||
      *field < -1000 || *field > 1000) {
    return "the delimiter must be a literal that is not empty, and the field a literal from 1 to "
           "1000 (or negative, from the end)";
  }
  return "";
}

// A search takes time in proportion to both texts; with a short literal that is linear.
std::string ComplainNeedle(const Argument& needle) {
  const bool good = IsString(needle) && needle.literal->text.size() <= 1000;
  return good ? "" : "what is searched for must be a literal of at most 1,000 bytes";
}
std::string ComplainFirst(const Arguments& arguments) { return ComplainNeedle(arguments[0]); }
std::string ComplainSecond(const Arguments& arguments) { return ComplainNeedle(arguments[1]); }

std::string ComplainSeparator(const Arguments& arguments) {
  return IsString(arguments[0]) ? "" : "the separator must be a literal";
}

Range RangeLength(const Arguments& arguments, const Type&) {
  Range range{.low = Rational(0), .high = std::nullopt};
  if (arguments[0].length_max) range.high = Rational(static_cast<long>(*arguments[0].length_max));
  return range;
}

// Four bytes at most for a character.
Range RangeBytes(const Arguments& arguments, const Type& result) {
  return Product(RangeLength(arguments, result), PointRange(4));
}
// Where the needle begins, counted from 1; 0 where it is not.
Range RangeFirst(const Arguments& arguments, const Type& result) {
  return RangeLength({arguments[1]}, result);
}

constexpr Totality kCut{"every text", "what is longer than 4,096 characters is cut",
                        "the beginning"};
constexpr Totality kLiterals{"literal positions, characters and needles",
                             "checked before anything runs, so that time is linear in the text",
                             "the query is refused"};

Function Make(std::string_view name, Signed (*sign)(const Types&), int least = 1, int most = 1,
              const Totality& totality = kTotalEverywhere) {
  return Function{.name = name,
                  .family = "text",
                  .totality = totality,
                  .arguments_min = least,
                  .arguments_max = most,
                  .sign = sign,
                  .complain = nullptr,
                  .refine = nullptr,
                  .range = nullptr};
}

// Whatever its elements are, they are written as text.
Signed SignArray(const Types& types) {
  const Type text = Simple(TypeKind::kText);
  for (const Type& type : types) {
    if (!CanCast(type, text)) return std::nullopt;
  }
  return Signature{Types(types.size(), text), text};
}

}  // namespace

std::vector<Function> TextFunctions() {
  std::vector<Function> all = {
      Make("lower", SignTexts),
      Make("upper", SignTexts),
      Make("reverse", SignTexts),
      Make("initcap", SignTexts),
      Make("||", SignConcat, 2, 2, kCut),
      Make("concat", SignConcat, 1, -1, kCut),
      Make("left", SignTextIntegers, 2, 2),
      Make("right", SignTextIntegers, 2, 2),
      Make("starts_with", SignTest, 2, 2),
      Make(kInSetFunction, SignTest, 2, 2),
      Make(kArrayFunction, SignArray, 1, -1),
  };
  const auto add = [&all](Function function, std::string (*complain)(const Arguments&)) {
    function.complain = complain;
    all.push_back(function);
  };
  for (const std::string_view name : {"substring", "substr"}) {
    add(Make(name, SignTextIntegers, 2, 3, kLiterals), ComplainSubstring);
  }
  for (const std::string_view name : {"btrim", "ltrim", "rtrim"}) {
    add(Make(name, SignTexts, 1, 2, kLiterals), ComplainTrim);
  }
  for (const std::string_view name :
       {"length", "char_length", "character_length", "octet_length"}) {
    Function function = Make(name, SignCount);
    function.range = name == "octet_length" ? RangeBytes : RangeLength;
    all.push_back(function);
  }
  Function position = Make("position", SignCount, 2, 2, kLiterals);
  Function strpos = Make("strpos", SignCount, 2, 2, kLiterals);
  position.range = RangeFirst;
  strpos.range = RangeLength;
  add(position, ComplainFirst);
  add(strpos, ComplainSecond);
  add(Make("replace", SignTexts, 3, 3, kCut), ComplainReplace);
  add(Make("split_part", SignSplit, 3, 3, kLiterals), ComplainSplit);
  add(Make("concat_ws", SignConcat, 2, -1, kCut), ComplainSeparator);
  return all;
}

}  // namespace tacit::sql
