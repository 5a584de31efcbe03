#include "local/reports/report_file.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "local/reports/report_text.h"

namespace tacit::local {
namespace {

constexpr std::string_view kMagic = "#tacit-local-reports 1 ";
constexpr std::string_view kEnd = "#end ";

// Why 32 MiB: the header of the largest design, 65,536 names of 200 bytes and their quotes, is 13.
constexpr size_t kReportLineBytesMax = size_t{32} << 20;

}  // namespace

std::string OpeningLines(const Header& header) {
  return std::string(kMagic) + HeaderToJson(header).dump() + "\n" +
         std::string(ColumnsOf(header.design)) + "\n";
}

std::string ClosingLine(uint64_t reports) {
  return std::string(kEnd) + std::to_string(reports) + "\n";
}

Error ReportReader::Wrong(const std::string& what, const std::string& hint) const {
  return InvalidArgument(name_ + ":" + std::to_string(line_) + ": " + what, hint);
}

Result<Done> ReportReader::Feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t newline = bytes.find('\n');
    if (newline == std::string_view::npos) {
      partial_ += bytes;
      if (partial_.size() > kReportLineBytesMax) {
        ++line_;
        return Wrong("the line is too long");
      }
      break;
    }
    if (partial_.empty()) {
      TACIT_CHECK(Line(bytes.substr(0, newline)));
    } else {
      partial_ += bytes.substr(0, newline);
      TACIT_CHECK(Line(partial_));
      partial_.clear();
    }
    bytes.remove_prefix(newline + 1);
  }
  return Done{};
}

Result<Done> ReportReader::Line(std::string_view line) {
  ++line_;
  switch (state_) {
    case State::kReports:
      if (line.starts_with('#')) return ReadEnd(line);
      if (!ParseReport(header_->design, tally_->seeds(), line, report_)) {
        return Wrong("this is not a report of " + std::string(NameOf(header_->design.mechanism)) +
                     " over " + std::to_string(header_->design.values) + " values");
      }
      ++reports_in_part_;
      if (HasBits(header_->design.mechanism)) {
        tally_->AddBits(report_.bits);
      } else if (header_->design.mechanism == Mechanism::kHashing) {
        tally_->AddHashed(report_.seed, report_.value);
      } else {
        tally_->AddValue(report_.value);
      }
      return Done{};
    case State::kHeader:
    case State::kBetween:
      return ReadHeader(line);
    case State::kColumns:
      if (line != ColumnsOf(header_->design)) {
        return Wrong("the column names must be \"" + std::string(ColumnsOf(header_->design)) +
                     "\"");
      }
      state_ = State::kReports;
      return Done{};
  }
  AssertionFailed("every state reads a line", __FILE__, __LINE__);
}

Result<Done> ReportReader::ReadHeader(std::string_view line) {
  if (!line.starts_with(kMagic)) {
    return Wrong("this is not a file of reports",
                 "its first line must start with \"" + std::string(kMagic) + "\"");
  }
  Result<Header> read = ParseHeader(line.substr(kMagic.size()));
  if (!read.ok()) return Wrong(read.error().public_message, read.error().hint);
  if (!header_) {
    header_ = std::move(read).value();
    tally_.emplace(header_->design);
  } else if (*header_ != *read) {
    return Wrong("this part has other parameters than the part before it",
                 "reports of different mechanisms, values or epsilons cannot be counted together");
  }
  reports_in_part_ = 0;
  state_ = State::kColumns;
  return Done{};
}

Result<Done> ReportReader::ReadEnd(std::string_view line) {
  uint64_t promised = 0;
  const char* end = line.data() + line.size();
  const bool is_end = line.starts_with(kEnd);
  const char* digits = is_end ? line.data() + kEnd.size() : end;
  const auto parsed = std::from_chars(digits, end, promised);
  if (!is_end || parsed.ec != std::errc() || parsed.ptr != end) {
    return Wrong("neither a report nor the end of the file");
  }
  if (promised != reports_in_part_) {
    return Wrong("the file promises " + std::to_string(promised) + " reports and has " +
                     std::to_string(reports_in_part_),
                 "lines are missing or were added; get the file again");
  }
  state_ = State::kBetween;
  return Done{};
}

Result<ReportReader::Collected> ReportReader::Finish() && {
  if (line_ == 0 && partial_.empty()) return Wrong("the file is empty");
  if (state_ != State::kBetween || !partial_.empty()) {
    return Wrong("the file is cut off: it does not finish with its \"#end\" line",
                 "get the whole file again; nothing was estimated");
  }
  return Collected{.header = std::move(*header_), .tally = std::move(*tally_)};
}

}  // namespace tacit::local
