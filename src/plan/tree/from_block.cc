#include "plan/tree/from_block.h"

#include "analysis/blocks/block_map.h"
#include "base/mutant.h"
#include "plan/tree/check.h"
#include "plan/tree/make.h"
#include "plan/tree/rows_of.h"

namespace tacit::plan::tree {
namespace {

using analysis::Block;

Names NamesOf(const Block& block) {
  Names names;
  for (const auto& [reference, column] : block.columns) {
    names.columns.push_back({.name = reference,
                             .type = column.type,
                             .stored_type = column.stored_type,
                             .table = column.table,
                             .column = column.column,
                             .range = column.range,
                             .step = column.step,
                             .equals_unit = column.equals_unit});
  }
  for (const analysis::Constant& constant : block.constants) {
    names.constants.push_back(constant.type);
  }
  return names;
}

// Scans and joins of scans: how many rows of a unit there are is a fact of the tree.
bool IsPlain(const analysis::RowSource& source) {
  if (analysis::As<analysis::TableScan>(source)) return true;
  const auto* join = analysis::As<analysis::RowJoin>(source);
  return join != nullptr && IsPlain(join->left) && IsPlain(join->right);
}

// Scans that the rows are joined from; what a query inside each person made has no rank.
void AddRanked(const analysis::RowSource& source, std::vector<std::string>& aliases) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    if (!scan->is_public) aliases.push_back(scan->alias);
    return;
  }
  const auto* join = analysis::As<analysis::RowJoin>(source);
  if (join == nullptr) return;
  AddRanked(join->left, aliases);
  AddRanked(join->right, aliases);
}

class Builder {
 public:
  explicit Builder(const Block& block) : block_(block), names_(NamesOf(block)), binder_(names_) {}

  Result<Exact> Build(bool with_people) {
    TACIT_TRY(Rows rows, Projected());
    const std::optional<Unit> unit = UnitOf(std::get<Project>(rows->kind).input);
    const Person person = std::get<Project>(rows->kind).person;
    // For every shape but the plain ones rows are capped once more: were the analysis wrong about
    // how many rows of one person a query makes, an answer would be wrong, and nobody's rows would
    // count for more than was declared. ../unit_cap.md has the claim.
    if (unit && !IsPlain(block_.rows.source) && !TACIT_MUTANT("rows_not_capped_again")) {
      rows =
          Rows(RowsNode{UnitCap{.unit = *unit, .input = rows, .rows = block_.rows.rows_per_unit}});
    }
    TACIT_TRY(const KeyList keys, PublicKeys());
    if (block_.OrdersRows()) rows = Placed(std::move(rows), *unit, keys);
    const bool all_public = !keys->keys.empty() && keys->keys.size() == block_.keys.size();
    // Beside private keys, public ones only limit which rows count.
    if (!keys->keys.empty() && !all_public) rows = Rows(RowsNode{Listed{rows, keys}});
    Groups groups{.person = person,
                  .rows = std::move(rows),
                  .keys = KeyNames(),
                  .with_people = with_people,
                  .people = CountPeople::kBySets,
                  .aggregates = std::move(aggregates_),
                  .cap = block_.group_cap};
    if (std::holds_alternative<EachRow>(person) || block_.rows.rows_per_unit == 1) {
      groups.people = CountPeople::kRows;
    }
    TACIT_ASSERT(!with_people || (!groups.keys.empty() && !all_public));
    TACIT_ASSERT(!groups.keys.empty() || !groups.aggregates.empty());
    ExactNode exact{.names = std::move(names_),
                    .groups = std::move(groups),
                    .all_of = all_public ? keys : KeyList(),
                    .totals_by = std::nullopt};
    if (block_.totals) {
      TACIT_ASSERT(all_public && !with_people);
      exact.totals_by.emplace();
      for (const size_t key : block_.totals->keys) {
        exact.totals_by->push_back("k" + std::to_string(key + 1));
      }
    }
    TACIT_ASSERT(BrokenWall(exact).empty());
    return Exact(std::move(exact));
  }

