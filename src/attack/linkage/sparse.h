#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anonymize/table/table.h"
#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

// Ratings, purchases, search terms: few entries a person among thousands of columns. An attacker
// who knows a few of them, not quite exactly, scores every record and claims the best one when it
// stands out (Narayanan and Shmatikov 2008).

namespace tacit::attack {

struct SparseEntry {
  uint32_t item = 0;
  float value = 0;  // a rating, an amount; 0 when there is none
  float day = 0;
};

struct SparseTable {
  std::string name = {};
  uint32_t items = 0;
  bool has_values = false, has_days = false;
  std::string item_means = "item";  // in words: "department and the month of admitted"
  std::vector<std::vector<SparseEntry>> people = {};  // entries by item, an item once
};

// Sorts everybody's entries by item and leaves one of each.
void KeepItemsOnce(SparseTable& table);

struct SparseColumns {
  std::string person, item, value = {}, day = {};
};
// From a file with one row an entry. Days are numbers or dates (YYYY-MM-DD).
Result<SparseTable> ReadSparse(const anonymize::Table& table, const SparseColumns& columns);

// Invented ratings, the same for a seed; docs/attacks/linkage.md says how they are drawn.
SparseTable InventRatings(uint32_t people, uint32_t items, uint64_t seed);

struct SparseOptions {
  std::vector<uint32_t> known = {2, 4, 6, 8};  // items the attacker knows of a target
  uint32_t wrong = 1;                          // of them, so many are not true at all
  double value_off = 1;                        // the rest are off by up to so much
  double day_off = 14;
  // Best minus second best score, in standard deviations, that counts as found. Why 5 and not the
  // 1.5 of the paper: most scores of a sparse table are 0, which makes the deviation small, and
  // at 1.5 a third of the people who are not in the release would be claimed.
  double gap = 5;
  uint32_t targets = 1000;
  uint64_t seed = 1;
};

// What came of one way to attack, in targets.
struct Scoreboard {
  int64_t targets = 0;
  int64_t right = 0, wrong = 0;  // claimed; the rest did not stand out
  int64_t alone = 0;             // no other record fits what is known as well as the target's own
  int64_t absent_claimed = 0;    // claimed although the target's record was taken out
  double gap = 0;                // mean gap, target in the release
  double entropy = 0;  // bits: the mean of log2(records scored as high as the target's own)
};

// `rare` leaves the hundred most frequent items out of what the attacker knows.
Scoreboard AttackRecords(const SparseTable& table, uint32_t known, bool rare,
                         const SparseOptions& options, const Progress& progress = {});

Result<Report> AttackSparse(const SparseTable& table, const SparseOptions& options,
                            const Progress& progress = {});

}  // namespace tacit::attack
