#include "generator.h"

// The tables of world/schema.sql and what world/policy.yaml says of them, as the generator needs
// it.

namespace tacit::adversary {
namespace {

using enum Kind;

Column Plain(const char* name, Kind kind) { return {.name = name, .kind = kind}; }
Column Unit(const char* name, Kind kind, int domain, bool hidden) {
  return {.name = name, .kind = kind, .unit = domain, .hidden = hidden};
}
Column Bounded(const char* name, Kind kind) {
  return {.name = name, .kind = kind, .bounded = true};
}
Column Keyed(const char* name, Kind kind) { return {.name = name, .kind = kind, .keyed = true}; }
Column Both(const char* name, Kind kind) {
  return {.name = name, .kind = kind, .bounded = true, .keyed = true};
}
Column Hidden(const char* name, Kind kind) { return {.name = name, .kind = kind, .hidden = true}; }

std::vector<StoredTableShape> Make() {
  return {
      {"people", 1, {Unit("pid", kInt, 1, true), Hidden("secret", kText), Bounded("age", kInt),
                     Bounded("weight", kReal),   Bounded("ratio", kReal), Bounded("money", kNum),
                     Bounded("wide", kNum),      Bounded("whole", kNum),  Bounded("huge", kNum),
                     Bounded("small", kInt),     Bounded("tiny", kInt),   Plain("ubig", kNum),
                     Plain("name", kText),       Plain("coll", kText),    Keyed("sex", kText),
                     Both("level", kInt),        Keyed("active", kBool),  Keyed("joined", kDate),
                     Plain("born", kDate),       Plain("seen", kTime),    Plain("seen_ns", kTime),
                     Plain("seen_s", kTime),     Plain("seen_ms", kTime), Plain("zoned", kZoned),
                     Plain("span", kSpan),       Plain("token", kUuid),   Keyed("place", kText),
                     Plain("clock", kOther),     Plain("raw", kOther),    Plain("tags", kOther)}},
      {"visits",
       1,
       {Unit("pid", kInt, 1, false), Plain("vid", kInt), Bounded("days", kInt),
        Bounded("cost", kNum), Keyed("kind", kText), Keyed("place", kText), Plain("came", kTime),
        Plain("came_ns", kTime), Bounded("score", kReal), Plain("tag", kText), Plain("day", kDate),
        Plain("gap", kSpan), Bounded("huge", kNum), Hidden("hush", kText), Bounded("big", kInt)}},
      {"meters", 1, {Unit("pid", kReal, 1, false), Both("level", kInt), Plain("lab", kText)}, true},
      {"gauges",
       2,
       {Unit("gid", kReal, 2, false), Bounded("val", kReal), Plain("lab", kText),
        Both("code", kInt)}},
      {"cards",
       3,
       {Unit("tok", kText, 3, false), Bounded("worth", kInt), Keyed("kind", kText),
        Plain("rate", kReal)}},
      {"marks",
       4,
       {Unit("mark", kText, 4, false), Bounded("points", kInt), Keyed("kind", kText)},
       true},
      {"badges",
       5,
       {Unit("token", kUuid, 5, true), Plain("pid", kInt), Both("grade", kInt),
        Plain("until", kDate)}},
      {"stops",
       0,
       {Plain("sid", kInt), Plain("vid", kInt), Bounded("minutes", kInt), Plain("note", kText)}},
      {"votes",
       0,
       {Both("score", kInt), Plain("word", kText), Bounded("x", kReal), Plain("span", kSpan),
        Bounded("big", kNum)}},
  };
}

}  // namespace

const std::vector<StoredTableShape>& StoredTables() {
  static const std::vector<StoredTableShape> tables = Make();
  return tables;
}

Columns Reached(Columns columns, const std::string& alias) {
  for (Column& column : columns) column.from = alias;
  return columns;
}

Columns UnitsOf(const Columns& columns) {
  Columns units;
  for (const Column& column : columns) {
    if (column.unit != 0) units.push_back(column);
  }
  return units;
}

const Column* UnitIn(const Columns& columns) {
  for (const Column& column : columns) {
    if (column.unit != 0) return &column;
  }
  return nullptr;
}

void Append(std::string& items, const std::string& item) {
  items += (items.empty() ? "" : ", ") + item;
}

const StoredTableShape& PublicTowns() {
  static const StoredTableShape towns = {
      "towns",
      0,
      {Keyed("code", kText), Keyed("label", kText), Both("height", kInt), Keyed("num", kInt),
       Keyed("x", kReal), Keyed("opened", kDate)}};
  return towns;
}

}  // namespace tacit::adversary
