#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/mutant.h"
#include "sql/print/duckdb/parts.h"
#include "sql/print/engine_functions.h"

// Doubles below the frontier are finite: columns are read so where they take part in an expression,
// and every operation that could leave the finite numbers is guarded. Where the types alone show
// that it cannot, as for a product of two numerics, there is no guard to pay for.
namespace tacit::sql::duckdb {
namespace {

// Powers of ten that no value of the type is beyond.
constexpr double kDoublePower = 308.3;
constexpr double kRealPower = 38.6;

double PowerOf(const Bound& bound);

double PowerOfType(const Type& type) {
  if (type.IsInteger()) return 19;
  if (type.kind == TypeKind::kReal) return kRealPower;
  if (type.kind != TypeKind::kNumeric) return kDoublePower;
  return type.precision == 0 ? 23 : type.precision - type.scale;
}

// The power of ten of the smallest that is not zero.
double LeastPowerOf(const Bound& bound) {
  if (const auto* cast = As<BoundCast>(bound)) return LeastPowerOf(cast->operand);
  if (As<Literal>(bound) != nullptr) return PowerOf(bound);
  if (bound->type.IsInteger()) return 0;
  if (bound->type.kind == TypeKind::kNumeric && bound->type.precision > 0) {
    return -bound->type.scale;
  }
  return -324;
}

double PowerOfApply(const BoundApply& apply, const Type& result) {
  const std::string_view name = apply.function->name;
  const auto of = [&apply](size_t i) { return PowerOf(apply.arguments[i]); };
  if (name == "negate" || name == "abs") return of(0);
  if (name == "+" || name == "-") return std::max(of(0), of(1)) + 0.31;
  if (name == "*") return of(0) + of(1) + 0.01;
  if (name == "/") return of(0) - LeastPowerOf(apply.arguments[1]) + 0.01;
  return PowerOfType(result);
}

double PowerOf(const Bound& bound) {
  if (!bound->type.IsNumber()) return kDoublePower;
  if (const auto* literal = As<Literal>(bound)) {
    const double value = std::abs(std::strtod(literal->text.c_str(), nullptr));
    return std::isfinite(value) && value > 0 ? std::log10(value) : value == 0 ? 0 : 400;
  }
  if (const auto* cast = As<BoundCast>(bound)) {
    if (!cast->operand->type.IsNumber()) return PowerOfType(bound->type);
    return std::min(PowerOf(cast->operand), PowerOfType(bound->type));
  }
  const auto* apply = As<BoundApply>(bound);
  if (apply == nullptr) return PowerOfType(bound->type);
  // Beyond its type it is NULL.
  return std::min(PowerOfApply(*apply, bound->type), PowerOfType(bound->type));
}

const std::string kOpening = std::string(kFiniteFunction) + "(";

}  // namespace

std::string Finite(const std::string& operand, const Type& type) {
  if (TACIT_MUTANT("double_overflow_kept")) return operand;
  const std::string finite = kOpening + Unguarded(operand) + ")";
  // The engine sums reals in doubles.
  return type.kind == TypeKind::kReal ? TryCast(finite, type) : finite;
}

// What is printed as a sum or a product begins with a parenthesis, and every call with its own
// name, so that a text which begins so is one guard as a whole.
std::string Unguarded(const std::string& text) {
  if (!text.starts_with(kOpening)) return text;
  return text.substr(kOpening.size(), text.size() - kOpening.size() - 1);
}

bool MayOverflow(const Application& a) {
  const double most = a.result.kind == TypeKind::kReal ? 38.5 : 308.0;
  return PowerOfApply(a.apply, a.result) > most;
}

}  // namespace tacit::sql::duckdb
