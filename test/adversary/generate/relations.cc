#include "generator.h"

namespace tacit::adversary {
namespace {

Columns Together(Columns a, const Columns& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Who may be missing has no certain bounds, but NULLs are left out of sums: they stay.
void MayBeMissing(Columns& columns) {
  for (Column& column : columns) column.keyed = false;
}

}  // namespace

Relation Generator::StoredTable(int domain) {
  ++scans_;
  std::vector<const StoredTableShape*> fitting;
  for (const StoredTableShape& table : StoredTables()) {
    if (domain == 0 || table.domain == domain) fitting.push_back(&table);
  }
  // People and their visits have most of the columns: they are taken most of the time.
  static const std::vector<int> usual = {8, 8, 3, 3, 2, 2, 2, 2, 4};
  std::vector<int> weights(fitting.size(), 1);
  for (size_t i = 0; i < fitting.size(); ++i) {
    if (domain == 0 && favourite_.empty()) weights[i] = usual[i];
    if (fitting[i]->name == favourite_) weights[i] = 12;
  }
  const size_t at = c_.Weighted(weights);
  return Read(*fitting[at]);
}

Relation Generator::Read(const StoredTableShape& table) {
  if (!table.refused) features_.Use("table " + table.name);
  const std::string alias = Alias();
  return {table.name + (c_.OneIn(2) ? " AS " : " ") + alias, Reached(table.columns, alias)};
}

Relation Generator::PublicTable() {
  const std::string alias = Alias();
  if (c_.OneIn(4)) {
    features_.Use("columns of a public table");
    const std::vector<Column>& all = PublicTowns().columns;
    const Column& column = c_.Of(all);
    return {"(SELECT " + std::string(c_.OneIn(3) ? "" : "DISTINCT ") + column.name +
                " FROM towns) " + alias,
            Reached({column}, alias)};
  }
  features_.Use("public table");
  return {"towns " + alias, Reached(PublicTowns().columns, alias)};
}

Relation Generator::Values() {
  const std::string alias = Alias();
  if (c_.OneIn(3)) {
    const bool times = c_.OneIn(3);
    features_.Use(times ? "series of times" : "generate_series");
    const std::string series =
        times ? "(TIMESTAMP '2024-01-01 00:00:00', DATE '2024-04-01', '1 month')"
              : "(0, " + std::to_string(c_.Below(4)) + ")";
    Columns columns = {
        {.name = "v", .kind = times ? Kind::kTime : Kind::kInt, .bounded = !times, .keyed = true}};
    if (!c_.OneIn(4)) {
      return {"generate_series" + series + " AS " + alias + "(v)", Reached(columns, alias)};
    }
    features_.Use("WITH ORDINALITY");
    columns.push_back({.name = "w", .kind = Kind::kInt, .bounded = true, .keyed = true});
    return {"generate_series" + series + " WITH ORDINALITY AS " + alias + "(v, w)",
            Reached(columns, alias)};
  }
  if (c_.OneIn(6)) {
    features_.Use("unnest");
    return {"unnest(ARRAY['a', " + Literal(Kind::kText) + "]) AS " + alias + "(v)",
            Reached({{.name = "v", .kind = Kind::kText, .keyed = true}}, alias)};
  }
  features_.Use("VALUES");
  static const std::vector<Kind> kinds = {Kind::kInt,  Kind::kText, Kind::kDate,
                                          Kind::kReal, Kind::kNum,  Kind::kBool};
  const Kind kind = c_.Of(kinds);
  std::string rows;
  const uint32_t count = 1 + c_.Below(3);
  for (uint32_t i = 0; i < count; ++i) {
    const bool null = i > 0 && c_.OneIn(4);
    if (null) features_.Use("NULL among VALUES");
    rows +=
        (i == 0 ? "(" : ", (") + (null ? "NULL" : Literal(kind)) + ", " + std::to_string(i) + ")";
  }
  Columns columns = {{.name = "v", .kind = kind, .keyed = true},
                     {.name = "w", .kind = Kind::kInt, .bounded = true, .keyed = true}};
  return {"(VALUES " + rows + ") AS " + alias + "(v, w)", Reached(columns, alias)};
}

Relation Generator::InParentheses(const Select& select) {
  const std::string alias = Alias();
  features_.Use("subquery in FROM");
  return {"(" + select.text + ") " + alias, Reached(select.columns, alias)};
}

Relation Generator::Rows(int depth) {
  if (depth <= 0 || scans_ > 6) return StoredTable(0);
  switch (c_.Weighted({2, partner_.empty() ? 6 : 14, 3, 2, 2, 1, 1})) {
    case 0:
      return StoredTable(0);
    case 1:
      return InParentheses(RowsOfPeople(depth));
    case 2:
      return UnitJoin(depth);
    case 3:
      return PublicJoin(depth);
    case 4:
      return ValuesJoin(depth);
    case 6:
      return ResultJoin(depth);
    default: {
      if (with_.size() >= 3) return StoredTable(0);
      if (with_.empty() || c_.OneIn(2)) {
        Select select = RowsOfPeople(depth - 1);
        with_.emplace_back("w" + std::to_string(with_.size() + 1), std::move(select));
      }
      features_.Use("WITH of people's rows");
      const auto& [name, select] = c_.Of(with_);
      const std::string alias = Alias();
      return {name + " " + alias, Reached(select.columns, alias)};
    }
  }
}

Relation Generator::Stored(const std::string& name) {
  ++scans_;
  for (const StoredTableShape& table : StoredTables()) {
    if (table.name == name) return Read(table);
  }
  return StoredTable(0);
}

// The kind of people, or at times another one: numbers of people and of gauges are of different
// types, which must not meet.
int Generator::AlikeOrNot(int domain) {
  if (c_.OneIn(25)) return 0;
  return c_.OneIn(8) ? (domain == 1 ? 2 : 1) : domain;
}

Relation Generator::UnitJoin(int depth) {
  const Relation left = Rows(depth - 1);
  const std::vector<Column> units = UnitsOf(left.columns);
  if (units.empty()) return left;
  const Column& unit = c_.Of(units);
  // Off the unit's kind it has to be refused; once in a while it is tried.
  Relation right = c_.OneIn(3) ? Rows(depth - 2) : StoredTable(AlikeOrNot(unit.unit));
  const std::vector<Column> others = UnitsOf(right.columns);
  if (others.empty()) return left;
  const Column& other = c_.Of(others);
  Columns columns = Together(left.columns, right.columns);
  std::string on = unit.Sql() + " = " + other.Sql();
  if (c_.OneIn(3)) {
    features_.Use("join with a further condition");
    on += " AND " + (c_.OneIn(6) ? PublicSubquery(columns)
                                 : Comparison(c_.OneIn(2) ? columns : right.columns, 1));
  }
  Columns missing_left = left.columns;
  switch (c_.Weighted({5, 4, 2, 2, 2, 1})) {
    case 0:
      features_.Use("join inner");
      return {left.from + " JOIN " + right.from + " ON " + on, columns};
    case 1:
      features_.Use("join left");
      MayBeMissing(right.columns);
      if (c_.OneIn(2)) return CopyOfMissingUnit(left, right, unit, other);
      return {left.from + " LEFT JOIN " + right.from + " ON " + on,
              Together(left.columns, right.columns)};
    case 2:
      features_.Use("join right");
      MayBeMissing(missing_left);
      return {left.from + " RIGHT JOIN " + right.from + " ON " + on,
              Together(missing_left, right.columns)};
    case 3:
      if (unit.name != other.name) break;
      features_.Use("join using");
      return {left.from + " JOIN " + right.from + " USING (" + unit.name + ")", columns};
    case 4: {
      features_.Use("join comma");
      std::string items;
      Columns made;
      for (const Column& column : columns) {
        if (column.kind == Kind::kOther || column.hidden) continue;
        if (column.unit == 0 && !c_.OneIn(3)) continue;
        Column copy = column;
        copy.name = "c" + std::to_string(++columns_);
        copy.from.clear();
        items += (items.empty() ? "" : ", ") + column.Sql() + " AS " + copy.name;
        made.push_back(copy);
      }
      if (made.empty()) break;
      return InParentheses(
          {"SELECT " + items + " FROM " + left.from + ", " + right.from + " WHERE " + on, made});
    }
    default:
      return {left.from + " FULL JOIN " + right.from + " ON " + on, columns};
  }
  features_.Use("join inner");
  return {left.from + " JOIN " + right.from + " ON " + on, columns};
}

// Of a left join, grouped by both sides' units, only the right side's, which is missing in some of
// a person's rows: a copy of the unit by its name, and not the unit.
Relation Generator::CopyOfMissingUnit(const Relation& left, const Relation& right,
                                      const Column& unit, const Column& other) {
  features_.Use("unit of the side that may be missing");
  static const std::vector<Kind> kinds = {Kind::kInt, Kind::kText, Kind::kNum, Kind::kReal};
  const Kind kind = c_.Of(kinds);
  Column copy = other;
  copy.name = "c" + std::to_string(++columns_);
  copy.from.clear();
  Column made{.name = "c" + std::to_string(++columns_)};
  const std::string aggregate = PersonAggregate(left.columns, &made);
  return InParentheses({"SELECT " + other.Sql() + " AS " + copy.name + ", " + aggregate + " AS " +
                            made.name + " FROM " + left.from + " LEFT JOIN " + right.from + " ON " +
                            unit.Sql() + " = " + other.Sql() + " AND " +
                            Expression(kind, left.columns, 0) + (c_.OneIn(2) ? " < " : " > ") +
                            Expression(kind, right.columns, 0) + " GROUP BY " + unit.Sql() + ", " +
                            other.Sql(),
                        {copy, made}});
}

Relation Generator::PublicJoin(int depth) {
  const Relation left = Rows(depth - 1);
  Relation towns = PublicTable();
  const Column& with = c_.Of(towns.columns);
  const std::string value = c_.Below(3) > 0 ? Expression(with.kind, left.columns, 0)
                                            : Expression(with.kind, left.columns, 2);
  std::string on = value + " = " + with.Sql();
  if (c_.OneIn(4)) {
    on += " AND " + (c_.OneIn(4) ? PublicSubquery(left.columns) : Comparison(towns.columns, 1));
  }
  const Columns columns = Together(left.columns, towns.columns);
  switch (c_.Weighted({4, 3, 2})) {
    case 0:
      features_.Use("join public inner");
      return {left.from + " JOIN " + towns.from + " ON " + on, columns};
    case 1:
      features_.Use("join public left");
      MayBeMissing(towns.columns);
      return {left.from + " LEFT JOIN " + towns.from + " ON " + on,
              Together(left.columns, towns.columns)};
    default:
      features_.Use("join kept from the public side");
      return {towns.from + " LEFT JOIN " + left.from + " ON " + on,
              Together(towns.columns, left.columns)};
  }
}

// With the keys of a result, or with its one row.
Relation Generator::ResultJoin(int depth) {
  const Relation left = Rows(depth - 1);
  static const std::vector<std::pair<std::string, Kind>> keys = {
      {"kind", Kind::kText}, {"place", Kind::kText}, {"days", Kind::kInt}, {"day", Kind::kDate}};
  const auto& [key, kind] = c_.Of(keys);
  const std::string alias = Alias();
  if (c_.OneIn(4)) {
    features_.Use("join with the one row of a result");
    const Columns one = Reached({{.name = "v", .kind = Kind::kReal}}, alias);
    return {left.from + (c_.OneIn(2) ? " JOIN " : " LEFT JOIN ") +
                "(SELECT avg(days) AS v FROM visits) " + alias + " ON " +
                Comparison(left.columns, 1),
            Together(left.columns, one)};
  }
  features_.Use("join with a result");
  static const std::vector<std::string> joins = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN "};
  const Columns columns = Reached({{.name = "v", .kind = kind}}, alias);
  return {left.from + c_.Of(joins) + "(SELECT " + key +
              " AS v, count(*) AS n FROM visits GROUP BY " + key + " ORDER BY n DESC LIMIT 2) " +
              alias + " ON " + Expression(kind, left.columns, 1) + " = " + alias + ".v",
          Together(left.columns, columns)};
}

Relation Generator::ValuesJoin(int depth) {
  const Relation left = Rows(depth - 1);
  const Relation values = Values();
  const Columns columns = Together(left.columns, values.columns);
  const std::string on =
      Expression(values.columns[0].kind, left.columns, 1) + " = " + values.columns[0].Sql();
  switch (c_.Below(5)) {
    case 4:
      features_.Use("join kept from VALUES");
      return {values.from + " LEFT JOIN " + left.from + " ON " + on, columns};
    case 0:
      features_.Use("join VALUES cross");
      return {left.from + " CROSS JOIN " + values.from, columns};
    case 1:
      features_.Use("join VALUES equal");
      return {left.from + " JOIN " + values.from + " ON " + on, columns};
    case 2:
      features_.Use("join VALUES left");
      return {left.from + " LEFT JOIN " + values.from + " ON " + on, columns};
    default:
      features_.Use("join VALUES condition");
      return {left.from + " JOIN " + values.from + " ON " + Condition(columns, 1), columns};
  }
}

}  // namespace tacit::adversary
