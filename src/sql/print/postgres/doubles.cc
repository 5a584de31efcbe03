#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sql/print/postgres/parts.h"

// Sums, products and quotients of doubles. Whether a result is beyond all doubles is looked at
// before it is computed, on operands that are moved by a power of two so that the same digits come
// out within them; most rows pass the first test. Operands stand in the text several times: a query
// of many levels is refused for its length (sql::kPrintedBytesMax).
namespace tacit::sql::postgres {
namespace {

// A power of ten that no value of the expression, in its own type, is beyond.
double MostOf(const Bound& bound);

double MostOfType(const Type& type) {
  if (type.IsInteger()) return 19;
  if (type.kind == TypeKind::kNumeric) {
    return type.precision == 0 ? 23 : type.precision - type.scale;
  }
  return type.kind == TypeKind::kReal ? 38.6 : 309;
}

double LiteralPower(const Literal& literal, double otherwise) {
  const double value = std::abs(std::strtod(literal.text.c_str(), nullptr));
  return std::isfinite(value) && value > 0 ? std::log10(value) : otherwise;
}

// A power of ten that every value but zero is at least as large as.
double LeastOf(const Bound& bound) {
  constexpr double kTiniest = -324;
  if (const auto* literal = As<Literal>(bound)) return LiteralPower(*literal, 0) - 0.01;
  if (const auto* cast = As<BoundCast>(bound)) {
    return cast->operand->type.IsNumber() && bound->type.IsFloat() ? LeastOf(cast->operand)
                                                                   : kTiniest;
  }
  if (const auto* apply = As<BoundApply>(bound); apply != nullptr && bound->type.IsFloat()) {
    const std::string_view name = apply->function->name;
    const auto of = [apply](size_t i) { return LeastOf(apply->arguments[i]); };
    if (name == "*") return of(0) + of(1) - 0.01;
    // What is left of a difference is a unit in the last place of the smaller operand, or more.
    if (name == "+" || name == "-") return std::min(of(0), of(1)) - 17;
    if (name == "negate" || name == "abs") return of(0);
    if (name == "/") return of(0) - MostOf(apply->arguments[1]) - 0.01;
    return kTiniest;
  }
  if (bound->type.IsInteger()) return 0;
  if (bound->type.kind == TypeKind::kNumeric) {
    return bound->type.precision == 0 ? -15 : -bound->type.scale;
  }
  return kTiniest;
}

double MostOf(const Bound& bound) {
  if (!bound->type.IsNumber()) return 309;
  if (const auto* literal = As<Literal>(bound)) return LiteralPower(*literal, 0) + 0.01;
  const double of_type = MostOfType(bound->type);
  if (const auto* cast = As<BoundCast>(bound)) {
    return cast->operand->type.IsNumber() ? std::min(MostOf(cast->operand), of_type) : of_type;
  }
  const auto* apply = As<BoundApply>(bound);
  if (apply == nullptr) return of_type;
  const std::string_view name = apply->function->name;
  const auto of = [apply](size_t i) { return MostOf(apply->arguments[i]); };
  double most = of_type;
  if (name == "negate" || name == "abs") most = of(0);
  if (name == "+" || name == "-") most = std::max(of(0), of(1)) + 0.31;
  if (name == "*") most = of(0) + of(1) + 0.01;
  if (name == "/") most = of(0) - LeastOf(apply->arguments[1]) + 0.01;
  return std::min(most, of_type);
}

// Why 307 and -306: nearer to the ends it is looked at.
bool IsWithin(double most, double least) { return most < 307 && least > -306; }

std::string Double(const char* digits) {
  return std::string("CAST('") + digits + "' AS double precision)";
}
// Powers of two, as the shortest digits that read back as them.
std::string PowerOfTwo(int power) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", std::ldexp(1.0, power));
  return Double(text);
}

std::string Size(const std::string& text) { return "abs(" + text + ")"; }
// Of a size at which neither products nor quotients can leave the doubles.
std::string IsUsual(const std::string& text) {
  return Size(text) + " BETWEEN " + Double("1e-150") + " AND " + Double("1e150");
}

// What comes after it would take a NULL for a number that is not large.
std::string IsUnknown(const std::string& x, const std::string& y) {
  return " WHEN " + x + " IS NULL OR " + y + " IS NULL THEN NULL";
}

}  // namespace

