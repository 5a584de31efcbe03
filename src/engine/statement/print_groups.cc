#include "engine/statement/printer.h"

// The aggregates: the whole statement of a release.
namespace tacit::engine::statement {

// proof: plan/price/group_cap.md#claim
std::string FilterOf(const std::optional<analysis::GroupCap>& cap) {
  if (!cap) return "";
  return std::string(kGroupPlace) + " <= " + cap->groups.get_str() + " AND " + kPlaceInGroup +
         " <= " + cap->rows.get_str();
}

std::string FilterOf(const tree::Aggregate& aggregate) {
  const std::string capped = FilterOf(aggregate.measure.cap);
  if (aggregate.filter.empty() || capped.empty()) return aggregate.filter + capped;
  return aggregate.filter + " AND " + capped;
}

// proof: plan/price/own_sum.md#claim
std::string Printer::OwnSumsBefore(const tree::Groups& groups) const {
  std::string items;
  for (const tree::Aggregate& aggregate : groups.aggregates) {
    if (!aggregate.measure.own_sum) continue;
    items += ", " + dialect_.OwnSumBefore(aggregate, OrderInUnit(groups.rows)) + " AS " +
             SumBefore(aggregate);
  }
  return items;
}

Result<std::string> Printer::Groups(const tree::ExactNode& exact) const {
  const tree::Groups& groups = exact.groups;
  std::vector<std::string> items = groups.keys;
  if (groups.with_people)
    items.push_back(dialect_.People(groups.people, FilterOf(groups.cap)) + " AS units");
  for (const tree::Aggregate& aggregate : groups.aggregates) {
    items.push_back(dialect_.Aggregate(aggregate, groups.people) + " AS " + aggregate.name);
  }
  TACIT_TRY(std::string from, From(groups.rows));
  const std::string before = OwnSumsBefore(groups);
  if (!before.empty()) from = "(SELECT *" + before + " FROM " + from + ") AS rows";
  std::string found = "SELECT " + ListOf(items, ", ") + " FROM " + from;
  if (groups.keys.empty()) return found;
  found += " GROUP BY " + ListOf(groups.keys, ", ");
  // Without it, who is above the cap would make groups that nobody is counted in.
  if (groups.cap) {
    found += " HAVING min(" + std::string(kGroupPlace) + ") <= " + groups.cap->groups.get_str();
  }
  if (!exact.all_of) return found;
  // Every key of the list, zeros included; rows with another key are left out.
  TACIT_TRY(const std::string keys, KeyList(*exact.all_of));
  std::vector<std::string> shown;
  std::vector<std::string> on;
  for (const tree::PublicKey& key : exact.all_of->keys) {
    const std::string& name = groups.keys[key.place];
    shown.push_back("keys." + name);
    on.push_back("found." + name + (key.CanBeNull() ? " IS NOT DISTINCT FROM keys." : " = keys.") +
                 name);
  }
  for (const tree::Aggregate& aggregate : groups.aggregates) {
    shown.push_back("coalesce(found." + aggregate.name + ", " + dialect_.Nothing(aggregate) +
                    ") AS " + aggregate.name);
  }
  return "SELECT " + ListOf(shown, ", ") + " FROM (" + keys + ") AS keys LEFT JOIN (" + found +
         ") AS found ON " + ListOf(on, " AND ");
}

namespace {

// The rows of `groups`, added up; of no rows the total is zero.
std::string Totals(const std::string& groups, const tree::ExactNode& exact,
                   const Dialect& dialect) {
  std::vector<std::string> items = *exact.totals_by;
  for (const tree::Aggregate& aggregate : exact.groups.aggregates) {
    items.push_back("coalesce(sum(" + aggregate.name + "), " + dialect.Nothing(aggregate) +
                    ") AS " + aggregate.name);
  }
  std::string text = "SELECT " + ListOf(items, ", ") + " FROM (" + groups + ") AS parts";
  if (!exact.totals_by->empty()) text += " GROUP BY " + ListOf(*exact.totals_by, ", ");
  return text;
}

}  // namespace

Result<std::string> PrintExact(const tree::ExactNode& exact, const Dialect& dialect) {
  TACIT_TRY(std::string groups, Printer(exact, dialect).Groups(exact));
  return exact.totals_by ? Totals(groups, exact, dialect) : std::move(groups);
}

}  // namespace tacit::engine::statement
