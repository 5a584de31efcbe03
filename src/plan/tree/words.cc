#include "plan/tree/words.h"

#include "plan/tree/walk.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::plan::tree {
namespace {

using analysis::MeasureKind;

std::string Listing(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string TextOf(const Typed& typed) { return sql::PrintCanonical(typed.expression); }

std::string Where(const std::vector<Typed>& filters) {
  std::vector<std::string> conditions;
  for (const Typed& filter : filters) conditions.push_back(TextOf(filter));
  return filters.empty() ? "" : ", where " + Listing(conditions, " and ");
}

std::string Several(const Integer& number, const std::string& noun) {
  return number.get_str() + " " + noun + (number == 1 ? "" : "s");
}

std::string OnGrid(const policy::Grid& grid) {
  const Rational low = Rational(MakeRational(grid.low_steps) * grid.step);
  const Rational high = Rational(MakeRational(grid.high_steps) * grid.step);
  return " on the grid from " + ToString(low) + " to " + ToString(high) + " in steps of " +
         ToString(grid.step);
}

std::string TextOf(const analysis::GroupCap& cap) {
  return "of each person at most " + Several(cap.rows, "row") + " in each of at most " +
         Several(cap.groups, "group");
}

std::string TextOf(const Aggregate& aggregate) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string& of = aggregate.argument;
  std::string text = aggregate.name + ": ";
  switch (measure.kind) {
    case MeasureKind::kRows:
      text += "the number of rows";
      break;
    case MeasureKind::kValues:
      text += "the number of rows with " + of;
      break;
    case MeasureKind::kUnits:
      text += "the number of people";
      break;
    case MeasureKind::kDistinct:
      text += "the number of different " + of;
      break;
    case MeasureKind::kSum:
      text += "the sum of " + of + OnGrid(measure.grid);
      break;
    case MeasureKind::kSumOfSquares:
      text += "the sum of squares of " + of + OnGrid(measure.grid);
      break;
    case MeasureKind::kSumOfProducts:
      text += "the sum of " + of + OnGrid(measure.grid) + " times " + aggregate.factor +
              OnGrid(measure.factor_grid);
      break;
    case MeasureKind::kQuantile:
      text += "how many rows have " + of + " in each cell that has any" + OnGrid(measure.grid);
      if (measure.cell_steps > 1) text += ", " + ToString(measure.cell_steps) + " to a cell";
      break;
    case MeasureKind::kMode:
      text += "how many rows have each of the public values of " + of;
      break;
  }
  if (!aggregate.filter.empty()) text += ", of rows with " + aggregate.filter;
  if (measure.own_sum) {
    text += ", of each person at most " +
            ToString(Rational(Rational(*measure.own_sum) * measure.grid.step)) + " in all";
  }
  return text + (measure.cap ? ", " + TextOf(*measure.cap) : "");
}

class Wording {
 public:
  std::vector<std::string> lines;

  void Say(const ExactNode& exact) {
    const Groups& groups = exact.groups;
    std::string text =
        groups.keys.empty() ? "one row" : "a row for each group by " + Listing(groups.keys, ", ");
    if (exact.all_of) text += ", for every key of the public list, zeros included";
    if (groups.with_people) text += ", with its number of people";
    if (groups.cap) text += ", " + TextOf(*groups.cap);
    if (exact.totals_by) {
      text +=
          "; added up to " +
          (exact.totals_by->empty() ? "one total" : "totals by " + Listing(*exact.totals_by, ", "));
    }
    Line(0, text);
    for (const Aggregate& aggregate : groups.aggregates) Line(1, TextOf(aggregate));
    Say(groups.rows, 1);
  }

 private:
  void Line(int depth, const std::string& text) {
    lines.push_back(std::string(static_cast<size_t>(depth) * 2, ' ') + text);
  }

