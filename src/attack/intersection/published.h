#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/domain.h"
#include "anonymize/release/cell.h"
#include "anonymize/table/table.h"
#include "base/result.h"

namespace tacit::attack {

// A set of small numbers.
class CodeSet {
 public:
  explicit CodeSet(size_t values = 0) : words_((values + 63) / 64) {}
  void Add(uint32_t code) { words_[code / 64] |= uint64_t{1} << (code % 64); }
  bool Holds(uint32_t code) const { return (words_[code / 64] >> (code % 64) & 1) != 0; }
  uint32_t Count() const;
  void Unite(const CodeSet& other);
  void Intersect(const CodeSet& other);

 private:
  std::vector<uint64_t> words_;
};

// What a reader sees of a coarsened release: classes, each with its cells and the sensitive values
// of its rows. The attacks look at nothing else.
class PublishedClasses {
 public:
  // Of a release in memory; `sensitive` is coded by row.
  PublishedClasses(std::span<const anonymize::Domain> domains, const anonymize::Classes& classes,
                   const anonymize::Domain& sensitive);

  // The sensitive values of all classes whose cells hold a person with these codes.
  CodeSet CandidatesOf(std::span<const uint32_t> person) const;

 private:
  bool Holds(size_t c, std::span<const uint32_t> person) const;

  size_t columns_;
  size_t values_;                          // of the sensitive column
  std::vector<anonymize::Bounds> bounds_;  // class by class; of a hierarchy, its group's leaves
  std::vector<bool> is_set_;               // columns whose cells list their values
  std::vector<CodeSet> sets_;              // class by class, empty for the other columns
  std::vector<CodeSet> sensitive_;         // by class
};

// The same for a released file, whoever made it: cells are read as anonymize/release/cell.h writes
// them, and rows with the same texts are one class.
class PublishedFile {
 public:
  static Result<PublishedFile> Read(const anonymize::Table& table,
                                    const std::vector<std::string>& quasi_identifiers);

  // The classes whose cells hold a person with these values.
  std::vector<uint32_t> ClassesOf(std::span<const std::string* const> person) const;
  size_t classes() const { return rows_.size(); }
  const std::vector<uint32_t>& RowsOf(uint32_t c) const { return rows_[c]; }

 private:
  std::vector<std::vector<anonymize::CellMeaning>> meanings_;  // column, value
  std::vector<std::vector<uint32_t>> codes_;                   // class, column
  std::vector<std::vector<uint32_t>> rows_;                    // by class
};

}  // namespace tacit::attack
