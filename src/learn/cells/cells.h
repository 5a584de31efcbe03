#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/rational.h"

// Columns in public cells: bins of numbers by their declared bounds, listed texts, booleans. What
// is learned by cells needs no other number of a row than which cell it is in.
namespace tacit::learn {

enum class CellKind { kNumber, kBoolean, kCategory };

// Everything in it is public.
struct CellColumn {
  std::string name;
  CellKind kind = CellKind::kBoolean;
  // Of kNumber: what lies outside is in the cell at that end. Cell i is below edges[i] and not
  // below edges[i - 1].
  Rational low = 0;
  Rational high = 1;
  std::vector<Rational> edges = {};
  bool whole = false;  // every value is a whole number
  // Of kCategory, in the owner's order; rows with another one count nowhere.
  std::vector<std::string> values = {};

  size_t Cells() const;
  // "17 to 21", "F", "true".
  std::string LabelOf(size_t cell) const;
  // What stands for the values in it; of a boolean 0 or 1, and of a text nothing does.
  Rational MiddleOf(size_t cell) const;
  // Whether neighbouring cells are alike.
  bool IsOrdered() const { return kind == CellKind::kNumber; }
};

// At most so many bins of equal width; one for each value where whole numbers have no more.
// low < high.
CellColumn BinsOf(const std::string& name, const Rational& low, const Rational& high, bool whole,
                  size_t bins);

// In which cell a value is, as a file has it: a number; true, t, yes, 1 and their opposites; one of
// the listed texts. Nothing for an empty one; the error names what was read.
Result<std::optional<size_t>> CellOf(const CellColumn& column, std::string_view text);

// The expression that gives the cell's number, times a factor, as SQL over the column; NULL and
// texts that are not listed give whatever the last cell's is.
// proof: learn/rounds/proof.md#the-rows
std::string CellExpression(const CellColumn& column, const std::string& expression, int64_t factor);

// What a row has to meet to be in a cell.
std::string HasCell(const CellColumn& column, const std::string& expression);

// Why 64: what halving in SQL nests stays far below the parser's limit, and noise in so many bins
// is already most of what they say.
inline constexpr size_t kBinsMax = 64;

}  // namespace tacit::learn
