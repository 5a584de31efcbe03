#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "engine/value.h"

namespace tacit::engine {

// Rows in few bytes, for answers of a million: a number takes as many as it needs, an empty cell
// one. They lie behind each other in blocks, so that nothing is copied when they grow, and what was
// read can be let go of while the rest waits. A row becomes values when it is read, from the first
// on: by its number it is searched for.
class PackedRows {
 public:
  using Row = std::vector<Value>;

  // Before a row, or after the last one. Good for as long as rows are added behind it only, also
  // when they are moved elsewhere.
  struct Place {
    size_t row = 0;
    size_t block = 0;
    size_t byte = 0;
  };

  PackedRows() = default;
  PackedRows(std::initializer_list<Row> rows);
  PackedRows(const std::vector<Row>& rows);

  void push_back(const Row& row);
  void clear() { blocks_.clear(); }

  size_t size() const;
  bool empty() const { return size() == 0; }
  size_t bytes() const;  // that are held

  // Reads the row at `place`, which is then behind it; false after the last one.
  bool Next(Place& place, Row& row) const;
  // Lets go of rows before `place`, as far as whole blocks are. They are counted still, and never
  // read again.
  void LetGoBefore(const Place& place);

  // A row by itself: its cells are values, and no places that could be pointed or written to.
  class Copy : public Row {
   public:
    Value operator[](size_t cell) const { return Row::operator[](cell); }
    Value at(size_t cell) const { return Row::at(cell); }
  };
  Copy operator[](size_t row) const;
  Copy at(size_t row) const { return (*this)[row]; }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Row;
    using difference_type = std::ptrdiff_t;
    using pointer = const Row*;
    using reference = const Row&;

    Iterator() = default;
    reference operator*() const { return row_; }
    pointer operator->() const { return &row_; }
    Iterator& operator++();
    Iterator operator++(int);
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    friend class PackedRows;
    const PackedRows* rows_ = nullptr;
    size_t at_ = 0;
    Place next_;
    Row row_;
  };
  using iterator = Iterator;
  using const_iterator = Iterator;
  Iterator begin() const;
  Iterator end() const;

  friend bool operator==(const PackedRows& a, const PackedRows& b);

 private:
  struct Block {
    size_t first_row = 0;
    size_t rows = 0;
    std::string bytes = {};
  };
  std::vector<Block> blocks_;
};

}  // namespace tacit::engine
