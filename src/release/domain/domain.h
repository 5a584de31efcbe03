#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/engine.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "release/measure/joint.h"

namespace tacit::release {

// Every value that the owner lists is a cell. Rows with any other value count nowhere.
struct ListedCells {
  std::vector<policy::KeyValue> values;
};
// Whole steps of the owner's grid between the bounds, in cells side by side: cell i holds the steps
// edges[i] ... edges[i + 1] - 1. What lies outside the bounds is in the cell at that end.
struct GridCells {
  Rational step;
  std::vector<Int128> edges;  // rising; one more than there are cells
};
// Cells of a calendar: the beginning of a month, a week or an hour stands for all of it.
struct CalendarCells {
  std::vector<std::string> begins;
  std::string end;  // of the last cell: what is after it lies in none
};
using Cells = std::variant<ListedCells, GridCells, CalendarCells>;

// A column of the table as it is released: everything here is public.
struct Attribute {
  std::string name;  // as stored
  ValueType type;
  Cells cells;

  // Cells of values. NULL is the cell after them.
  size_t Values() const;
  uint16_t NullCode() const { return static_cast<uint16_t>(Values()); }
  // What the query says of a value that counts nowhere.
  uint16_t UnlistedCode() const { return static_cast<uint16_t>(Values() + 1); }
  ColumnShape Shape() const;
};

// Why 128: ages one by one, and what is wider in cells of equal width; pairs use coarser ones.
inline constexpr int kGridCellsMax = 128;
// Why 1000: beyond it a pair of columns has a million cells.
inline constexpr size_t kListedCellsMax = 1000;

// The columns to release, in the order asked, or all visible ones but the unit. kRefused, with what
// to declare, where the policy gives a column no cells. Reads public tables only.
Result<std::vector<Attribute>> AttributesOf(const policy::Policy& policy,
                                            const policy::Schema& schema,
                                            const policy::Table& table,
                                            const std::vector<std::string>& columns,
                                            engine::Engine& engine);

// How a value of the cell is written; `draw` in [0, 1) chooses among the values of a cell that has
// several. NULL is the empty text.
std::string TextOf(const Attribute& attribute, uint16_t code, double draw);

// The cell itself, for tables: its value, "10 to 19" where it has several, NULL for NULL.
std::string LabelOf(const Attribute& attribute, uint16_t code);

}  // namespace tacit::release
