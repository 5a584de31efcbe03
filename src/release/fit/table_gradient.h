#pragma once

#include "release/fit/targets.h"

namespace tacit::release {

// A table of any columns as kinds of people have it: each kind's table is the product of its
// columns' shares, and the whole's is their mean.
class TableOfKinds {
 public:
  // `first` is where each column's cells begin in a row of shares. Both outlive it.
  TableOfKinds(const FitTable& table, const std::vector<size_t>& first);

  size_t cells() const { return cells_; }

  // Adds the kind's own table; `kind` is its row of shares.
  void Add(const float* kind, std::vector<float>& sums) const;

  // Adds what each share of the kind does to half the sum over cells of residual^2, given how far
  // the mean is off in each cell, times its weight.
  void AddGradient(const float* kind, const std::vector<float>& residual, float* gradient) const;

 private:
  // The shares of the cells of the table's columns, and the products of the first columns: room
  // that a call uses.
  struct Room {
    std::vector<std::vector<float>> sides;
    std::vector<std::vector<float>> products;  // products[i]: of sides 0 ... i
  };
  void Fill(const float* kind, size_t products, Room& room) const;

  const FitTable& table_;
  const std::vector<size_t>& first_;
  size_t cells_ = 1;
};

}  // namespace tacit::release
