#pragma once

#include "base/result.h"
#include "release/report/score.h"

namespace tacit::release {

// A real table and one that was made of it, read from files, with the columns that both have. Wide
// columns of numbers are in at most 20 bins of equal mass of the real ones, as NIST does it; every
// other value is a cell, and NULL is one too.
struct TablePair {
  Coding coding;
  CodedTable real;
  CodedTable made;
  std::vector<std::string> left_out;  // columns that only one of them has
};

// CSV and Parquet files. kInvalidArgument for what cannot be read, or has no column in common.
Result<TablePair> ReadPair(const std::string& real_path, const std::string& made_path);

}  // namespace tacit::release
