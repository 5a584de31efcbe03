#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tacit::anonymize {

// A column as a list of its distinct cells and one code a row. Cells are texts as they stand in the
// file: what a cell means is decided by whoever asks (partition/domain.h), never by the reader.
struct CodedColumn {
  std::string name;
  std::vector<std::string> values;  // distinct, in the order of their first row
  std::vector<uint32_t> codes;      // one a row: an index into values

  const std::string& Cell(size_t row) const { return values[codes[row]]; }
};

// A file of rows with headings. All columns have `rows` codes.
struct Table {
  std::string name;  // the file's, for errors
  char delimiter = ',';
  uint32_t rows = 0;
  uint32_t first_line = 2;  // of row 0; the headings are line 1
  std::vector<CodedColumn> columns;
  // Where records take several lines or empty lines stand between, as (row, lines that this row and
  // all after it stand lower than one line a row would put them): for Place only.
  std::vector<std::pair<uint32_t, uint32_t>> line_shifts;

  const CodedColumn* Find(std::string_view column) const;
  // The index of a column, or an error that names the columns there are.
  Result<size_t> IndexOf(std::string_view column) const;
  // "people.csv:17", the line where the row begins.
  std::string Place(uint32_t row) const;
};

// The first row of every value of a column, in the order of values.
std::vector<uint32_t> FirstRows(const CodedColumn& column);

// The chosen rows, in the order given. Values that no chosen row has stay in the lists.
Table TakeRows(const Table& table, const std::vector<uint32_t>& rows);

}  // namespace tacit::anonymize
