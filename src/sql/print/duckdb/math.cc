#include "sql/print/duckdb/parts.h"

namespace tacit::sql::duckdb {
namespace {

bool IsNumeric(const Type& type) { return type.kind == TypeKind::kNumeric; }

std::string As(const std::string& text, const Type& type) {
  return "CAST(" + text + " AS " + TypeName(type) + ")";
}

// f over the operand where `condition` holds for it, else NULL.
std::string Guarded(const std::string& function, const std::string& operand,
                    const std::string& condition_before, const std::string& condition_after) {
  return function + "(CASE WHEN " + condition_before + operand + condition_after + " THEN " +
         operand + " END)";
}

std::string RenderWhole(const Application& a) {
  const std::string name(a.apply.function->name == "ceiling" ? "ceil" : a.apply.function->name);
  return As(name + "(" + a.text[0] + ")", a.result);
}

// PostgreSQL rounds numerics half away from zero and doubles half to even.
std::string RenderRound(const Application& a) {
  if (!IsNumeric(a.result)) {
    if (a.text.size() == 1) return "round_even(" + a.text[0] + ", 0)";
    return Finite("round(" + a.text[0] + ", " + a.text[1] + ")", a.result);
  }
  // One more digit in front: 99.5 becomes 100.
  const Type& from = a.type(0);
  const Type wide = Numeric(std::min(from.precision + 1, kNumericPrecisionMax), from.scale);
  const std::string digits = a.text.size() == 1 ? "0" : a.text[1];
  return As("round(" + As(a.text[0], wide) + ", " + digits + ")", a.result);
}

std::string RenderTrunc(const Application& a) {
  if (a.text.size() == 1) return As("trunc(" + a.text[0] + ")", a.result);
  return As("trunc(" + a.text[0] + ", " + a.text[1] + ")", a.result);
}

std::string RenderSqrt(const Application& a) { return Guarded("sqrt", a.text[0], "", " >= 0"); }
std::string RenderLn(const Application& a) { return Guarded("ln", a.text[0], "", " > 0"); }
std::string RenderLog(const Application& a) { return Guarded("log10", a.text[0], "", " > 0"); }
std::string RenderExp(const Application& a) { return Finite("exp(" + a.text[0] + ")", a.result); }
std::string RenderDegrees(const Application& a) { return Finite(RenderCall(a), a.result); }
// The angle of (0, -1) is pi, that of (-0, -1) minus pi.
std::string RenderAtan2(const Application& a) {
  return "atan2(" + Finite(a.text[0], a.type(0)) + ", " + Finite(a.text[1], a.type(1)) + ")";
}
std::string RenderCircular(const Application& a) {
  return Guarded(std::string(a.apply.function->name), a.text[0], "isfinite(", ")");
}
std::string RenderArc(const Application& a) {
  return Guarded(std::string(a.apply.function->name), a.text[0], "", " BETWEEN -1 AND 1");
}

}  // namespace

namespace {

std::string RenderBucket(const Application& a) {
  const std::string& x = a.text[0];
  return "CASE WHEN " + x + " IS NULL THEN NULL WHEN " + x + " < " + a.text[1] + " THEN 0 WHEN " +
         x + " >= " + a.text[2] + " THEN " + a.text[3] + " + 1 ELSE least(CAST(floor((" + x +
         " - " + a.text[1] + ") * " + a.text[3] + " / (" + a.text[2] + " - " + a.text[1] +
         ")) AS INTEGER) + 1, " + a.text[3] + ") END";
}

}  // namespace

Renderings MathRenderings() {
  return {{"width_bucket", RenderBucket},
          {"ceil", RenderWhole},
          {"ceiling", RenderWhole},
          {"floor", RenderWhole},
          {"sign", RenderWhole},
          {"round", RenderRound},
          {"trunc", RenderTrunc},
          {"sqrt", RenderSqrt},
          {"ln", RenderLn},
          {"log", RenderLog},
          {"log10", RenderLog},
          {"exp", RenderExp},
          {"cbrt", RenderCall},
          {"sin", RenderCircular},
          {"cos", RenderCircular},
          {"tan", RenderCircular},
          {"asin", RenderArc},
          {"acos", RenderArc},
          {"atan", RenderCall},
          {"atan2", RenderAtan2},
          {"degrees", RenderDegrees},
          {"radians", RenderCall},
          {"pi", RenderCall}};
}

}  // namespace tacit::sql::duckdb
