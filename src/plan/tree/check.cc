#include "plan/tree/check.h"

#include <algorithm>

#include "base/mutant.h"
#include "plan/tree/make.h"
#include "plan/tree/walk.h"
#include "sql/walk.h"

namespace tacit::plan::tree {
namespace {

bool IsPlain(const Rows& rows) {
  if (const auto* join = As<Join>(rows)) return IsPlain(join->left) && IsPlain(join->right);
  return NameOfScan(rows) != nullptr || As<WholeTable>(rows) != nullptr;
}

std::string BrokenRows(const Rows& rows);

std::string BrokenWindow(const Expression& item, const Unit& unit) {
  std::string broken;
  sql::Visit(item, [&](const Expression& node) {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr || TACIT_MUTANT("window_without_unit")) return true;
    const std::vector<Expression>& partition = call->window.partition_by;
    const bool apart = !partition.empty() && partition.front() == unit.Column();
    if (!apart) broken = "a window inside each person is not partitioned by the unit";
    return true;
  });
  return broken;
}

std::string BrokenQuery(const PerPerson& query) {
  if (UnitOf(query.input) != query.inner) return "a query inside each person has another's unit";
  for (const Typed& item : query.items) {
    const std::string broken = BrokenWindow(item.expression, query.inner);
    if (!broken.empty()) return broken;
  }
  return BrokenRows(query.input);
}

std::string BrokenJoin(const Join& join) {
  for (const Rows* side : {&join.left, &join.right}) {
    const std::string broken = BrokenRows(*side);
    if (!broken.empty()) return broken;
  }
  if (!HasPeople(join.left) || !HasPeople(join.right)) {
    return join.units() ? "a join with rows of nobody equates units" : "";
  }
  if (!join.units()) return "a join of people does not equate their units";
  const bool carried = CarriesUnit(join.left, join.units()->first.relation()) &&
                       CarriesUnit(join.right, join.units()->second.relation());
  return carried ? "" : "a join equates units that its sides do not carry";
}

std::string BrokenRows(const Rows& rows) {
  if (const auto* scan = As<Scan>(rows)) {
    return scan->unit_is_unique ? "" : "the scan of " + scan->table + " is not capped";
  }
  if (const auto* cap = As<RowCap>(rows)) {
    const bool holds = cap->rows <= cap->scan.rows_per_unit;
    return holds ? "" : "the scan of " + cap->scan.table + " is capped at more than was declared";
  }
  if (const auto* stored = As<PreparedScan>(rows)) {
    return stored->scan.prepared ? "" : "the table " + stored->scan.table + " is not prepared";
  }
  if (const auto* join = As<Join>(rows)) return BrokenJoin(*join);
  if (const auto* query = As<PerPerson>(rows)) return BrokenQuery(*query);
  if (const auto* united = As<Union>(rows)) {
    for (const PerPerson& part : united->parts) {
      const std::string broken = BrokenQuery(part);
      if (!broken.empty()) return broken;
    }
  }
  return "";
}

std::string BrokenCaps(const Rows& rows, const Project& project, bool& capped_again) {
  const std::optional<Unit> unit = UnitOf(project.input);
  if (const auto* listed = As<Listed>(rows)) {
    return BrokenCaps(listed->input, project, capped_again);
  }
  if (const auto* cap = As<UnitCap>(rows)) {
    capped_again = true;
    if (unit != cap->unit) return "the second cap goes by a unit that its rows do not carry";
    return BrokenCaps(cap->input, project, capped_again);
  }
  if (const auto* places = As<GroupPlaces>(rows)) {
    if (unit != places->unit) return "the group cap goes by a unit that its rows do not carry";
    return BrokenCaps(places->input, project, capped_again);
  }
  return "";
}

bool HasCap(const Groups& groups) {
  return groups.cap ||
         std::any_of(groups.aggregates.begin(), groups.aggregates.end(),
                     [](const Aggregate& each) { return each.measure.cap.has_value(); });
}

bool HasOwnSum(const Groups& groups) {
  return std::any_of(groups.aggregates.begin(), groups.aggregates.end(),
                     [](const Aggregate& each) { return each.measure.own_sum.has_value(); });
}

// Whether people are told apart by what the rows carry.
bool IsTold(const Person& person, const Rows& input) {
  const std::optional<Unit> unit = UnitOf(input);
  if (const auto* carried = std::get_if<Unit>(&person)) return unit == *carried;
  if (const auto* number = std::get_if<UnitNumber>(&person)) {
    return unit && CarriesUnit(input, number->relation);
  }
  return !unit;
}

}  // namespace

// proof: plan/unit_cap.md#the-two-walls
std::string BrokenWall(const ExactNode& exact) {
  const Project& project = ProjectOf(exact.groups.rows);
  if (!IsTold(project.person, project.input) && !As<WholeTable>(project.input)) {
    return "people are told apart by what the rows do not carry";
  }
  const std::string broken = BrokenRows(project.input);
  if (!broken.empty()) return broken;
  bool capped_again = false;
  const std::string broken_caps = BrokenCaps(exact.groups.rows, project, capped_again);
  if (!broken_caps.empty()) return broken_caps;
  const GroupPlaces* places = PlacesOf(exact.groups.rows);
  const bool has_places = places != nullptr && !(places->keys.empty() && HasCap(exact.groups));
  if (HasCap(exact.groups) && !has_places) {
    return "groups are capped over rows that have no places";
  }
  if (HasOwnSum(exact.groups) && places == nullptr) {
    return "people's own sums are limited over rows that have no order";
  }
  const bool needs_cap = UnitOf(project.input) && !IsPlain(project.input);
  if (needs_cap && !capped_again && !TACIT_MUTANT("rows_not_capped_again")) {
    return "rows that are made inside each person are not capped again";
  }
  return "";
}

}  // namespace tacit::plan::tree
