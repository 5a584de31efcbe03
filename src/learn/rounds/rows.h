#pragma once

#include <cstdint>
#include <vector>

#include "base/numbers/rational.h"

namespace tacit::learn {

// By what one step between neighbours changes the rows: so many come, or under replace_one so many
// go and so many others come.
struct Step {
  Integer rows = 1;
  bool replaces = false;
};

// People's rows as numbers of cells, equal rows once, with how often they occur. Exact: whoever has
// one is inside a mechanism.
class CellRows {
 public:
  explicit CellRows(size_t columns) : columns_(columns) {}

  // `held_out`: only rounds about what is held out see them.
  void Add(const std::vector<uint16_t>& codes, int64_t weight, bool held_out = false) {
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    weights_.push_back(weight);
    held_out_.push_back(held_out);
  }
  size_t size() const { return weights_.size(); }
  size_t columns() const { return columns_; }
  const uint16_t* Codes(size_t row) const { return codes_.data() + row * columns_; }
  int64_t Weight(size_t row) const { return weights_[row]; }
  bool IsHeldOut(size_t row) const { return held_out_[row]; }

 private:
  size_t columns_;
  std::vector<uint16_t> codes_;  // row after row
  std::vector<int64_t> weights_;
  std::vector<bool> held_out_;
};

}  // namespace tacit::learn
