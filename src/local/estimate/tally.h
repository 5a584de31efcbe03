#pragma once

#include <optional>
#include <vector>

#include "local/design/design.h"
#include "local/design/hash_family.h"
#include "local/estimate/bit_columns.h"
#include "local/randomize/report.h"

namespace tacit::local {

// What is kept of the reports: counts. Tallies of one design can be merged; the order of reports
// does not matter.
class Tally {
 public:
  explicit Tally(const Design& design);

  const Design& design() const { return design_; }
  uint64_t people() const { return people_; }

  // An error when the report is not one that the design can give; the tally is unchanged then.
  Result<Done> Add(const Report& report);

  // Unchecked, for loops whose reports were checked as they were read.
  void AddValue(uint32_t value) {
    ++people_;
    ++cells_[value];
  }
  void AddHashed(uint32_t seed, uint32_t bucket) {
    ++people_;
    ++cells_[size_t{seed} * design_.buckets + bucket];
  }
  void AddBits(std::span<const uint64_t> bits) {
    ++people_;
    columns_->Add(bits);
  }
  uint32_t seeds() const { return family_ ? family_->seeds() : 0; }

  void Merge(const Tally& other);

  // For each value, how many reports support it: those that name it, hash it into their bucket, or
  // show its bit.
  std::vector<uint64_t> Support() const;

 private:
  Design design_;
  uint64_t people_ = 0;
  std::vector<uint64_t> cells_;  // a value's reports; with hashing, those of a (seed, bucket)
  std::optional<HashFamily> family_;
  std::optional<BitColumns> columns_;
};

// Whether the design can give this report.
Result<Done> CheckReport(const Design& design, uint32_t seeds, const Report& report);

// The supports of all values from the counts of each (seed, bucket). The first goes digit by digit
// and is fast for many values, the second adds up every pair; they agree.
std::vector<uint64_t> SupportByDigits(const HashFamily& family, std::vector<uint64_t> cells);
std::vector<uint64_t> SupportByPairs(const HashFamily& family, const std::vector<uint64_t>& cells);

}  // namespace tacit::local
