#include "release/domain/weighing.h"

#include <algorithm>
#include <optional>

namespace tacit::release {
namespace {

// A bin is so much wider than its beginning, at least: what is lost is that share of a weight.
constexpr int64_t kBinParts = 6;

// The column of the table that says whose row it is; nothing where a further table has to be asked.
std::optional<std::string> UnitColumnOf(const policy::Policy& policy, const policy::Table& table) {
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.empty()) return path.root_column;
  const policy::UnitHop& hop = path.hops.front();
  const bool names = path.hops.size() == 1 && policy::SameName(hop.to_column, path.root_column);
  return names ? std::optional(hop.via) : std::nullopt;
}

}  // namespace

Weighing RowWeights::At(size_t column) const {
  Weighing weighing{.column = column, .weights = {}};
  for (const int64_t part : parts) {
    weighing.weights.push_back(static_cast<float>(part) / static_cast<float>(kRowParts));
  }
  return weighing;
}

// proof: release/proof.md#1-what-one-step-moves
Moved RowWeights::MovedBy(const policy::Table& table, const policy::Privacy& privacy) const {
  const Integer people = privacy.protects;
  const Integer parts_moved = ToInteger(Int128{counted} * kRowParts) * people;
  const Integer rows = ToInteger(Int128{table.rows_per_unit}) * people;
  const int sides = privacy.neighbours == policy::Neighbours::kReplaceOne ? 2 : 1;
  return {.rows = sides * parts_moved,
          .l2_squared = sides * parts_moved * parts_moved,
          .different = Integer(sides * rows)};
}

void RowWeights::Apply(Joint& joint) const {
  std::vector<uint16_t>& bins = joint.codes.back();
  for (size_t r = 0; r < joint.weights.size(); ++r) {
    // A person without a number of rows has none.
    const bool known = bins[r] < parts.size();
    joint.weights[r] = known ? joint.weights[r] * parts[bins[r]] : 0;
    if (!known) bins[r] = 0;
  }
  joint.parts = kRowParts;
}

// proof: release/proof.md#1-what-one-step-moves
Result<RowWeights> RowWeightsFor(int64_t counted, const policy::Policy& policy,
                                 const policy::Table& table) {
  if (counted > table.rows_per_unit) {
    return InvalidArgument("the policy lets " + std::to_string(table.rows_per_unit) +
                               " rows of a person count, and no more",
                           "leave --rows-per-unit out, or name a smaller number");
  }
  if (!UnitColumnOf(policy, table)) {
    return InvalidArgument("a row of " + table.name + " does not name its person itself",
                           "leave --rows-per-unit out: rows are weighed where a column of the "
                           "table is the person");
  }
  if (table.rows_per_unit / counted >= kRowParts) {
    return InvalidArgument("a row of somebody with " + std::to_string(table.rows_per_unit) +
                               " rows would count for nothing",
                           "name a larger number: --rows-per-unit " +
                               std::to_string(table.rows_per_unit / kRowParts + 1));
  }
  GridCells bins{.step = 1, .edges = {1, counted + 1}};
  RowWeights weights{.counted = counted, .rows_of_person = {}, .parts = {kRowParts}};
  while (bins.edges.back() <= table.rows_per_unit) {
    const auto first = static_cast<int64_t>(bins.edges.back());
    const int64_t next =
        std::min(table.rows_per_unit + 1, first + std::max<int64_t>(1, first / kBinParts));
    bins.edges.push_back(next);
    // By the largest number of the bin, rounded down: nobody counts for more than they may.
    weights.parts.push_back(counted * kRowParts / (next - 1));
  }
  weights.rows_of_person = {
      .name = "rows of the person", .type = kBigintType, .cells = std::move(bins)};
  return weights;
}

Result<Source> WeighedSource(const policy::Policy& policy, const policy::Table& table,
                             const std::vector<Attribute>& attributes) {
  const std::string unit = *UnitColumnOf(policy, table);
  return CountedSource({.rows = table.name, .key = unit, .counted = table.name, .via = unit},
                       JoinedBy::kInner, attributes);
}

}  // namespace tacit::release
