#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noise/column_mechanism.h"

namespace tacit::plan {

// The noise that a stored number has, as far as its error goes: what was drawn is drawn.
struct StoredNoise {
  enum class Kind { kLaplace, kGaussian, kCube, kChosen };
  Kind kind = Kind::kLaplace;
  Rational scale;  // in steps: the scale, sigma, rows over epsilon; of a choice in rows
  // Of a cube: the widths of all its numbers, and which one this is.
  std::vector<Integer> widths = {};
  size_t coordinate = 0;
  Integer chosen_error;  // of a choice: what it is off by in 95 % of answers, in rows

  friend bool operator==(const StoredNoise&, const StoredNoise&) = default;
};

// Nothing for a mechanism that has no such words: its numbers then serve their own question alone.
std::optional<StoredNoise> NoiseOf(const noise::ColumnMechanism& mechanism);

// As one word for the ledger, and back; nothing for a text that writing would not produce.
std::string WordOf(const StoredNoise& noise);
std::optional<StoredNoise> ReadNoise(const std::string& word);

// The noise of the sum of so many numbers, each with this noise of its own, as a mechanism that
// says how far off that is and never draws. Nothing of a choice, which does not add up, and where
// the parameters are none.
std::optional<noise::AnyMechanism> SumOf(const StoredNoise& noise, uint64_t numbers);

}  // namespace tacit::plan
