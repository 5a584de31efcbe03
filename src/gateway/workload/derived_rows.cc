#include "gateway/workload/derived_rows.h"

#include <cmath>

#include "answer/table_bytes.h"
#include "plan/tree/from_block.h"

namespace tacit::gateway::workload {
namespace {

using plan::workload::Attribute;
using plan::workload::AttributeSet;
using plan::workload::Cells;
using plan::workload::MembersOf;

// Where a value stands in a list, from 1; nothing where it is none of them.
std::optional<size_t> CodeOf(const engine::Value& value, const Attribute& attribute) {
  const std::string text = engine::ToText(value);
  for (size_t i = 0; i < attribute.values.size(); ++i) {
    const policy::KeyValue& listed = attribute.values[i];
    const bool is_text = listed.kind == policy::KeyValue::Kind::kText;
    if ((is_text ? listed.text : ToString(listed.number)) == text) return i + 1;
  }
  return std::nullopt;
}

// Codes in the order of the set's members, the last fastest.
size_t PlaceOf(const plan::workload::CellCounts& counts, AttributeSet set,
               const std::map<size_t, size_t>& codes) {
  size_t place = 0;
  for (const size_t member : MembersOf(set)) place = place * counts[member] + codes.at(member);
  return place;
}

// The cells that a number is the sum of: one, or those of a range.
std::vector<size_t> PlacesOf(const plan::workload::CellCounts& counts,
                             const plan::workload::Place& place, std::map<size_t, size_t> codes) {
  if (!place.range) return {PlaceOf(counts, place.set, codes)};
  std::vector<size_t> places;
  for (size_t code = place.range->from; code <= place.range->to; ++code) {
    size_t left = code;
    for (auto digit = place.range->digits.rbegin(); digit != place.range->digits.rend(); ++digit) {
      codes[*digit] = left % counts[*digit];
      left /= counts[*digit];
    }
    places.push_back(PlaceOf(counts, place.set, codes));
  }
  return places;
}

Error NotAsWritten() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a measured table is not as it was planned",
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<double> NumberOf(const engine::Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  const auto* numeric = std::get_if<engine::Numeric>(&value);
  if (numeric == nullptr || numeric->scale != 0) return NotAsWritten();
  return static_cast<double>(numeric->unscaled);
}

}  // namespace

Result<MeasuredTables> MeasuredTables::Read(const WorkloadPlan& plan,
                                            const std::vector<std::string>& bytes) {
  MeasuredTables tables(plan);
  for (const MeasuredFamily& family : plan.families) {
    auto& noisy = tables.noisy_.emplace_back();
    for (const auto& [set, release] : family.releases) {
      TACIT_TRY(const engine::ResultTable table, answer::ReadTable(bytes[release]));
      const std::vector<size_t> members = MembersOf(set);
      const auto size = static_cast<size_t>(plan::workload::CellsIn(family.counts, set));
      Cells cells(size, 0);
      size_t rows = 0;
      for (const std::vector<engine::Value>& row : table.rows) {
        if (row.size() != members.size() + 1) return NotAsWritten();
        std::map<size_t, size_t> codes;
        for (size_t i = 0; i < members.size(); ++i) {
          TACIT_TRY(const double code, NumberOf(row[i]));
          if (code < 0 || code >= static_cast<double>(family.counts[members[i]])) {
            return NotAsWritten();
          }
          codes[members[i]] = static_cast<size_t>(code);
        }
        TACIT_TRY(cells[PlaceOf(family.counts, set, codes)], NumberOf(row.back()));
        ++rows;
      }
      if (rows != size) return NotAsWritten();
      noisy.emplace(set, std::move(cells));
    }
  }
  return tables;
}

const Cells& MeasuredTables::EstimateOf(size_t family, AttributeSet set) const {
  const auto key = std::pair(family, set);
  auto known = estimates_.find(key);
  if (known == estimates_.end()) {
    const MeasuredFamily& measured = plan_->families[family];
    known = estimates_
                .emplace(key, plan::workload::Estimate(measured.counts, measured.precisions,
                                                       noisy_[family], set))
                .first;
  }
  return known->second;
}

Result<DerivedRows> DerivedRows::Make(const WorkloadPlan& plan, const DerivedTable& table,
                                      std::vector<engine::ResultColumn> columns,
                                      engine::Engine& engine) {
  DerivedRows derived;
  derived.columns_ = std::move(columns);
  engine::ResultTable keys;
  keys.rows.push_back({});
  if (!table.block.keys.empty()) {
    TACIT_TRY(plan::tree::AllKeys all, plan::tree::KeysOf(table.block));
    TACIT_TRY(keys, engine.Read(plan::PublicTable{.name = "tacit_keys", .rows = std::move(all)}));
  }
  for (const std::vector<engine::Value>& key : keys.rows) {
    Row row{.keys = key, .cells = {}};
    for (const plan::workload::Place& place : table.asked.measures) {
      const plan::workload::Family& family = plan.tables.families()[place.family];
      std::map<size_t, size_t> codes = place.fixed;
      for (size_t i = 0; i < table.asked.keys.size(); ++i) {
        const size_t attribute = table.asked.keys[i];
        const std::optional<size_t> code =
            CodeOf(key[i], plan.tables.AttributeOf(family, attribute));
        if (!code) return NotAsWritten();
        codes[attribute] = *code;
      }
      row.cells.push_back({.family = place.family,
                           .set = place.set,
                           .places = PlacesOf(plan.families[place.family].counts, place, codes)});
    }
    derived.rows_.push_back(std::move(row));
  }
  return derived;
}

std::string DerivedRows::BytesFrom(const MeasuredTables& measured) const {
  answer::TableWriter table(columns_);
  for (const Row& row : rows_) {
    std::vector<engine::Value> values = row.keys;
    for (const Cell& cell : row.cells) {
      const Cells& cells = measured.EstimateOf(cell.family, cell.set);
      double sum = 0;
      for (const size_t place : cell.places) sum += cells[place];
      const Rational estimate = RationalOf(std::round(sum));
      values.emplace_back(
          engine::Numeric{.unscaled = SaturateToInt128(CeilOf(estimate)), .scale = 0});
    }
    table.Add(values);
  }
  return table.Take();
}

}  // namespace tacit::gateway::workload
