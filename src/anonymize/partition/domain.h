#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "anonymize/partition/hierarchy.h"
#include "anonymize/table/table.h"
#include "base/result.h"

namespace tacit::anonymize {

enum class Kind { kNumber, kCategory, kHierarchy };

// A column with an order: codes are numbered so that a coarser cell is a run of codes. Numbers
// stand in their order (equal numbers of different spelling are one), categories in that of their
// bytes, the values of a hierarchy group by group.
struct Domain {
  std::string name;
  Kind kind = Kind::kCategory;
  std::vector<std::string> labels = {};  // by code
  std::vector<double> numbers = {};  // by code, for kNumber; a missing cell stands at the smallest
  bool has_missing = false;  // for kNumber: code 0 is a missing cell, its label how it was written
  std::shared_ptr<const Hierarchy> hierarchy = nullptr;
  std::vector<uint32_t> codes = {};  // by row

  size_t size() const { return labels.size(); }
};

struct DomainOptions {
  enum class Wish { kAuto, kNumber, kCategory };
  Wish wish = Wish::kAuto;
  std::shared_ptr<const Hierarchy> hierarchy = nullptr;  // for kAuto
  std::set<std::string> missing = {""};  // cells of a number column that hold no number
};

// Auto: a column of numbers is one of numbers, a column without any is one of categories, and a
// column with both is an error that names the first cell that does not fit.
Result<Domain> MakeDomain(const Table& table, size_t column, const DomainOptions& options = {});

// The whole text as a finite number.
bool ParseNumber(std::string_view text, double& number);

}  // namespace tacit::anonymize
