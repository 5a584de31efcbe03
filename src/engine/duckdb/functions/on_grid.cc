#include <charconv>
#include <cmath>
#include <string_view>

#include "engine/duckdb/functions/bind_data.h"
#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {
namespace {

struct Grid {
  double low_end, high_end, steps;
  int64_t low, high;
};

// Takes numbers off the front of a text.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : text_(text) {}

  template <class Number>
  Number Take() {
    Number number = 0;
    const auto [end, problem] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    good_ = good_ && problem == std::errc();
    text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    return number;
  }
  double TakeQuotient() {
    const auto number = Take<double>();
    return Skip('/') ? number / Take<double>() : number;
  }
  bool Skip(char mark) {
    if (!text_.starts_with(mark)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Space() { good_ = Skip(' ') && good_; }
  bool AllRead() const { return good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool good_ = true;
};

// Half away from zero. Exact: a double below 2^53 and its whole part have an exact difference, and
// from there on it is whole. Grids have at most 2^62 steps, so the conversion cannot overflow.
int64_t Rounded(double number) {
  const auto whole = static_cast<int64_t>(number);
  const double rest = number - static_cast<double>(whole);
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

}  // namespace

void ReadGrid(duckdb_bind_info info) {
  const std::string text = ConstantText(info, 1).value_or("");
  Numbers numbers(text);
  Grid grid = {};
  grid.low_end = numbers.TakeQuotient();
  numbers.Space();
  grid.high_end = numbers.TakeQuotient();
  numbers.Space();
  grid.steps = numbers.TakeQuotient();
  numbers.Space();
  grid.low = numbers.Take<int64_t>();
  numbers.Space();
  grid.high = numbers.Take<int64_t>();
  if (!numbers.AllRead()) {
    duckdb_scalar_function_bind_set_error(info, "tacit_on_grid: the second argument is no grid");
    return;
  }
  SetBindData(info, grid);
}

void PutOnGrid(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const Grid grid = BindData<Grid>(info);  // a copy: what is written cannot be part of it
  const auto* values =
      static_cast<const double*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0)));
  const idx_t size = duckdb_data_chunk_get_size(input);
  auto* whole = static_cast<int64_t*>(duckdb_vector_get_data(output));
  for (idx_t row = 0; row < size; ++row) {
    const double value = values[row];
    if (value <= grid.low_end) {
      whole[row] = grid.low;
    } else if (value < grid.high_end) {
      // Clamped again, so that the bound does not rest on floating-point rounding.
      const int64_t rounded = Rounded(value * grid.steps);
      whole[row] = rounded < grid.low ? grid.low : rounded > grid.high ? grid.high : rounded;
    } else {
      whole[row] = grid.high;
    }
  }
  CopyNulls(duckdb_data_chunk_get_vector(input, 0), output, size);
}

}  // namespace tacit::engine::duckdb