std::string Sum(const Application& a, const char* sign) {
  const std::string& x = a.text[0];
  const std::string& y = a.text[1];
  const std::string sum = "(" + x + " " + sign + " " + y + ")";
  if (IsWithin(std::max(MostOf(a.argument(0)), MostOf(a.argument(1))), 0)) return sum;
  // Beside what is smaller than half a unit in the last place of the largest double nothing
  // overflows; of two large ones the halves are added.
  const auto small = [](const std::string& text) { return Size(text) + " <= " + Double("1e200"); };
  const std::string half = " * " + Double("0.5");
  return "CASE WHEN " + small(x) + " OR " + small(y) + " THEN " + sum + " WHEN " +
         Size("(" + x + half + ") " + sign + " (" + y + half + ")") + " < " + PowerOfTwo(1023) +
         " THEN " + sum + " END";
}

std::string Product(const Application& a) {
  const std::string& x = a.text[0];
  const std::string& y = a.text[1];
  const std::string product = "(" + x + " * " + y + ")";
  const std::string unknown = IsUnknown(x, y);
  if (IsWithin(MostOf(a.argument(0)) + MostOf(a.argument(1)),
               LeastOf(a.argument(0)) + LeastOf(a.argument(1)))) {
    return product;
  }
  const auto moved = [&](int power) {
    const std::string by = " * " + PowerOfTwo(power);
    return Size("(" + x + by + ") * (" + y + by + ")");
  };
  const auto both = [&](const char* compared) {
    return Size(x) + compared + Double("1") + " AND " + Size(y) + compared + Double("1");
  };
  return "CASE WHEN " + IsUsual(x) + " AND " + IsUsual(y) + " THEN " + product + unknown +
         " WHEN " + x + " = 0 OR " + y + " = 0 THEN " + Double("0") + " WHEN " + both(" >= ") +
         " THEN CASE WHEN " + moved(-600) + " < " + PowerOfTwo(1024 - 1200) + " THEN " + product +
         " END WHEN " + both(" <= ") + " THEN CASE WHEN " + moved(600) + " > " +
         PowerOfTwo(1200 - 1075) + " THEN " + product + " ELSE " + Double("0") + " END ELSE " +
         product + " END";
}

std::string Quotient(const Application& a) {
  const std::string& x = a.text[0];
  const std::string& y = a.text[1];
  const std::string quotient = "(" + x + " / " + y + ")";
  const std::string unknown = IsUnknown(x, y);
  const double most_x = MostOf(a.argument(0)), least_x = LeastOf(a.argument(0));
  const double most_y = MostOf(a.argument(1)), least_y = LeastOf(a.argument(1));
  if (IsWithin(most_x - least_y, least_x - most_y)) {
    return "(" + x + " / nullif(" + y + ", 0))";
  }
  const auto moved = [&](int power) {
    return Size("(" + x + " * " + PowerOfTwo(power) + ") / (" + y + " * " + PowerOfTwo(-power) +
                ")");
  };
  const std::string tiny = " < " + Double("1e-150");
  return "CASE WHEN " + IsUsual(x) + " AND " + IsUsual(y) + " THEN " + quotient + unknown +
         " WHEN " + y + " = 0 THEN NULL WHEN " + x + " = 0 THEN " + Double("0") +
         // Towards zero: nothing overflows.
         " WHEN " + Size(y) + " >= 1 THEN CASE WHEN " + Size(x) + " >= 1 THEN " + quotient +
         " WHEN " + moved(520) + " > " + PowerOfTwo(1040 - 1075) + " THEN " + quotient + " ELSE " +
         Double("0") + " END" +
         // Away from zero: nothing is lost, and the largest are beyond.
         " WHEN " + Size(x) + tiny + " THEN " + quotient + " WHEN " + Size(x) + " >= 8 AND " +
         Size(y) + " < " + PowerOfTwo(-1022) + " THEN NULL WHEN " + moved(-520) + " < " +
         PowerOfTwo(1024 - 1040) + " THEN " + quotient + " END";
}

}  // namespace tacit::sql::postgres
