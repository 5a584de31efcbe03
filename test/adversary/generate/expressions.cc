#include "generator.h"

namespace tacit::adversary {
namespace {

std::string Call(const std::string& name, std::initializer_list<std::string> arguments) {
  std::string text = name + "(";
  for (const std::string& argument : arguments) text += (text.back() == '(' ? "" : ", ") + argument;
  return text + ")";
}
std::string As(const std::string& value, const std::string& type) {
  return "CAST(" + value + " AS " + type + ")";
}

}  // namespace

Kind Generator::AnyKind() {
  static const std::vector<Kind> kinds = {Kind::kInt,  Kind::kText, Kind::kNum,  Kind::kReal,
                                          Kind::kDate, Kind::kBool, Kind::kTime, Kind::kSpan};
  return c_.Of(kinds);
}

const Column* Generator::AnyColumn(const Columns& scope) {
  if (scope.empty()) return nullptr;
  const Column& column = c_.Of(scope);
  // People's own numbers are refused nearly everywhere: most of the time another one is taken.
  if ((column.unit != 0 || column.hidden || column.kind == Kind::kOther) && !c_.OneIn(12)) {
    for (const Column& other : scope) {
      if (other.unit == 0 && !other.hidden && other.kind != Kind::kOther) return &other;
    }
  }
  return &column;
}

std::optional<Column> Generator::ColumnOf(Kind kind, const Columns& scope) {
  Columns fitting;
  for (const Column& column : scope) {
    const bool rare = column.unit != 0 || column.hidden;
    if (column.kind == kind && !rare) fitting.push_back(column);
  }
  if (c_.OneIn(30)) {
    for (const Column& column : scope) {
      if (column.kind == kind && (column.unit != 0 || column.hidden)) fitting = {column};
    }
  }
  if (fitting.empty()) return std::nullopt;
  Column chosen = c_.Of(fitting);
  // A hidden number of a person may still be grouped by; what else is hidden may not be looked at.
  if (chosen.hidden && chosen.unit == 0) uses_hidden_ = true;
  return chosen;
}

// At times a hidden column in place of the expression: where only order and groups show it.
std::string Generator::OrHidden(const std::string& expression, const Columns& scope) {
  if (!c_.OneIn(6)) return expression;
  for (const Column& column : scope) {
    if (!column.hidden || column.unit != 0) continue;
    uses_hidden_ = true;
    return column.Sql();
  }
  return expression;
}

std::string Generator::Conditional(Kind kind, const Columns& scope, int depth) {
  const auto again = [&] { return Expression(kind, scope, depth - 1); };
  switch (c_.Below(6)) {
    case 0:
      features_.Use("CASE");
      return "CASE WHEN " + Condition(scope, depth - 1) + " THEN " + again() + " ELSE " + again() +
             " END";
    case 1:
      features_.Use("coalesce");
      return Call("coalesce", {again(), again()});
    case 2:
      features_.Use("nullif");
      return Call("nullif", {again(), again()});
    case 3:
      features_.Use("least greatest");
      return Call("least", {again(), again()});
    case 4:
      features_.Use("least greatest");
      return Call("greatest", {again(), again()});
    default:
      features_.Use("CASE");
      return "CASE WHEN " + Condition(scope, depth - 1) + " THEN " + again() + " END";
  }
}

std::string Generator::Expression(Kind kind, const Columns& scope, int depth) {
  if (depth <= 0 || c_.Below(3) == 0) {
    if (const auto column = ColumnOf(kind, scope)) {
      if (!c_.OneIn(8)) return column->Sql();
    }
    return Literal(kind);
  }
  if (c_.OneIn(5)) return Conditional(kind, scope, depth);
  switch (kind) {
    case Kind::kInt:
      return IntExpression(scope, depth);
    case Kind::kNum:
      return NumericExpression(scope, depth);
    case Kind::kReal:
      return RealExpression(scope, depth);
    case Kind::kText:
      return TextExpression(scope, depth);
    case Kind::kBool:
      return "(" + Condition(scope, depth - 1) + ")";
    case Kind::kDate:
      return DateExpression(scope, depth);
    case Kind::kTime:
      return TimeExpression(scope, depth);
    case Kind::kSpan:
      return SpanExpression(scope, depth);
    default:
      return Expression(kind, scope, 0);
  }
}

std::string Generator::Number(const Columns& scope, int depth) {
  static const std::vector<Kind> kinds = {Kind::kInt, Kind::kReal, Kind::kNum};
  return Expression(c_.Of(kinds), scope, depth);
}

std::string Generator::IntExpression(const Columns& scope, int depth) {
  const auto whole = [&] { return Expression(Kind::kInt, scope, depth - 1); };
  static const std::vector<std::string> types = {"integer", "bigint", "smallint"};
  switch (c_.Below(15)) {
    case 12:
      features_.Use("width_bucket");
      return Call("width_bucket", {Number(scope, depth - 1), "-10", "100.5", "7"});
    case 13:
      features_.Use("regular expression");
      return Call("regexp_count", {Expression(Kind::kText, scope, depth - 1), "'[a-e]+'"});
    case 14: {
      features_.Use("extract");
      static const std::vector<std::string> parts = {"year", "month", "day", "hour", "minute"};
      return As(
          "extract(" + c_.Of(parts) + " FROM " + Expression(Kind::kSpan, scope, depth - 1) + ")",
          "integer");
    }
    case 0: {
      features_.Use("arithmetic");
      static const std::vector<std::string> operators = {" + ", " - ", " * ", " / ", " % "};
      return "(" + whole() + c_.Of(operators) + whole() + ")";
    }
    case 1:
      features_.Use("math function");
      return Call(c_.OneIn(2) ? "abs" : "sign", {whole()});
    case 2:
      features_.Use("text function");
      return Call(c_.OneIn(2) ? "length" : "octet_length",
                  {Expression(Kind::kText, scope, depth - 1)});
    case 3:
      features_.Use("cast from text");
      return As(Expression(Kind::kText, scope, depth - 1), c_.Of(types));
    case 4:
      features_.Use("cast of numbers");
      return As(Number(scope, depth - 1), c_.Of(types));
    case 5:
      features_.Use("cast of truth values");
      return As("(" + Condition(scope, depth - 1) + ")", "integer");
    case 6:
      features_.Use("date minus date");
      return "(" + Expression(Kind::kDate, scope, depth - 1) + " - " +
             Expression(Kind::kDate, scope, depth - 1) + ")";
    case 7: {
      features_.Use("extract");
      static const std::vector<std::string> fields = {"year", "month", "day", "dow", "quarter"};
      if (c_.OneIn(3)) {  // of equal ones, the same
        features_.Use("extract from an interval");
        return As("extract(epoch FROM " + Expression(Kind::kSpan, scope, depth - 1) + ")",
                  "bigint");
      }
      return As("extract(" + c_.Of(fields) + " FROM " +
                    Expression(c_.OneIn(2) ? Kind::kTime : Kind::kDate, scope, depth - 1) + ")",
                "integer");
    }
    case 8:
      features_.Use("arithmetic");
      return Call("mod", {whole(), whole()});
    case 9:
      features_.Use("text function");
      return "position('a' IN " + Expression(Kind::kText, scope, depth - 1) + ")";
    case 10:
      return ScalarOfPerson(scope, depth - 1);
    default:
      features_.Use("arithmetic");
      return "(- " + whole() + ")";
  }
}

std::string Generator::NumericExpression(const Columns& scope, int depth) {
  const auto numeric = [&] { return Expression(Kind::kNum, scope, depth - 1); };
  static const std::vector<std::string> types = {"numeric(10,2)", "numeric(38,10)",
                                                 "numeric(38,0)", "numeric",
                                                 "numeric(4,4)",  "numeric(18,6)"};
  switch (c_.Below(6)) {
    case 0: {
      features_.Use("arithmetic");
      static const std::vector<std::string> operators = {" + ", " - ", " * ", " / ", " % "};
      return "(" + numeric() + c_.Of(operators) + numeric() + ")";
    }
    case 1:
      features_.Use("cast of numbers");
      return As(Number(scope, depth - 1), c_.Of(types));
    case 2:
      features_.Use("cast from text");
      return As(Expression(Kind::kText, scope, depth - 1), c_.Of(types));
    case 3:
      features_.Use("round");
      return Call(c_.OneIn(3) ? "trunc" : "round", {numeric(), SmallNumber()});
    case 4: {
      features_.Use("round");
      static const std::vector<std::string> names = {"round", "floor", "ceil", "trunc", "abs"};
      return Call(c_.Of(names), {numeric()});
    }
    default:
      features_.Use("arithmetic");
      return "(" + numeric() + " * " + Expression(Kind::kInt, scope, depth - 1) + ")";
  }
}

std::string Generator::RealExpression(const Columns& scope, int depth) {
  const auto real = [&] { return Expression(Kind::kReal, scope, depth - 1); };
  switch (c_.Below(7)) {
    case 0: {
      features_.Use("arithmetic");
      static const std::vector<std::string> operators = {" + ", " - ", " * ", " / "};
      return "(" + real() + c_.Of(operators) + real() + ")";
    }
    case 1: {
      features_.Use("math function");
      static const std::vector<std::string> names = {
          "sqrt", "ln",  "exp", "abs",  "floor", "ceil", "cbrt",    "log",     "log10",
          "sin",  "cos", "tan", "asin", "acos",  "atan", "degrees", "radians", "sign"};
      return Call(c_.Of(names), {real()});
    }
    case 2:
      features_.Use("math function");
      return Call(c_.OneIn(3) ? "atan2" : "power", {real(), real()});
    case 3:
      features_.Use("cast of numbers");
      return As(Number(scope, depth - 1), c_.OneIn(3) ? "real" : "double precision");
    case 4:
      features_.Use("cast from text");
      return As(Expression(Kind::kText, scope, depth - 1), "double precision");
    case 5:
      features_.Use("round");
      return Call("round", {real(), SmallNumber()});
    default:
      features_.Use("extract");
      return Call("date_part", {"'epoch'", Expression(Kind::kTime, scope, depth - 1)});
  }
}

std::string Generator::TextExpression(const Columns& scope, int depth) {
  const auto text = [&] { return Expression(Kind::kText, scope, depth - 1); };
  if (c_.Below(3) == 0) {
    features_.Use("cast to text");
    static const std::vector<Kind> kinds = {Kind::kInt,  Kind::kNum,  Kind::kReal,
                                            Kind::kBool, Kind::kDate, Kind::kTime};
    return As(Expression(c_.Of(kinds), scope, depth - 1), "text");
  }
  if (c_.OneIn(4)) return PatternExpression(scope, depth);
  features_.Use("text function");
  switch (c_.Below(11)) {
    case 10:
      return Call("initcap", {text()});
    case 0:
      return "(" + text() + " || " + text() + ")";
    case 1:
      return Call(c_.OneIn(2) ? "lower" : "upper", {text()});
    case 2:
      return Call(c_.OneIn(2) ? "left" : "right", {text(), SmallNumber()});
    case 3:
      return Call("substring", {text(), "1", SmallNumber()});
    case 4:
      return Call(c_.OneIn(2) ? "trim" : "reverse", {text()});
    case 5:
      return Call("replace", {text(), "'a'", "'bb'"});
    case 6:
      return Call("split_part", {text(), "'a'", "1"});
    case 7:
      return Call("concat", {text(), Expression(Kind::kInt, scope, depth - 1)});
    case 8:
      return Call("concat_ws", {"'-'", text(), text()});
    default:
      return Call(c_.OneIn(2) ? "ltrim" : "rtrim", {text()});
  }
}

// What a literal pattern makes of a text or a time.
std::string Generator::PatternExpression(const Columns& scope, int depth) {
  const std::string text = Expression(Kind::kText, scope, depth - 1);
  switch (c_.Below(3)) {
    case 0:
      features_.Use("regular expression");
      return Call("regexp_replace", {text, "'[aeiou]|n+'", "'x'", "'g'"});
    case 1:
      features_.Use("regular expression");
      return Call("regexp_substr", {text, c_.OneIn(2) ? "'n(.)'" : "'[[:alpha:]]{2,3}'"});
    default: {
      features_.Use("to_char");
      static const std::vector<std::string> patterns = {"'YYYY-MM'",   "'FMMonth DD'",
                                                        "'\"Q\"Q IW'", "'HH24:MI:SS.US'",
                                                        "'MON Day'",   "'day HH12 am'"};
      return Call("to_char", {Expression(c_.OneIn(2) ? Kind::kTime : Kind::kDate, scope, depth - 1),
                              c_.Of(patterns)});
    }
  }
}

std::string Generator::DateExpression(const Columns& scope, int depth) {
  const auto date = [&] { return Expression(Kind::kDate, scope, depth - 1); };
  switch (c_.Below(5)) {
    case 0:
      features_.Use("date arithmetic");
      return "(" + date() + (c_.OneIn(2) ? " - " : " + ") +
             Expression(Kind::kInt, scope, depth - 1) + ")";
    case 1:
      features_.Use("make_date");
      return Call("make_date", {Expression(Kind::kInt, scope, depth - 1),
                                Expression(Kind::kInt, scope, depth - 1), "1"});
    case 2:
      features_.Use("cast of times");
      return As(Expression(Kind::kTime, scope, depth - 1), "date");
    case 3:
      features_.Use("cast from text");
      return As(Expression(Kind::kText, scope, depth - 1), "date");
    default:
      features_.Use("date_trunc");
      return As(Call("date_trunc", {"'month'", date()}), "date");
  }
}

std::string Generator::TimeExpression(const Columns& scope, int depth) {
  const auto time = [&] { return Expression(Kind::kTime, scope, depth - 1); };
  static const std::vector<std::string> fields = {"'month'", "'day'",    "'year'",   "'week'",
                                                  "'hour'",  "'minute'", "'quarter'"};
  switch (c_.Below(7)) {
    case 5:
      features_.Use("date_bin");
      if (c_.OneIn(3)) {
        const std::string instant = "(" + time() + " AT TIME ZONE 'UTC')";
        return "(" +
               Call("date_bin",
                    {"INTERVAL '7 hours'", instant, "TIMESTAMPTZ '2020-01-01 00:00:00+00'"}) +
               " AT TIME ZONE 'UTC')";
      }
      return Call("date_bin", {"INTERVAL '7 hours'", time(), "TIMESTAMP '2020-01-01'"});
    case 6:
      if (c_.OneIn(3)) {
        features_.Use("to_timestamp");
        return "(" + Call("to_timestamp", {Expression(Kind::kInt, scope, depth - 1)}) +
               " AT TIME ZONE 'UTC')";
      }
      features_.Use("time zone");
      return "(" + time() + " AT TIME ZONE 'UTC' AT TIME ZONE 'Asia/Kolkata')";
    case 0: {
      features_.Use("interval arithmetic");
      std::string moved = "(" + time() + (c_.OneIn(2) ? " - " : " + ") + Literal(Kind::kSpan);
      if (c_.OneIn(3)) {
        features_.Use("interval times a number");
        moved += " * " + Expression(Kind::kInt, scope, depth - 1);
      }
      return moved + ")";
    }
    case 1:
      features_.Use("date_trunc");
      return Call("date_trunc", {c_.Of(fields), time()});
    case 2:
      features_.Use("cast of times");
      return As(Expression(Kind::kDate, scope, depth - 1), "timestamp");
    case 3:
      features_.Use("cast from text");
      return As(Expression(Kind::kText, scope, depth - 1), "timestamp");
    default:
      features_.Use("date_trunc");
      return Call("date_trunc", {c_.Of(fields), Expression(Kind::kDate, scope, depth - 1)});
  }
}

std::string Generator::SpanExpression(const Columns& scope, int depth) {
  if (c_.OneIn(2)) {
    features_.Use("age");
    return Call("age", {Expression(Kind::kTime, scope, depth - 1),
                        Expression(Kind::kTime, scope, depth - 1)});
  }
  features_.Use("time minus time");
  if (c_.OneIn(4)) {
    return "((" + Expression(Kind::kTime, scope, depth - 1) + " AT TIME ZONE 'UTC') - (" +
           Expression(Kind::kTime, scope, depth - 1) + " AT TIME ZONE 'UTC'))";
  }
  return "(" + Expression(Kind::kTime, scope, depth - 1) + " - " +
         Expression(Kind::kTime, scope, depth - 1) + ")";
}

// A number that a sum can be expected to take.
std::string Generator::Bounded(const Columns& scope, int depth) {
  Columns bounded;
  for (const Column& column : scope) {
    if (column.bounded && column.unit == 0) bounded.push_back(column);
  }
  if (c_.OneIn(9)) {
    features_.Use("sum of a condition");
    return "(" + Condition(scope, depth - 1) + ")::int";
  }
  if (c_.OneIn(12)) {
    features_.Use("bounds of times");
    const std::string date = "least(greatest(" + Expression(Kind::kDate, scope, depth - 1) +
                             ", DATE '2023-12-01'), DATE '2024-04-01')";
    return c_.OneIn(2) ? "(" + date + " - DATE '2024-01-01')"
                       : "extract(day FROM TIMESTAMP '2024-06-01 12:00' - " + date + ")";
  }
  if (c_.OneIn(12)) {
    features_.Use("bounds of the branches before");
    const std::string number = Number(scope, 0);
    return "CASE WHEN " + number + " > 10 THEN 10 WHEN " + number + " < -2 THEN -2 ELSE " + number +
           " END";
  }
  const size_t way = bounded.empty() ? 1 : c_.Weighted({5, 3, 1, 2, 2});
  const std::string column = bounded.empty() ? "" : c_.Of(bounded).Sql();
  switch (way) {
    case 0:
      return column;
    case 1: {
      features_.Use("bounds of the query");
      static const std::vector<std::string> ranges = {"0), 10", "-5), 3", "0), 1", "-2.5), 2.5",
                                                      "0), 1000000"};
      return "least(greatest(" + Number(scope, depth) + ", " + c_.Of(ranges) + ")";
    }
    case 2:
      features_.Use("CASE");
      return "CASE WHEN " + Condition(scope, depth - 1) + " THEN " + column + " ELSE 0 END";
    case 3:
      features_.Use("arithmetic");
      return "(" + column + (c_.OneIn(2) ? " * 2 + 1)" : " * 2)");
    default:
      features_.Use("arithmetic");
      return "(" + column + " + " + c_.Of(bounded).Sql() + ")";
  }
}

}  // namespace tacit::adversary
