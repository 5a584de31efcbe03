#pragma once

#include <string>
#include <vector>

#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

// The attacks on released files, on a deployment's own tables: what would be given away if the
// owner released the rows, with names taken out or coarsened, instead of answering questions.

namespace tacit::attack {

struct OwnedFilesSettings {
  uint64_t seed = 1;
  std::string table = {};   // empty: the first with one row a person
  std::string secret = {};  // COLUMN=VALUE as in scene/owners_people.h; its column is sensitive
  std::vector<std::string> known = {};  // what a reader may know; empty: every visible column
  // Why 200,000: the curves stop moving long before, and the owner waits for them.
  uint32_t rows_max = 200'000;
  uint32_t targets = 1000;  // people attacked in each run
  uint32_t runs = 3;
};

struct OwnedFiles {
  std::vector<Report> reports = {};
  std::vector<std::string> skipped = {};  // sentences: which table or attack was left out, and why
};

// An attack that does not fit the tables is left out and said; an error is a table, a column or a
// database that is not there.
Result<OwnedFiles> AttackOwnedFiles(const std::string& path, const OwnedFilesSettings& settings,
                                    const Progress& progress);

}  // namespace tacit::attack
