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
// Days between two ends, some in a cell: cell i holds first_days[i] and what comes before the next.
struct DayCells {
  std::vector<std::string> first_days;  // "2020-01-31", rising
  std::string end;                      // the first day after the last cell
};
// Texts that the policy does not list: which of them are released is part of the release, and all
// others are one cell.
struct OpenCells {};
using Cells = std::variant<ListedCells, GridCells, DayCells, OpenCells>;

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
  bool IsOpen() const { return std::holds_alternative<OpenCells>(cells); }
};

// What is written for a text that is not released.
inline constexpr char kOtherText[] = "(other)";
// An open attribute whose values have been released: listed, with one cell more for all others.
Attribute WithValues(Attribute open, const std::vector<std::string>& values);

// Why 128: ages one by one, and what is wider in cells of equal width; pairs use coarser ones.
inline constexpr int kGridCellsMax = 128;
// Why 400: a year by days; longer times in cells of some days.
inline constexpr int kDayCellsMax = 400;
// Why 1000: beyond it a pair of columns has a million cells.
inline constexpr size_t kListedCellsMax = 1000;

// The columns to release, in the order asked, or all visible ones but the unit. kRefused, with what
// to declare, where the policy gives a column no cells; texts without a list are open. Reads public
// tables only.
Result<std::vector<Attribute>> AttributesOf(const policy::Policy& policy,
                                            const policy::Schema& schema,
                                            const policy::Table& table,
                                            const std::vector<std::string>& columns,
                                            engine::Engine& engine);

std::vector<ColumnShape> ShapesOf(const std::vector<Attribute>& attributes);
size_t OpenIn(const std::vector<Attribute>& attributes);  // how many are open

// How a value of the cell is written; `draw` in [0, 1) chooses among the values of a cell that has
// several. NULL is the empty text.
std::string TextOf(const Attribute& attribute, uint16_t code, double draw);

// The day after one that is written like 2024-01-31.
std::string DayAfter(const std::string& day);

// The cell itself, for tables: its value, "10 to 19" where it has several, NULL for NULL.
std::string LabelOf(const Attribute& attribute, uint16_t code);

}  // namespace tacit::release
