#include "generator.h"

// Selects below the frontier: every row of their results belongs to one person.

namespace tacit::adversary {

Select Generator::RowsOfPeople(int depth) {
  switch (c_.Weighted({4, 4, 5, 2, 2, partner_.empty() ? 3 : 30})) {
    case 0:
      return Projection(depth);
    case 1:
      return GroupedByPerson(depth);
    case 2:
      return Windowed(depth);
    case 3:
      return DistinctRows(depth);
    case 4:
      return DistinctOn(depth);
    default:
      return UnionAll(depth);
  }
}

// Some columns as they are, the unit among them, and some expressions.
Select Generator::Projection(int depth) {
  const Relation rows = Rows(depth - 1);
  Select made;
  std::string items;
  for (const Column& column : rows.columns) {
    if (column.kind == Kind::kOther) continue;
    if (column.unit == 0 && !c_.OneIn(3)) continue;
    if (made.columns.size() > 9) break;
    Column copy = column;
    copy.name = "c" + std::to_string(++columns_);
    copy.from.clear();
    Append(items, column.Sql() + " AS " + copy.name);
    made.columns.push_back(copy);
  }
  for (uint32_t i = c_.Below(3); i > 0 || made.columns.empty(); i -= i > 0 ? 1 : 0) {
    Column copy{.name = "c" + std::to_string(++columns_), .kind = AnyKind()};
    Append(items, Expression(copy.kind, rows.columns, 2) + " AS " + copy.name);
    made.columns.push_back(copy);
  }
  made.text = "SELECT " + items + " FROM " + rows.from + Where(rows.columns, 2);
  return made;
}

Select Generator::DistinctRows(int depth) {
  Select made = Projection(depth);
  if (UnitIn(made.columns) == nullptr) return made;
  features_.Use("DISTINCT with the unit");
  made.text = "SELECT DISTINCT" + made.text.substr(6);
  return made;
}

Select Generator::DistinctOn(int depth) {
  const Relation rows = Rows(depth - 1);
  const Column* unit = UnitIn(rows.columns);
  if (unit == nullptr) return Projection(depth);
  features_.Use("DISTINCT ON");
  Select made;
  std::string on = unit->Sql();
  std::string items;
  for (uint32_t i = c_.Below(2); i > 0; --i) {
    on += ", " + OrHidden(Expression(AnyKind(), rows.columns, 1), rows.columns);
  }
  for (const Column& column : rows.columns) {
    if (column.kind == Kind::kOther || (column.unit == 0 && !c_.OneIn(3))) continue;
    Column copy = column;
    copy.name = "c" + std::to_string(++columns_);
    copy.from.clear();
    Append(items, column.Sql() + " AS " + copy.name);
    made.columns.push_back(copy);
  }
  made.text = "SELECT DISTINCT ON (" + on + ") " + items + " FROM " + rows.from +
              Where(rows.columns, 1) + " ORDER BY " + on;
  if (c_.OneIn(2)) {
    made.text += ", " + OrHidden(Expression(AnyKind(), rows.columns, 1), rows.columns);
    if (c_.OneIn(2)) made.text += " DESC";
  }
  return made;
}

std::string Generator::PersonAggregate(const Columns& scope, Column* made) {
  made->kind = Kind::kInt;
  made->bounded = true;
  const std::string filter = c_.OneIn(6) ? Filter(scope) : "";
  switch (c_.Weighted({4, 2, 2, 3, 3, 2, 2, 1})) {
    case 0:
      features_.Use("person count");
      return "count(*)" + filter;
    case 1:
      features_.Use("person count");
      return "count(" + Expression(AnyKind(), scope, 1) + ")" + filter;
    case 2:
      features_.Use("person count distinct");
      return "count(DISTINCT " + Expression(AnyKind(), scope, 1) + ")" + filter;
    case 3:
      features_.Use("person sum");
      made->kind = Kind::kNum;
      if (c_.OneIn(4)) {  // in which order they are added up is nobody's
        made->kind = Kind::kReal;
        return "sum(" + Expression(Kind::kReal, scope, 0) + ")" + filter;
      }
      return "sum(" + (c_.OneIn(3) ? Number(scope, 1) : Bounded(scope, 1)) + ")" + filter;
    case 4: {
      features_.Use("person extreme");
      made->kind = AnyKind();
      made->bounded = false;
      if (c_.Below(2) == 0) {
        made->kind = Kind::kReal;
        made->bounded = true;
        return (c_.OneIn(2) ? "max(" : "min(") + Bounded(scope, 1) + ")" + filter;
      }
      const std::string extreme =
          (c_.OneIn(2) ? "max(" : "min(") + Expression(made->kind, scope, 1) + ")" + filter;
      if (made->kind != Kind::kSpan || c_.OneIn(3)) return extreme;
      // Of equal intervals any may be the largest: nothing may be made of how it is written.
      features_.Use("extract from an interval");
      made->kind = Kind::kInt;
      return "CAST(extract(epoch FROM " + extreme + ") AS bigint)";
    }
    case 5:
      features_.Use("person average");
      made->kind = Kind::kReal;
      if (c_.OneIn(3)) {  // two of them are more than any numeric holds
        return "avg(" + std::string(c_.OneIn(2) ? "-" : "") +
               "99999999999999999999999999999999999999)" + filter;
      }
      return "avg(" + (c_.OneIn(2) ? Number(scope, 1) : Bounded(scope, 1)) + ")" + filter;
    case 7:
      features_.Use("person truth values");
      return "CAST(" + std::string(c_.OneIn(2) ? "bool_and(" : "bool_or(") + Condition(scope, 0) +
             ")" + filter + " AS integer)";
    default: {
      features_.Use("person variance");
      made->kind = Kind::kReal;
      made->bounded = false;
      static const std::vector<std::string> names = {"stddev_pop", "var_pop", "variance", "stddev"};
      return c_.Of(names) + "(" + (c_.OneIn(2) ? Number(scope, 1) : Bounded(scope, 1)) + ")" +
             filter;
    }
  }
}

Select Generator::GroupedByPerson(int depth) {
  const Relation rows = Rows(depth - 1);
  const Columns units = UnitsOf(rows.columns);
  if (units.empty()) return Projection(depth);
  features_.Use("GROUP BY the unit");
  Select made;
  std::string items;
  std::string keys;
  const auto take = [&](const Column& column) {
    Column copy = column;
    copy.name = "c" + std::to_string(++columns_);
    copy.from.clear();
    Append(items, column.Sql() + " AS " + copy.name);
    Append(keys, column.Sql());
    made.columns.push_back(copy);
  };
  // Of several columns of units one, or all.
  if (units.size() == 1 || c_.OneIn(3)) {
    take(c_.Of(units));
  } else {
    for (const Column& unit : units) take(unit);
  }
  for (uint32_t i = c_.Weighted({3, 2, 1}) > 0 ? 1 + c_.Below(2) : 0; i > 0; --i) {
    features_.Use("GROUP BY the unit and more");
    if (c_.OneIn(3)) {
      Column key{.name = "c" + std::to_string(++columns_), .kind = AnyKind()};
      const std::string expression = Expression(key.kind, rows.columns, 1);
      const std::string grouped = OrHidden(expression, rows.columns);
      Append(keys, grouped);
      if (grouped != expression) continue;  // more rows, and nothing shown
      Append(items, expression + " AS " + key.name);
      made.columns.push_back(key);
    } else if (const Column* column = AnyColumn(rows.columns); column->kind != Kind::kOther) {
      take(*column);
    }
  }
  const uint32_t aggregates = 1 + c_.Below(3);
  for (uint32_t i = 0; i < aggregates; ++i) {
    Column result{.name = "c" + std::to_string(++columns_)};
    Append(items, PersonAggregate(rows.columns, &result) + " AS " + result.name);
    made.columns.push_back(result);
  }
  if (c_.OneIn(6)) {
    features_.Use("public key inside a person");
    Column result{.name = "c" + std::to_string(++columns_), .kind = Kind::kText, .keyed = true};
    Append(items, "CASE WHEN count(*) > 1 THEN 'many' ELSE 'few' END AS " + result.name);
    made.columns.push_back(result);
  }
  made.text =
      "SELECT " + items + " FROM " + rows.from + Where(rows.columns, 1) + " GROUP BY " + keys;
  if (c_.OneIn(4)) {
    features_.Use("HAVING inside a person");
    Column ignored;
    made.text += " HAVING " + PersonAggregate(rows.columns, &ignored) + " > " + SmallNumber();
  }
  return made;
}

std::string Generator::WindowCall(const Columns& scope, const std::string& units, Column* made) {
  made->kind = Kind::kInt;
  made->bounded = true;
  std::string order;
  std::string call;
  const auto ordered = [&] {
    if (order.empty()) {
      order = " ORDER BY " + Expression(AnyKind(), scope, 1) + (c_.OneIn(3) ? " DESC" : "");
    }
  };
  if (c_.OneIn(2)) ordered();
  switch (c_.Below(10)) {
    case 0:
      features_.Use("window count");
      call = c_.OneIn(3) ? "count(" + Expression(AnyKind(), scope, 1) + ")" : "count(*)";
      break;
    case 1:
      features_.Use("window row_number");
      call = "row_number()";
      ordered();
      break;
    case 2:
      features_.Use("window rank");
      call = c_.OneIn(2) ? "rank()" : "dense_rank()";
      ordered();
      break;
    case 3:
      features_.Use("window sum");
      call = "sum(" + Bounded(scope, 1) + ")";
      made->kind = Kind::kNum;
      break;
    case 4:
      features_.Use("window extreme");
      made->kind = AnyKind();
      made->bounded = false;
      call = (c_.OneIn(2) ? "min(" : "max(") + Expression(made->kind, scope, 1) + ")";
      break;
    case 5:
      features_.Use("window lag");
      made->kind = AnyKind();
      made->bounded = false;
      call = (c_.OneIn(2) ? "lag(" : "lead(") + Expression(made->kind, scope, 1) + ")";
      ordered();
      break;
    case 6:
      features_.Use("window first_value");
      made->kind = AnyKind();
      made->bounded = false;
      call =
          (c_.OneIn(2) ? "first_value(" : "last_value(") + Expression(made->kind, scope, 1) + ")";
      ordered();
      break;
    case 7:
      features_.Use("window avg");
      made->kind = Kind::kReal;
      call = (c_.OneIn(3) ? "stddev_pop(" : "avg(") + Bounded(scope, 1) + ")";
      break;
    case 8:
      features_.Use("window ntile");
      call = "ntile(2)";
      ordered();
      break;
    default:
      features_.Use("window count");
      call = "count(*)";
      break;
  }
  std::string partition = units;
  if (c_.OneIn(4)) {
    features_.Use("window partitioned by more");
    partition += ", " + OrHidden(Expression(AnyKind(), scope, 1), scope);
  }
  if (!order.empty() && c_.OneIn(5) && call.find("rank") == std::string::npos &&
      !call.starts_with("row_number") && !call.starts_with("lag") && !call.starts_with("lead") &&
      !call.starts_with("ntile")) {
    features_.Use("window frame");
    if (c_.OneIn(2)) {
      features_.Use("window frame of groups");
      return call + " OVER (PARTITION BY " + partition + order +
             " GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)";
    }
    order += c_.OneIn(2) ? " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"
                         : " ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
  }
  return call + " OVER (PARTITION BY " + partition + order + ")";
}

Select Generator::Windowed(int depth) {
  const Relation rows = Rows(depth - 1);
  const Columns units = UnitsOf(rows.columns);
  if (units.empty()) return Projection(depth);
  Select made;
  std::string items;
  for (const Column& column : rows.columns) {
    if (column.kind == Kind::kOther || (column.unit == 0 && !c_.OneIn(4))) continue;
    Column copy = column;
    copy.name = "c" + std::to_string(++columns_);
    copy.from.clear();
    Append(items, column.Sql() + " AS " + copy.name);
    made.columns.push_back(copy);
  }
  for (uint32_t i = 1 + c_.Below(2); i > 0; --i) {
    Column result{.name = "c" + std::to_string(++columns_)};
    Append(items, WindowCall(rows.columns, c_.Of(units).Sql(), &result) + " AS " + result.name);
    made.columns.push_back(result);
  }
  made.text = "SELECT " + items + " FROM " + rows.from + Where(rows.columns, 1);
  return made;
}

// The same shape twice: units of the same people, or of another kind of them.
Select Generator::UnionAll(int depth) {
  features_.Use("UNION ALL of people's rows");
  const int levels = static_cast<int>(c_.Below(2));  // none: columns as they are
  // Without its name the unit is carried all the same.
  const bool names_unit = partner_.empty() ? !c_.OneIn(5) : c_.OneIn(5);
  const auto side = [&](const Relation& rows, const std::vector<Kind>& kinds, Select* first) {
    std::string items;
    if (names_unit) {
      const Column* unit = UnitIn(rows.columns);
      Column copy = unit != nullptr ? *unit : Column{.kind = Kind::kInt};
      copy.name = "u" + std::to_string(++columns_);
      copy.from.clear();
      Append(items, (unit != nullptr ? unit->Sql() : "NULL") + " AS " + copy.name);
      if (first != nullptr) first->columns.push_back(copy);
    }
    for (const Kind kind : kinds) {
      Column made{.name = "c" + std::to_string(++columns_), .kind = kind};
      Append(items, Expression(kind, rows.columns, levels) + " AS " + made.name);
      if (first != nullptr) first->columns.push_back(made);
    }
    return "SELECT " + items + " FROM " + rows.from + Where(rows.columns, 1);
  };
  std::vector<Kind> kinds;
  for (uint32_t i = 1 + c_.Below(2); i > 0; --i) kinds.push_back(AnyKind());
  Select made;
  const Relation left = c_.OneIn(3) ? Rows(depth - 1) : StoredTable(0);
  const Column* unit = UnitIn(left.columns);
  made.text = side(left, kinds, &made);
  const Relation right = partner_.empty() || c_.OneIn(3)
                             ? StoredTable(unit == nullptr ? 0 : AlikeOrNot(unit->unit))
                             : Stored(partner_);
  made.text += " UNION ALL " + side(right, kinds, nullptr);
  return made;
}

}  // namespace tacit::adversary