  void Say(const Rows& rows, int depth) {
    if (const auto* listed = As<Listed>(rows)) {
      Line(depth, "of rows whose public keys are on the list");
      Say(listed->input, depth + 1);
    } else if (const auto* places = As<GroupPlaces>(rows)) {
      Line(depth, places->keys.empty()
                      ? "each person's rows in the order of the keyed hash"
                      : "each person's groups and the rows in each in the order of the keyed hash");
      Say(places->input, depth + 1);
    } else if (const auto* cap = As<UnitCap>(rows)) {
      Line(depth, "of each person at most " + Several(cap->rows, "row") + ", once more");
      Say(cap->input, depth + 1);
    } else if (const auto* project = As<Project>(rows)) {
      std::vector<std::string> columns;
      for (const ProjectedColumn& column : project->columns) {
        columns.push_back(column.name + " = " + TextOf(column.value));
      }
      Line(depth, "rows" + (columns.empty() ? "" : " with " + Listing(columns, ", ")) +
                      Where(project->filters));
      Say(project->input, depth + 1);
    } else {
      SayRelation(rows, depth);
    }
  }

  void SayRelation(const Rows& rows, int depth) {
    if (const auto* join = As<Join>(rows)) {
      std::string text = join->kind == sql::JoinKind::kLeft ? "left join" : "join";
      if (join->units()) text += " of the same person's rows";
      if (join->on) text += " on " + TextOf(join->on);
      Line(depth, text);
      SayRelation(join->left, depth + 1);
      SayRelation(join->right, depth + 1);
    } else if (const auto* query = As<PerPerson>(rows)) {
      Say(*query, depth);
    } else if (const auto* united = As<Union>(rows)) {
      Line(depth, united->unit.relation() + ": all rows of");
      for (const PerPerson& part : united->parts) Say(part, depth + 1);
    } else if (const auto* literals = As<Literals>(rows)) {
      Line(depth,
           literals->alias + ": " +
               Several(Integer(static_cast<unsigned long>(literals->rows.size())), "written row"));
    } else {
      Line(depth, TextOfScan(rows));
    }
  }

  void Say(const PerPerson& query, int depth) {
    std::vector<std::string> items;
    for (const Typed& item : query.items) {
      items.push_back("c" + std::to_string(items.size() + 1) + " = " + TextOf(item));
    }
    std::string text = query.unit.relation() + ": inside each person";
    if (query.grouped) {
      std::vector<std::string> keys;
      for (const Typed& key : query.group_by) keys.push_back(TextOf(key));
      text += keys.empty() ? ", one row" : ", a row for each " + Listing(keys, ", ");
    }
    Line(depth, text + ", " + Listing(items, ", ") + Where(query.filters));
    SayRelation(query.input, depth + 1);
  }

  static std::string TextOfScan(const Rows& rows) {
    if (const auto* cap = As<RowCap>(rows)) {
      return cap->scan.alias() + ": of " + cap->scan.table + " the first " +
             Several(cap->rows, "row") + " of each person, by the keyed hash";
    }
    if (const auto* scan = As<Scan>(rows)) {
      return scan->alias() + ": of " + scan->table + " the one row of each person";
    }
    if (const auto* scan = As<RowScan>(rows)) {
      return scan->alias + ": every row of " + scan->table + ", each a person";
    }
    if (const auto* scan = As<PublicScan>(rows)) {
      return scan->alias + ": the public table " + scan->table +
             (scan->one_each.empty() ? "" : ", one row for each " + Listing(scan->one_each, ", "));
    }
    if (const auto* stored = As<PreparedScan>(rows)) {
      return stored->scan.alias() + ": the prepared rows of " + stored->scan.table;
    }
    return "every row of " + As<WholeTable>(rows)->table;
  }
};

}  // namespace

std::vector<std::string> Words(const Exact& exact) {
  Wording wording;
  wording.Say(*exact);
  return wording.lines;
}

}  // namespace tacit::plan::tree
