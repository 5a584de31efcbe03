#include "generator.h"

namespace tacit::adversary {

std::string Generator::Comparison(const Columns& scope, int depth) {
  // Most of them leave most rows: what nobody passes shows nothing.
  static const std::vector<std::string> operators = {" <> ", " >= ", " > ", " <= ", " < ", " = "};
  // A column with an ordinary literal is true for some rows and not for others.
  if (const Column* column = AnyColumn(scope);
      column != nullptr && c_.Below(2) == 0 && column->kind != Kind::kOther) {
    if (column->hidden && column->unit == 0) uses_hidden_ = true;
    features_.Use("comparison");
    return column->Sql() + c_.Of(operators) + Literal(column->kind);
  }
  const Kind kind = AnyKind();
  const auto value = [&] { return Expression(kind, scope, depth - 1); };
  switch (c_.Below(9)) {
    case 8: {
      features_.Use("regular expression");
      static const std::vector<std::string> patterns = {"'^n'", "'a|e'", "'[a-m]{2}'", "'.*o$'"};
      return Expression(Kind::kText, scope, depth - 1) + (c_.OneIn(2) ? " ~* " : " !~ ") +
             c_.Of(patterns);
    }
    case 0:
      features_.Use("comparison");
      return value() + c_.Of(operators) + value();
    case 1:
      features_.Use("IS NULL");
      return value() + (c_.OneIn(2) ? " IS NOT NULL" : " IS NULL");
    case 2:
      features_.Use("BETWEEN");
      return value() + " BETWEEN " + Literal(kind) + " AND " + value();
    case 3:
      if (kind == Kind::kText && c_.OneIn(3)) {
        features_.Use("list in a text");
        return value() + " = ANY (string_to_array('a,n,name1', ','))";
      }
      features_.Use("IN list");
      return value() + (c_.OneIn(3) ? " NOT IN (" : " IN (") + Literal(kind) + ", " +
             Literal(kind) + ")";
    case 4:
      features_.Use("IS DISTINCT FROM");
      return value() + (c_.OneIn(2) ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ") + value();
    case 5: {
      features_.Use("LIKE");
      static const std::vector<std::string> patterns = {"'n%'", "'%'", "'_a%'", "'%e%'"};
      return Expression(Kind::kText, scope, depth - 1) + (c_.OneIn(2) ? " ILIKE " : " LIKE ") +
             c_.Of(patterns);
    }
    case 6:
      features_.Use("text function");
      return "starts_with(" + Expression(Kind::kText, scope, depth - 1) + ", 'n')";
    default: {
      features_.Use("IS TRUE");
      static const std::vector<std::string> tests = {" IS TRUE", " IS NOT FALSE", " IS UNKNOWN",
                                                     " = true", " <> 'yes'"};
      return "(" + Condition(scope, depth - 1) + ")" + c_.Of(tests);
    }
  }
}

std::string Generator::Condition(const Columns& scope, int depth) {
  if (depth <= 0) return Comparison(scope, 1);
  switch (c_.Weighted({10, 3, 3, 1, 3, 2})) {
    case 0:
      return Comparison(scope, depth);
    case 1:
      features_.Use("AND OR NOT");
      return "(" + Condition(scope, depth - 1) + " AND " + Condition(scope, depth - 1) + ")";
    case 2:
      features_.Use("AND OR NOT");
      return "(" + Condition(scope, depth - 1) + " OR " + Condition(scope, depth - 1) + ")";
    case 3:
      features_.Use("AND OR NOT");
      return "NOT (" + Condition(scope, depth - 1) + ")";
    case 4:
      return UnitSubquery(scope, depth);
    default:
      return PublicSubquery(scope);
  }
}

namespace {

// The unit that a subquery can be about: the first one in scope.
const Column* UnitOf(const Columns& columns, int domain) {
  for (const Column& column : columns) {
    if (column.unit == domain) return &column;
  }
  return nullptr;
}

}  // namespace

// About other rows of the same person.
std::string Generator::UnitSubquery(const Columns& scope, int depth) {
  const Column* outer = UnitIn(scope);
  if (outer == nullptr || ++subqueries_ > 4) return Comparison(scope, depth);
  const Relation inner = c_.OneIn(4) && depth > 1 ? Rows(1) : StoredTable(outer->unit);
  const Column* unit = UnitOf(inner.columns, outer->unit);
  if (unit == nullptr) return Comparison(scope, depth);
  const std::string condition = Condition(inner.columns, depth - 2);
  const char* negated = c_.OneIn(3) ? "NOT " : "";
  if (c_.Below(2) == 0) {
    features_.Use(*negated != 0 ? "NOT EXISTS" : "EXISTS");
    std::string also;
    if (c_.OneIn(4)) {  // equalities of further columns of both
      features_.Use("correlated by a column");
      const Kind kind = c_.OneIn(2) ? Kind::kText : Kind::kInt;
      const auto a = ColumnOf(kind, scope);
      const auto b = ColumnOf(kind, inner.columns);
      if (a && b) also = " AND " + b->Sql() + " = " + a->Sql();
    }
    return std::string(negated) + "EXISTS (SELECT 1 FROM " + inner.from + " WHERE " + unit->Sql() +
           " = " + outer->Sql() + " AND " + condition + also + ")";
  }
  features_.Use(*negated != 0 ? "NOT IN subquery" : "IN subquery");
  std::string having;
  if (c_.OneIn(3)) {
    Column ignored;
    having = " GROUP BY " + unit->Sql() + " HAVING " + PersonAggregate(inner.columns, &ignored) +
             " > " + SmallNumber();
  }
  return outer->Sql() + " " + negated + "IN (SELECT " + unit->Sql() + " FROM " + inner.from +
         " WHERE " + condition + having + ")";
}

// A value of the same person's rows.
std::string Generator::ScalarOfPerson(const Columns& scope, int depth) {
  const Column* outer = UnitIn(scope);
  if (outer == nullptr || ++subqueries_ > 4) return Expression(Kind::kInt, scope, 0);
  const Relation inner = StoredTable(outer->unit);
  const Column* unit = UnitOf(inner.columns, outer->unit);
  if (unit == nullptr) return Expression(Kind::kInt, scope, 0);
  features_.Use("scalar subquery of a person");
  Column made;
  const std::string aggregate = PersonAggregate(inner.columns, &made);
  return "(SELECT " + aggregate + " FROM " + inner.from + " WHERE " + unit->Sql() + " = " +
         outer->Sql() + (c_.OneIn(2) ? " AND " + Condition(inner.columns, depth - 1) : "") + ")";
}

// Sets and values of public tables, and of what has been released.
std::string Generator::PublicSubquery(const Columns& scope) {
  if (++subqueries_ > 4) return Comparison(scope, 0);
  switch (c_.Below(4)) {
    case 0:
      features_.Use("IN public set");
      return Expression(Kind::kText, scope, 1) + (c_.OneIn(3) ? " NOT IN" : " IN") +
             " (SELECT code FROM towns WHERE height > " + Literal(Kind::kInt) + ")";
    case 1:
      features_.Use("IN public set");
      return Expression(Kind::kInt, scope, 1) + " IN (SELECT num FROM towns)";
    case 2:
      features_.Use("scalar subquery of public rows");
      return Number(scope, 1) + " > (SELECT max(height) FROM towns)";
    default: {
      features_.Use("scalar subquery of released values");
      static const std::vector<std::string> released = {
          "(SELECT avg(age) FROM people)", "(SELECT count(*) FROM visits)",
          "(SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY score) FROM votes)",
          "(SELECT max(n) FROM (SELECT sex, count(*) AS n FROM people GROUP BY sex) q)"};
      return Number(scope, 1) + " > " + c_.Of(released);
    }
  }
}

std::string Generator::Where(const Columns& scope, int depth) {
  if (c_.Below(5) < 3) return "";
  features_.Use("WHERE");
  const std::string condition = Condition(scope, depth);
  // An unknown one would leave nobody.
  return " WHERE " + (c_.OneIn(2) ? "(" + condition + ") IS NOT FALSE" : condition);
}

}  // namespace tacit::adversary
