#include "generator.h"

// Selects at and above the frontier: what they show is released values.

namespace tacit::adversary {

std::string Generator::Query() {
  Select select = Released(2 + static_cast<int>(c_.Below(4)));
  std::string text = select.text;
  if (c_.OneIn(4)) text += Ending(select.columns);
  if (!with_.empty()) {
    std::string tables;
    for (const auto& [name, table] : with_) Append(tables, name + " AS (" + table.text + ")");
    text = (text.starts_with("WITH ") ? "WITH " + tables + ", " + text.substr(5)
                                      : "WITH " + tables + " " + text);
  }
  return text;
}

Select Generator::Released(int depth) {
  switch (c_.Weighted({14, 2, 2, 2, 1, 2, 1})) {
    case 0:
      return Aggregated(depth);
    case 1:
      return Above(depth);
    case 2:
      return SetOperation(depth);
    case 3:
      return JoinedAbove(depth);
    case 4:
      return DistinctKeys(depth);
    case 6:
      return Recursive(depth);
    default:
      return WindowAbove(depth);
  }
}

// How many rows have each value of something that was computed below: whatever one person does to
// others' rows moves them between groups, and is seen.
Select Generator::Probe(const Relation& rows) {
  Columns computed;
  for (const Column& column : rows.columns) {
    if (column.unit == 0 && !column.hidden && column.kind != Kind::kOther) {
      computed.push_back(column);
    }
  }
  if (computed.empty()) computed = rows.columns;
  // What was computed last stands at the end.
  const uint32_t last = static_cast<uint32_t>(std::min<size_t>(computed.size(), 6));
  const Column& column = computed[computed.size() - 1 - c_.Below(last)];
  features_.Use("key private column");
  features_.Use("count(*)");
  const Column key{.name = "k" + std::to_string(++columns_), .kind = column.kind, .keyed = true};
  const Column count{.name = "a" + std::to_string(++columns_)};
  return {"SELECT " + column.Sql() + " AS " + key.name + ", count(*) AS " + count.name + " FROM " +
              rows.from + " GROUP BY 1",
          {key, count}};
}

// The keys, or several levels of them.
std::string Generator::GroupBy(const std::vector<std::string>& keys) {
  std::string all;
  for (const std::string& key : keys) Append(all, key);
  switch (c_.Weighted({8, 2, 1, 1})) {
    case 0:
      return all;
    case 1:
      features_.Use("ROLLUP");
      return "ROLLUP (" + all + ")";
    case 2:
      features_.Use("CUBE");
      return "CUBE (" + all + ")";
    default:
      features_.Use("GROUPING SETS");
      return "GROUPING SETS ((" + all + "), (" + keys.back() + ")" + (c_.OneIn(2) ? ", ())" : ")");
  }
}

Select Generator::Aggregated(int depth) {
  const Relation rows = Rows(depth);
  if (depth >= 4) features_.Use("nested four deep");
  if (c_.OneIn(3)) return Probe(rows);
  Select made;
  std::string items;
  std::vector<std::string> keys;
  std::string last_key;
  for (uint32_t i = static_cast<uint32_t>(c_.Weighted({4, 6, 2})); i > 0; --i) {
    Column key;
    last_key = GroupKey(rows.columns, &key);
    key = {.name = "k" + std::to_string(++columns_), .kind = key.kind, .keyed = true};
    Append(items, last_key + " AS " + key.name);
    keys.push_back(c_.OneIn(3) ? std::to_string(made.columns.size() + 1) : last_key);
    made.columns.push_back(key);
  }
  std::string aggregates;
  for (uint32_t i = 1 + static_cast<uint32_t>(c_.Weighted({4, 2, 1})); i > 0; --i) {
    Column result{.name = "a" + std::to_string(++columns_)};
    std::string call = Aggregate(rows.columns, &result);
    if (c_.OneIn(8)) {
      features_.Use("expression of aggregates");
      call = "(" + call + " + count(*) * 2)";
      result.kind = Kind::kReal;
    }
    Append(items, call + " AS " + result.name);
    made.columns.push_back(result);
  }
  const std::string group_by = keys.empty() ? "" : GroupBy(keys);
  if (!keys.empty() && c_.OneIn(6)) {
    features_.Use("grouping()");
    const Column level{.name = "a" + std::to_string(++columns_)};
    Append(items, "grouping(" + last_key + ") AS " + level.name);
    made.columns.push_back(level);
  }
  made.text = "SELECT " + items + " FROM " + rows.from + Where(rows.columns, 3);
  if (!keys.empty()) {
    features_.Use("GROUP BY");
    made.text += " GROUP BY " + group_by;
    if (c_.OneIn(6)) {
      features_.Use("HAVING");
      made.text += " HAVING count(*) > " + SmallNumber();
    }
  }
  return made;
}

std::string Generator::Ending(const Columns& columns) {
  std::string text;
  if (c_.OneIn(2)) {
    features_.Use("ORDER BY");
    text += " ORDER BY " + std::to_string(1 + c_.Below(static_cast<uint32_t>(columns.size()))) +
            (c_.OneIn(2) ? " DESC" : "");
  }
  if (c_.OneIn(3)) {
    features_.Use("LIMIT OFFSET");
    text += " LIMIT " + std::to_string(1 + c_.Below(4)) + (c_.OneIn(2) ? " OFFSET 1" : "");
  }
  return text;
}

// Any SQL over what was released.
Select Generator::Above(int depth) {
  const Select below = Released(depth - 1);
  const std::string alias = Alias();
  const Columns scope = Reached(below.columns, alias);
  features_.Use("query over a result");
  Select made;
  std::string items;
  const bool grouped = c_.OneIn(3);
  if (grouped) {
    features_.Use("aggregate over a result");
    Column result{.name = "a" + std::to_string(++columns_)};
    items = "count(*) AS " + result.name;
    made.columns.push_back(result);
  } else {
    for (const Column& column : below.columns) {
      Append(items, alias + "." + column.name);
      made.columns.push_back(column);
    }
  }
  made.text = "SELECT " + items + " FROM (" + below.text + ") " + alias;
  if (c_.OneIn(2)) {
    const Column& column = c_.Of(scope);
    made.text += " WHERE " + column.Sql() + (c_.OneIn(2) ? " IS NOT NULL" : " IS NULL");
  }
  return made;
}

Select Generator::SetOperation(int depth) {
  static const std::vector<std::string> names = {"UNION ALL", "UNION",         "INTERSECT",
                                                 "EXCEPT",    "INTERSECT ALL", "EXCEPT ALL"};
  const std::string name = c_.Of(names);
  features_.Use(name + " of results");
  const auto side = [&](Column* made) {
    const Relation rows = Rows(depth - 1);
    made->name = "a" + std::to_string(++columns_);
    made->kind = Kind::kInt;
    return "SELECT 'x' AS k" + std::to_string(++columns_) + ", count(*) AS " + made->name +
           " FROM " + rows.from + Where(rows.columns, 2);
  };
  Select made;
  Column first;
  Column second;
  made.text = side(&first);
  made.text += " " + name + " " + side(&second);
  made.columns = {{.name = "k" + std::to_string(columns_ - 2), .kind = Kind::kText}, first};
  return made;
}

Select Generator::JoinedAbove(int depth) {
  const Select left = Aggregated(depth - 1);
  const Select right =
      c_.OneIn(2)
          ? Aggregated(depth - 2)
          : Select{"SELECT code, height FROM towns",
                   {{.name = "code", .kind = Kind::kText}, {.name = "height", .kind = Kind::kInt}}};
  const std::string a = Alias();
  const std::string b = Alias();
  static const std::vector<std::string> joins = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN ",
                                                 " FULL JOIN "};
  Select made;
  std::string items;
  for (const Column& column : left.columns) {
    Append(items, a + "." + column.name);
    made.columns.push_back(column);
  }
  Append(items, b + "." + right.columns.back().name);
  made.columns.push_back(right.columns.back());
  features_.Use("join of results");
  if (c_.OneIn(2)) {
    features_.Use("WITH of results");
    made.text = "WITH r" + a + " AS (" + left.text + ") SELECT " + items + " FROM r" + a + " " + a +
                " CROSS JOIN (" + right.text + ") " + b;
    return made;
  }
  made.text = "SELECT " + items + " FROM (" + left.text + ") " + a + c_.Of(joins) + "(" +
              right.text + ") " + b + " ON " + a + "." + left.columns.back().name + " = " + b +
              "." + right.columns.back().name;
  return made;
}

