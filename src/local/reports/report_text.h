#pragma once

#include <string>
#include <string_view>

#include "local/design/design.h"
#include "local/randomize/report.h"

namespace tacit::local {

// A report as text, in files and on the wire:
//   rr, krr              "3"        the index of a value
//   olh                  "17,2"     seed, bucket
//   sue, oue, several    "8c"       hexadecimal, the first value is the first digit's highest bit
void AppendReport(const Design& design, const Report& report, std::string& text);

// Parses into `report` (so that a loop allocates once). `seeds` is the family's number for olh.
// False when the text is not a report of this design in its one spelling.
bool ParseReport(const Design& design, uint32_t seeds, std::string_view text, Report& report);

// The column names of a file of reports.
std::string_view ColumnsOf(const Design& design);

}  // namespace tacit::local
