#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "engine/packed_rows.h"

namespace tacit::engine {

struct ResultColumn {
  std::string name;
  ValueType type;  // PostgresName(type) is what clients see
};

// Rows with named, typed columns: a released table on its way into post-processing, or its result.
struct ResultTable {
  std::vector<ResultColumn> columns;
  PackedRows rows;
  std::shared_ptr<const void> room = nullptr;  // counts its memory for as long as somebody has it
};

// Rows that are read from the first on, as often as somebody needs them; how they are kept is their
// own affair. From any thread.
class RowSource {
 public:
  // Fills the row it is given; false after the last one.
  class Cursor {
   public:
    Cursor() = default;
    virtual ~Cursor() = default;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;
    virtual bool Next(std::vector<Value>& row) = 0;
  };

  RowSource() = default;
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual size_t size() const = 0;
  // Reads this source, which outlives it.
  virtual std::unique_ptr<Cursor> Open() const = 0;
};

}  // namespace tacit::engine