Select Generator::WindowAbove(int depth) {
  const Select below = Aggregated(depth - 1);
  const std::string alias = Alias();
  features_.Use("window over a result");
  static const std::vector<std::string> calls = {"rank()", "row_number()", "count(*)",
                                                 "dense_rank()"};
  Select made = below;
  const Column result{.name = "a" + std::to_string(++columns_)};
  made.text = "SELECT " + alias + ".*, " + c_.Of(calls) + " OVER (ORDER BY " + alias + "." +
              below.columns.back().name + ") AS " + result.name + " FROM (" + below.text + ") " +
              alias;
  made.columns.push_back(result);
  return made;
}

// Steps from itself over a result, and at times over people's rows, which has to be refused.
Select Generator::Recursive(int depth) {
  const Select below = Aggregated(depth - 1);
  const std::string alias = Alias();
  features_.Use("recursive query");
  const Column number{.name = "a" + std::to_string(++columns_)};
  const std::string people = c_.OneIn(6) ? ", people" : "";
  return {"SELECT " + alias + ".n AS " + number.name + " FROM (WITH RECURSIVE b AS (" + below.text +
              "), r(n) AS (SELECT 0 UNION" + (c_.OneIn(2) ? " ALL" : "") + " SELECT n + 1 FROM r" +
              people + " WHERE n < 3) SELECT r.n FROM r, b WHERE b." + below.columns.back().name +
              " IS NOT NULL) " + alias,
          {number}};
}

Select Generator::DistinctKeys(int depth) {
  const Relation rows = Rows(depth - 1);
  features_.Use("DISTINCT of keys");
  Column key;
  const std::string expression = GroupKey(rows.columns, &key);
  key = {.name = "k" + std::to_string(++columns_), .kind = key.kind, .keyed = true};
  return {"SELECT DISTINCT " + expression + " AS " + key.name + " FROM " + rows.from +
              Where(rows.columns, 2),
          {key}};
}

}  // namespace tacit::adversary
