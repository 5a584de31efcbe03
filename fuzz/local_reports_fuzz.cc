// Files of reports: whole or in pieces they read the same, and what is accepted can be estimated.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "local/estimate/estimate.h"
#include "local/reports/report_file.h"

namespace tacit::local {
namespace {

Result<ReportReader::Collected> Read(std::string_view text, size_t piece) {
  ReportReader reader("input");
  for (size_t at = 0; at < text.size(); at += piece) {
    TACIT_CHECK(reader.Feed(text.substr(at, piece)));
  }
  return std::move(reader).Finish();
}

void TryFile(std::string_view text) {
  const auto whole = Read(text, std::max<size_t>(text.size(), 1));
  const auto pieces = Read(text, 5);
  TACIT_ASSERT(whole.ok() == pieces.ok());
  if (!whole.ok()) {
    TACIT_ASSERT(!whole.error().public_message.empty());
    return;
  }
  TACIT_ASSERT(whole->tally.Support() == pieces->tally.Support());
  for (const Frequency& frequency : EstimateFrequencies(whole->tally)) {
    TACIT_ASSERT(std::isfinite(frequency.estimate));
    TACIT_ASSERT(0 <= frequency.answered.low && frequency.answered.low <= frequency.answered.high);
  }
}

}  // namespace
}  // namespace tacit::local

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  tacit::local::TryFile(std::string_view(reinterpret_cast<const char*>(bytes), size));
  return 0;
}
