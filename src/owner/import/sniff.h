#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "owner/import/source.h"

namespace tacit::owner {

// How a CSV file is split: decided once, from its first lines and what the owner said, so that a
// broken line further down is an error and never a reason to split the others in another way.
struct CsvShape {
  char delimiter = ',';
  char quote = '"';  // 0: nothing is quoted
  bool header = true;
  size_t fields = 1;  // of the first line
};

// `lines` are the first of the file; `all` says that there are no others. kInvalidArgument when the
// first line looks like data and the owner has not said what it is.
Result<CsvShape> Sniff(const std::vector<std::string>& lines, bool all, const CsvDialect& given,
                       const std::string& file);

// For the owner: "fields are separated by ';', ...".
std::string ToText(const CsvShape& shape);

}  // namespace tacit::owner
