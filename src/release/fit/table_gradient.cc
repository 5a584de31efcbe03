#include "release/fit/table_gradient.h"

#include <algorithm>

namespace tacit::release {

TableOfKinds::TableOfKinds(const FitTable& table, const std::vector<size_t>& first)
    : table_(table), first_(first) {
  for (const View& view : table.views) cells_ *= view.cells;
}

void TableOfKinds::Fill(const float* kind, size_t products, Room& room) const {
  room.sides.resize(table_.ways());
  room.products.resize(table_.ways());
  for (size_t i = 0; i < table_.ways(); ++i) {
    const View& view = table_.views[i];
    const float* const shares = kind + first_[table_.columns[i]];
    std::vector<float>& side = room.sides[i];
    side.assign(view.cells, 0);
    for (size_t cell = 0; cell < view.cell_of.size(); ++cell) {
      if (view.cell_of[cell] != kNowhere) side[view.cell_of[cell]] += shares[cell];
    }
  }
  for (size_t i = 0; i < products; ++i) {
    std::vector<float>& product = room.products[i];
    if (i == 0) {
      product = room.sides[0];
      continue;
    }
    const std::vector<float>& before = room.products[i - 1];
    const std::vector<float>& side = room.sides[i];
    product.resize(before.size() * side.size());
    float* at = product.data();
    for (const float outer : before) {
      for (size_t j = 0; j < side.size(); ++j) at[j] = outer * side[j];
      at += side.size();
    }
  }
}

void TableOfKinds::Add(const float* kind, std::vector<float>& sums) const {
  thread_local Room room;
  const size_t last = table_.ways() - 1;
  Fill(kind, last, room);
  const std::vector<float>& side = room.sides[last];
  float* at = sums.data();
  const std::vector<float> one = {1};
  for (const float outer : last == 0 ? one : room.products[last - 1]) {
    for (size_t j = 0; j < side.size(); ++j) at[j] += outer * side[j];
    at += side.size();
  }
}

// From the last column to the first: what is left of the residual, summed over the columns that
// are done with, against the product of those before.
void TableOfKinds::AddGradient(const float* kind, const std::vector<float>& residual,
                               float* gradient) const {
  thread_local Room room;
  thread_local std::vector<float> left;
  thread_local std::vector<float> next;
  thread_local std::vector<float> own;
  Fill(kind, table_.ways() - 1, room);
  left = residual;
  for (size_t i = table_.ways(); i-- > 0;) {
    const std::vector<float>& side = room.sides[i];
    const size_t outer = i == 0 ? 1 : room.products[i - 1].size();
    own.assign(side.size(), 0);
    next.assign(outer, 0);
    const float* at = left.data();
    for (size_t p = 0; p < outer; ++p, at += side.size()) {
      const float product = i == 0 ? 1 : room.products[i - 1][p];
      float sum = 0;
      for (size_t j = 0; j < side.size(); ++j) {
        own[j] += product * at[j];
        sum += side[j] * at[j];
      }
      next[p] = sum;
    }
    const View& view = table_.views[i];
    float* const into = gradient + first_[table_.columns[i]];
    for (size_t cell = 0; cell < view.cell_of.size(); ++cell) {
      if (view.cell_of[cell] != kNowhere) into[cell] += own[view.cell_of[cell]];
    }
    std::swap(left, next);
  }
}

}  // namespace tacit::release
