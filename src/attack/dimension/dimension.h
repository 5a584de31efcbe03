#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anonymize/anonymize.h"
#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

namespace tacit::attack {

struct DimensionOptions {
  std::vector<std::string> columns = {};  // quasi-identifiers
  anonymize::ColumnRules rules = {};
  std::vector<uint32_t> ks = {2, 5, 10};
  uint32_t orders = 5;  // in how many orders columns are added
  uint64_t seed = 1;
};

// What k-anonymity costs as attributes are added: the information loss of Mondrian over the first
// 1, 2, ... columns of several random orders.
Result<Report> AttackDimension(const anonymize::Table& table, const DimensionOptions& options,
                               const Progress& progress = {});

}  // namespace tacit::attack
