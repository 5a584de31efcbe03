#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/value.h"

// DuckDB plans a statement anew for every value of a parameter, which takes several times as long
// as running it over a small table. So that the plan of one question serves the next, which differs
// from it in a number, the constants that columns are compared with are taken out of the text and
// come from functions of ours: tacit_constant_bigint('17.0') is the first constant of the list that
// is named 17.

namespace tacit::engine::duckdb {

// What the functions of one kept plan give. Its statement runs once at a time.
class Constants {
 public:
  static std::shared_ptr<Constants> Make();
  // Null when the list is no more.
  static std::shared_ptr<Constants> Find(int64_t name);

  int64_t name() const { return name_; }
  // Of the next run; as many, of the same types, as in the one before.
  void Set(std::vector<Value> values) {
    const std::lock_guard lock(mutex_);
    values_ = std::move(values);
  }
  // From any thread that runs a part of the statement.
  Value at(size_t place) const {
    const std::lock_guard lock(mutex_);
    return values_.at(place);
  }

 private:
  explicit Constants(int64_t name) : name_(name) {}

  int64_t name_;
  mutable std::mutex mutex_;
  std::vector<Value> values_;
};

// A statement without those constants.
struct StatementForm {
  std::vector<std::string> pieces;  // one more than constants
  std::vector<Value> constants;
  std::vector<const char*> functions;  // which gives each of them

  // With the constants of a list. Of two statements with equal texts for one list, each means what
  // the other does with the other's constants.
  std::string TextFor(int64_t list) const;
};

// Takes out whole numbers, doubles, dates and texts that one side of a comparison consists of, as
// the printed statements write them: (CAST(40 AS BIGINT) <> "t1"."age"). Everything else stays.
StatementForm FormOf(std::string_view sql);

// The functions, one for each type.
inline constexpr char kIntegerConstant[] = "tacit_constant_integer";
inline constexpr char kBigintConstant[] = "tacit_constant_bigint";
inline constexpr char kDoubleConstant[] = "tacit_constant_double";
inline constexpr char kDateConstant[] = "tacit_constant_date";
inline constexpr char kTextConstant[] = "tacit_constant_text";

}  // namespace tacit::engine::duckdb
