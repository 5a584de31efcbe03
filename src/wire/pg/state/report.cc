#include "wire/pg/state/report.h"

#include <algorithm>

#include "wire/words/wording.h"

namespace tacit::wire::pg {
Error Condition(std::string message, const char* rule, std::string hint) {
  Error error = InvalidArgument(std::move(message), std::move(hint));
  error.rule = rule;
  return error;
}

Report ReportOf(const Error& error, std::string_view sent, int offset) {
  constexpr std::string_view kEpsilon = "SET tacit.epsilon = ";
  Report report{.severity = Severity::kError,
                .state = StateOf(error),
                .message = Worded(error.public_message, kEpsilon),
                .hint = Worded(error.hint, kEpsilon)};
  if (error.position && *error.position >= 0 && !sent.empty()) {
    const auto bytes = std::min(sent.size(), static_cast<size_t>(*error.position + offset));
    const auto characters =
        std::count_if(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(bytes),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    report.position = static_cast<int>(characters) + 1;
  }
  return report;
}

}  // namespace tacit::wire::pg
