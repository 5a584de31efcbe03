#include "wire/words/wording.h"

#include <algorithm>

#include "answer/format/numbers.h"

namespace tacit::wire {
namespace {

// Why 24: a price down to 1e-20 keeps every digit.
constexpr size_t kNumberBytesMax = 24;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The length of a decimal or a fraction at the beginning of the text; 0 when there is none.
size_t NumberLength(std::string_view text) {
  size_t end = 0;
  while (end < text.size() &&
         (IsDigit(text[end]) || ((text[end] == '.' || text[end] == '/') && end > 0 &&
                                 end + 1 < text.size() && IsDigit(text[end + 1])))) {
    ++end;
  }
  return end;
}

}  // namespace

std::string Worded(std::string_view text, std::string_view epsilon) {
  constexpr std::string_view kFlag = "--epsilon ";
  std::string worded;
  for (size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with(kFlag)) {
      worded += epsilon;
      i += kFlag.size();
      continue;
    }
    const size_t length = NumberLength(rest);
    const Result<Rational> number = length > kNumberBytesMax
                                        ? ParseRational(std::string(rest.substr(0, length)))
                                        : Result<Rational>(Rational(0));
    if (length > kNumberBytesMax && number.ok()) {
      worded += answer::ShortNumber(*number, answer::Rounding::kUp);
    } else {
      worded += rest.substr(0, std::max<size_t>(length, 1));
    }
    i += std::max<size_t>(length, 1);
  }
  return worded;
}

std::string FailureKind(std::string_view engine_text) {
  const size_t end = engine_text.find(" Error:");
  const std::string_view kind = engine_text.substr(0, end == std::string_view::npos ? 0 : end);
  // Why 32: the longest of the engine's kinds has fewer letters.
  const bool plain =
      !kind.empty() && kind.size() <= 32 && std::all_of(kind.begin(), kind.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
      });
  return plain ? std::string(kind) : "other";
}

}  // namespace tacit::wire
