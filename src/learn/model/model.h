#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "learn/linear/linear.h"

namespace tacit::learn {

// What a model cost and under which promise it was made.
struct ModelPrivacy {
  std::string epsilon;  // that its release was bought for, as a number
  std::string delta;
  std::string accounting;  // pure or zcdp
  std::string neighbours;  // add_remove or replace_one
  int protects = 1;        // people at once
  std::string unit;        // whose rows count as one person's
  std::string receipt;     // of the charge
  int64_t data_version = 1;
};

// A line as it is kept in a file: everything in it was released or is public. Nothing else is
// needed to predict.
struct LinearModel {
  std::string rows;  // the SELECT that it was learned from
  Column target;
  std::vector<Column> features;
  LinearFit fit;  // its trust is not kNothing
  ModelPrivacy privacy;
};

// JSON, the same for the same model. docs/learning.md has its parts.
std::string ModelText(const LinearModel& model);

// Reads one back. kInvalidArgument with what is wrong; any bytes may be given.
Result<LinearModel> ReadModel(std::string_view text);

// Why a megabyte: a model of 30 columns takes a hundredth of it.
inline constexpr size_t kModelBytesMax = size_t{1} << 20;

}  // namespace tacit::learn
