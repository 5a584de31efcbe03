#pragma once

#include <utility>
#include <vector>

#include "noise/column_mechanism.h"
#include "noise/cube/cube_noise.h"

namespace tacit::noise {

// The noise of all columns of one group: of each by itself, or of several drawn together, once.
class RowNoise {
 public:
  // The mechanisms outlive it.
  explicit RowNoise(std::vector<const ColumnMechanism*> columns) : columns_(std::move(columns)) {}

  // `exact(i)` is the number of column i.
  template <class ExactOf>
  void Apply(const ExactOf& exact, Entropy& entropy, std::vector<Int128>& noisy) {
    drawn_.clear();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const CubeNoise* cube = columns_[i]->cube();
      noisy[i] = cube == nullptr
                     ? columns_[i]->Apply(exact(i), entropy)
                     : SaturatingAdd(std::get<Int128>(exact(i)),
                                     SampleOf(*cube, entropy)[columns_[i]->coordinate()]);
    }
  }

 private:
  const std::vector<Int128>& SampleOf(const CubeNoise& cube, Entropy& entropy) {
    for (const auto& [noise, sample] : drawn_) {
      if (noise == &cube) return sample;
    }
    return drawn_.emplace_back(&cube, cube.Sample(entropy)).second;
  }

  std::vector<const ColumnMechanism*> columns_;
  // Of the group at hand.
  std::vector<std::pair<const CubeNoise*, std::vector<Int128>>> drawn_;
};

}  // namespace tacit::noise
