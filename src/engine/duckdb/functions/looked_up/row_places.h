#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

// Where each row of a table is to be stored, by its rowid: eight bytes a row, in a file, so that
// the system may write them out when memory is short. Read fills it from rows in their order;
// tacit_row_place and tacit_row_ties answer from it while the table is stored.
class RowPlaces {
 public:
  // For rowids below `rows`. The file at `path` is made with all its space, and without a name: it
  // is gone when the program is, however that ends.
  static Result<std::shared_ptr<RowPlaces>> Make(const std::string& path, uint64_t rows,
                                                 uint64_t rows_per_unit);
  // Null when it is no more.
  static std::shared_ptr<RowPlaces> Find(int64_t name);

  RowPlaces(const RowPlaces&) = delete;
  RowPlaces& operator=(const RowPlaces&) = delete;
  ~RowPlaces();

  // The next rows, sorted by unit and hash: columns rowid BIGINT, whether its unit begins with it
  // BOOLEAN, hash UBIGINT. Of each unit the first rows_per_unit get a place. False when a unit's
  // rows are not in that order, when they are not rows of this table, or when they are more than
  // places can tell apart.
  bool Read(duckdb_data_chunk chunk);
  // All of it again, from the first row on.
  void Clear();

  int64_t name() const { return name_; }
  uint64_t placed() const { return placed_; }
  // Some row has the unit and the hash of another.
  bool has_ties() const { return has_ties_; }

  // 0: none.
  uint64_t PlaceOf(uint64_t row) const { return row < rows_ ? cells_[row] & ~kTies : 0; }
  bool Ties(uint64_t row) const { return row < rows_ && (cells_[row] & kTies) != 0; }

 private:
  static constexpr uint64_t kTies = uint64_t{1} << 63;

  RowPlaces(int64_t name, uint64_t* cells, uint64_t rows, uint64_t rows_per_unit)
      : name_(name), cells_(cells), rows_(rows), rows_per_unit_(rows_per_unit) {}
  bool Put(uint64_t row, bool begins, uint64_t hash);

  int64_t name_;
  uint64_t* cells_;  // a place each, and kTies
  uint64_t rows_;
  uint64_t rows_per_unit_;
  // Of the row before:
  uint64_t row_ = 0;
  uint64_t hash_ = 0;
  uint64_t number_ = 0;  // of its unit: the place of the unit's first row among all
  uint64_t rank_ = 0;    // 1, 2, ...
  uint64_t placed_ = 0;
  bool has_ties_ = false;
};

}  // namespace tacit::engine::duckdb
