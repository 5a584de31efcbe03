#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analysis/facts.h"
#include "plan/workload/ranges.h"
#include "policy/policy.h"

// Many questions as cells of a few tables. A count or a sum over rows, by listed keys and under
// filters, is a cell of the table that counts all rows by every value of those keys and by whether
// each filter holds. tables.md has the claim.
namespace tacit::plan::workload {

// What tells rows apart: a column with a public list, whose cells are "none of them" (0) and its
// values from 1 on, or a condition, which does not hold (0) or does (1), or a digit of the interval
// in which a column's value lies.
struct Attribute {
  sql::ColumnReference column;  // of a list, or of a digit
  std::vector<policy::KeyValue> values;
  analysis::Expression condition;  // absent: it is a list or a digit
  Digit digit = {};
  size_t Cells() const { return condition ? 2 : digit.base > 0 ? digit.base : values.size() + 1; }
};

// A set of attributes: bit i is attribute i of its source.
using AttributeSet = uint64_t;
inline constexpr size_t kAttributesMax = 64;
// Why 100,000: more cells than people look at, and still little work.
inline constexpr size_t kTableCellsMax = 100'000;

// Rows that several questions read, and all that they tell them apart by.
struct Source {
  analysis::Block rows;  // of one of the questions, without its filters, keys and measures
  std::vector<Attribute> attributes;
};

// One summand over one source: questions about it share what is measured.
struct Family {
  size_t source = 0;
  analysis::ExactMeasure measure;  // without filter and cap; a count counts rows
};

// Intervals next to each other, from one code to another. The digits of codes are attributes, the
// coarsest first.
struct RangePlace {
  std::vector<size_t> digits;
  size_t from = 0;
  size_t to = 0;
};

// Where a measure of an asked table stands: the cells of `set` that have these codes, and those of
// the keys of each row; of a range the sum of its intervals' cells.
struct Place {
  size_t family = 0;
  AttributeSet set = 0;
  std::map<size_t, size_t> fixed;  // attribute -> code
  std::optional<RangePlace> range = {};
};
struct AskedTable {
  std::vector<size_t> keys;  // the attribute of each key
  std::vector<Place> measures;
};

// Which columns are cut into intervals, whose codes have digits to this base; where it is 0, every
// range is a condition like any other.
struct Division {
  std::vector<CutColumn> cuts;
  size_t base = 0;
};

// Why 6: the work of an estimate doubles with every attribute of its table.
inline constexpr size_t kDigitsMax = 6;

class Tables {
 public:
  explicit Tables(Division division = {}) : division_(std::move(division)) {}

  // The block as cells of tables; nothing where it is none: private keys, a cap that goes by its
  // own groups, a number that is not a sum over rows. `block` is as it was drafted. With
  // `in_ranges` what its rows' conditions say of a column that is cut becomes a range.
  std::optional<AskedTable> Add(const analysis::Block& block, bool in_ranges = false);

  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<Family>& families() const { return families_; }
  const Attribute& AttributeOf(const Family& family, size_t attribute) const {
    return sources_[family.source].attributes[attribute];
  }
  size_t CellsOf(const Family& family, AttributeSet set) const;

 private:
  size_t SourceOf(const analysis::Block& block);
  size_t FamilyOf(size_t source, const analysis::ExactMeasure& measure);
  std::optional<size_t> AttributeFor(size_t source, Attribute attribute);
  std::optional<RangePlace> RangeFor(size_t source, const ColumnRange& range);

  Division division_;
  std::vector<Source> sources_;
  std::vector<Family> families_;
};

// The members of a set, rising.
std::vector<size_t> MembersOf(AttributeSet set);

// The block that counts or sums the family's rows by all cells of the set: its keys are the codes,
// in rising order of attributes. Every row is in exactly one of its groups.
// proof: plan/workload/tables.md#claim
analysis::Block MeasuredBlock(const Tables& tables, const Family& family, AttributeSet set);

}  // namespace tacit::plan::workload
