#include "local/estimate/tally.h"

#include <string>

namespace tacit::local {
namespace {

size_t CellsOf(const Design& design, const std::optional<HashFamily>& family) {
  if (HasBits(design.mechanism)) return 0;
  if (family) return size_t{family->seeds()} * family->buckets();
  return design.values;
}

Error NotAReport(const Design& design, const std::string& what) {
  return InvalidArgument("not a report of " + std::string(NameOf(design.mechanism)) + " over " +
                         std::to_string(design.values) + " values: " + what);
}

}  // namespace

Tally::Tally(const Design& design) : design_(design) {
  TACIT_ASSERT(CheckDesign(design).ok());
  if (design.mechanism == Mechanism::kHashing) family_.emplace(design.values, design.buckets);
  if (HasBits(design.mechanism)) columns_.emplace(WordsFor(design.values));
  cells_.resize(CellsOf(design_, family_));
}

Result<Done> CheckReport(const Design& design, uint32_t seeds, const Report& report) {
  if (HasBits(design.mechanism)) {
    if (report.bits.size() != WordsFor(design.values)) {
      return NotAReport(design, "the number of bits is wrong");
    }
    if ((report.bits.back() & ~LastWordMask(design.values)) != 0) {
      return NotAReport(design, "a bit beyond the last value is set");
    }
    return Done{};
  }
  if (!report.bits.empty()) return NotAReport(design, "it has bits");
  const bool hashing = design.mechanism == Mechanism::kHashing;
  if (hashing ? report.seed >= seeds : report.seed != 0) {
    return NotAReport(design, "there is no seed " + std::to_string(report.seed));
  }
  if (report.value >= (hashing ? design.buckets : design.values)) {
    return NotAReport(design, "there is no value " + std::to_string(report.value));
  }
  return Done{};
}

Result<Done> Tally::Add(const Report& report) {
  TACIT_CHECK(CheckReport(design_, seeds(), report));
  if (columns_) {
    AddBits(report.bits);
  } else if (family_) {
    AddHashed(report.seed, report.value);
  } else {
    AddValue(report.value);
  }
  return Done{};
}

void Tally::Merge(const Tally& other) {
  TACIT_ASSERT(design_ == other.design_);
  people_ += other.people_;
  for (size_t i = 0; i < cells_.size(); ++i) cells_[i] += other.cells_[i];
  if (columns_) columns_->Merge(*other.columns_);
}

std::vector<uint64_t> Tally::Support() const {
  if (columns_) {
    std::vector<uint64_t> counts = columns_->Counts();
    counts.resize(design_.values);
    return counts;
  }
  if (!family_) return cells_;
  const uint64_t by_digits = uint64_t{family_->digits()} * family_->buckets() * family_->buckets();
  return by_digits < uint64_t{family_->digits()} * family_->values()
             ? SupportByDigits(*family_, cells_)
             : SupportByPairs(*family_, cells_);
}

std::vector<uint64_t> SupportByDigits(const HashFamily& family, std::vector<uint64_t> cells) {
  // cells[a][y] counts reports with seed a and bucket y; wanted is, for every v, the sum over a of
  // cells[a][<a, v>]. One digit at a time: replace the digit a_i by v_i, with
  //   new[.. v_i ..][y] = sum over a_i of old[.. a_i ..][y + a_i v_i];
  // after the last digit bucket 0 holds the answer, d g^2 additions a seed instead of one a value.
  const uint32_t g = family.buckets();
  std::vector<uint64_t> next(cells.size());
  uint32_t stride = 1;
  for (uint32_t digit = 0; digit < family.digits(); ++digit, stride *= g) {
    for (uint32_t seed = 0; seed < family.seeds(); ++seed) {
      const uint32_t v = seed / stride % g;
      const uint32_t base = seed - v * stride;
      uint64_t* out = &next[size_t{seed} * g];
      std::fill(out, out + g, 0);
      for (uint32_t a = 0; a < g; ++a) {
        const uint64_t* in = &cells[(size_t{base} + size_t{a} * stride) * g];
        const uint32_t shift = family.Multiply(a, v);
        for (uint32_t y = 0; y < g; ++y) out[y] += in[family.Add(y, shift)];
      }
    }
    std::swap(cells, next);
  }
  std::vector<uint64_t> support(family.values());
  for (uint32_t v = 0; v < family.values(); ++v) support[v] = cells[size_t{v} * g];
  return support;
}

std::vector<uint64_t> SupportByPairs(const HashFamily& family, const std::vector<uint64_t>& cells) {
  std::vector<uint64_t> support(family.values());
  for (uint32_t seed = 0; seed < family.seeds(); ++seed) {
    const uint64_t* counts = &cells[size_t{seed} * family.buckets()];
    for (uint32_t v = 0; v < family.values(); ++v) support[v] += counts[family.Hash(seed, v)];
  }
  return support;
}

}  // namespace tacit::local