  Result<AllKeys> Keys() {
    TACIT_TRY(KeyList keys, PublicKeys());
    TACIT_ASSERT(!keys->keys.empty());
    return AllKeys{.names = std::move(names_), .keys = std::move(keys)};
  }

 private:
  std::vector<std::string> KeyNames() const {
    std::vector<std::string> names;
    for (size_t i = 1; i <= block_.keys.size(); ++i) names.push_back("k" + std::to_string(i));
    return names;
  }

  Result<Rows> Projected() {
    std::vector<ProjectedColumn> columns;
    for (const analysis::Key& key : block_.keys) {
      ProjectedColumn column{.name = "k" + std::to_string(columns.size() + 1),
                             .form = Form::kKey,
                             .type = key.type,
                             .value = {}};
      TACIT_TRY(column.value, binder_.Type(key.expression));
      columns.push_back(std::move(column));
    }
    TACIT_TRY(Asked asked, Ask(block_.measures, binder_));
    for (ProjectedColumn& column : asked.columns) columns.push_back(std::move(column));
    aggregates_ = std::move(asked.aggregates);
    TACIT_TRY(Rows input, RowsOf(block_, binder_));
    Project project{.person = PersonOf(input),
                    .input = input,
                    .filters = {},
                    .columns = std::move(columns),
                    .ranks = {}};
    if (block_.OrdersRows()) AddRanked(block_.rows.source, project.ranks);
    for (const Expression& filter : block_.rows.filters) {
      TACIT_TRY(project.filters.emplace_back(), binder_.Type(filter));
    }
    return Rows(RowsNode{std::move(project)});
  }

  Person PersonOf(const Rows& input) const {
    const std::optional<Unit> unit = UnitOf(input);
    const auto* analysed = sql::As<sql::ColumnReference>(block_.rows.unit);
    TACIT_ASSERT((analysed != nullptr) == unit.has_value());
    if (unit) {
      TACIT_ASSERT(analysed->table == unit->relation());
      return *unit;
    }
    if (!TellsRowsApart(block_)) return EachRow{};
    // Two tables whose rows are people are never joined.
    std::string row;
    analysis::ForEachScan(block_.rows.source, [&](const analysis::TableScan& scan) {
      if (scan.is_public) return;
      TACIT_ASSERT(row.empty());
      row = scan.alias;
    });
    return StoredRow{row};
  }

  // Rows whose key is not in a declared list count nowhere, and shall not take another's place.
  Rows Placed(Rows rows, const Unit& unit, const KeyList& keys) const {
    if (!keys->keys.empty()) rows = Rows(RowsNode{Listed{std::move(rows), keys}});
    return Rows(RowsNode{
        GroupPlaces{.unit = unit,
                    .input = std::move(rows),
                    .keys = block_.HasGroupCaps() ? KeyNames() : std::vector<std::string>()}});
  }

  Result<KeyList> PublicKeys() const {
    KeyListNode list;
    for (size_t i = 0; i < block_.keys.size(); ++i) {
      const analysis::Key& key = block_.keys[i];
      if (!key.IsPublic()) continue;
      PublicKey made{
          .place = i, .expression = {}, .type = key.type, .sources = key.sources, .outcomes = {}};
      TACIT_TRY(made.expression, binder_.Type(key.expression));
      for (const Expression& outcome : key.outcomes) {
        TACIT_TRY(
            made.outcomes.emplace_back(),
            binder_.Type(sql::MakeExpression(sql::Cast{outcome, key.type}, outcome->position)));
      }
      list.keys.push_back(std::move(made));
    }
    for (const Expression& filter : block_.key_filters) {
      TACIT_TRY(list.filters.emplace_back(), binder_.Type(filter));
    }
    return KeyList(std::move(list));
  }

  const Block& block_;
  Names names_;
  Binder binder_;
  std::vector<Aggregate> aggregates_;
};

}  // namespace

Result<Exact> FromBlock(const Block& block, bool with_people) {
  return Builder(block).Build(with_people);
}

Result<AllKeys> KeysOf(const Block& block) { return Builder(block).Keys(); }

}  // namespace tacit::plan::tree
