#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "local/estimate/tally.h"
#include "local/reports/header.h"

namespace tacit::local {

// A file of reports:
//   #tacit-local-reports 1 {"mechanism": ..., "values": [...]}
//   value
//   2
//   0
//   #end 2
// The last line makes a cut file an error. Files of one survey may be concatenated: every part has
// its header, and all must be equal.

std::string OpeningLines(const Header& header);
std::string ClosingLine(uint64_t reports);

// Reads such a file in pieces of any size and keeps counts only. After an error nothing read so far
// can be had: an estimate never rests on half a file.
class ReportReader {
 public:
  // `name` is the file's, for errors.
  explicit ReportReader(std::string name) : name_(std::move(name)) {}

  Result<Done> Feed(std::string_view bytes);

  struct Collected {
    Header header;
    Tally tally;
  };
  // After the last piece.
  Result<Collected> Finish() &&;

 private:
  enum class State { kHeader, kColumns, kReports, kBetween };

  Result<Done> Line(std::string_view line);
  Result<Done> ReadHeader(std::string_view line);
  Result<Done> ReadEnd(std::string_view line);
  Error Wrong(const std::string& what, const std::string& hint = "") const;

  std::string name_;
  State state_ = State::kHeader;
  uint64_t line_ = 0;
  uint64_t reports_in_part_ = 0;
  std::string partial_;  // a line whose end has not come yet
  std::optional<Header> header_;
  std::optional<Tally> tally_;
  Report report_;
};

}  // namespace tacit::local
