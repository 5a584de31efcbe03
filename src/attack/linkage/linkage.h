#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anonymize/anonymize.h"
#include "attack/linkage/coarsen.h"
#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

// A release without names beside a list with names: rows and people who are the only ones with the
// same birth date, sex and post code are the same person (Sweeney 1997).

namespace tacit::attack {

struct LinkageOptions {
  std::vector<std::string> on = {};      // columns in both files
  std::vector<std::string> prefix = {};  // of them: coarsened by cutting characters off the end
  std::string truth = {};                // a column in both that says who is who; only for scoring
  std::vector<uint32_t> ks = {2, 5, 10};
  anonymize::ColumnRules rules = {};
  uint64_t seed = 1;  // of an invented town; printed
  bool invented = false;
};

// One level of coarsening.
struct Links {
  std::string how;        // "as it is", "month of birth_date; zip without 1 character"
  uint64_t claimed = 0;   // a row that fits one person only, who fits one row only
  uint64_t right = 0;     // of them, with the truth column
  uint64_t in_both = 0;   // people of the list who are in the release
  double guess = 0;       // of those, the mean chance of naming their row among those that fit
  double median_fit = 0;  // rows of the release that fit such a person
};

// The release is coarsened step by step, and by Mondrian to every k of the options; every time the
// attacker coarsens the list in the same way and links what fits only once.
Result<std::vector<Links>> LinkFiles(const anonymize::Table& release, const anonymize::Table& list,
                                     const LinkageOptions& options, const Progress& progress = {});

Result<Report> AttackLinkage(const anonymize::Table& release, const anonymize::Table& list,
                             const LinkageOptions& options, const Progress& progress = {});

}  // namespace tacit::attack
