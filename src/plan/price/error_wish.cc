#include "plan/price/error_wish.h"

#include "base/ascii.h"

namespace tacit::plan {
namespace {

constexpr char kErrorHint[] = "for example 40, 5 %, or by columns: n = 40, \"Unit Price\" = 5 %";

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The parts between commas; a comma between double quotes is a name's.
std::vector<std::string> PartsOf(const std::string& text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// As PostgreSQL writes names: "Unit ""Price""".
Result<std::string> NameOf(const std::string& written) {
  if (!written.starts_with('"')) return written;
  if (written.size() < 3 || !written.ends_with('"')) {
    return InvalidArgument("the name " + written + " has no end", kErrorHint);
  }
  std::string name;
  for (size_t i = 1; i + 1 < written.size(); ++i) {
    name += written[i];
    if (written[i] == '"') ++i;
  }
  return name;
}

Result<ErrorTarget> TargetOf(std::string text) {
  ErrorTarget target;
  target.relative = text.ends_with('%');
  if (target.relative) text = Trimmed(text.substr(0, text.size() - 1));
  Result<Rational> number = ParseRational(text);
  if (!number.ok()) {
    Error error = std::move(number).error();
    error.public_message = "an error is a number or a percentage: " + error.public_message;
    error.hint = kErrorHint;
    return error;
  }
  if (*number <= 0) return InvalidArgument("an error must be above 0, not " + text, kErrorHint);
  target.error = target.relative ? Rational(*number / 100) : *number;
  return target;
}

}  // namespace

std::string ErrorText(const ErrorTarget& target) {
  return target.relative ? ToString(Rational(target.error * 100)) + " %" : ToString(target.error);
}

std::string ErrorText(const ErrorWish& wish) {
  std::string text;
  for (const auto& [name, target] : wish.named) {
    text += (text.empty() ? "" : ", ") + name + " = " + ErrorText(target);
  }
  if (wish.others) text += (text.empty() ? "" : ", ") + ErrorText(*wish.others);
  return text;
}

const ErrorTarget* ErrorWish::Of(const std::string& column) const {
  for (const bool exactly : {true, false}) {
    for (const auto& [name, target] : named) {
      const bool fits = exactly ? name == column : InSmallLetters(name) == InSmallLetters(column);
      if (fits) return &target;
    }
  }
  return others ? &*others : nullptr;
}

Result<ErrorWish> ReadErrorWish(const std::string& text) {
  ErrorWish wish;
  for (const std::string& part : PartsOf(text)) {
    const size_t equals = part.rfind('=');
    TACIT_TRY(const ErrorTarget target,
              TargetOf(Trimmed(equals == std::string::npos ? part : part.substr(equals + 1))));
    if (equals == std::string::npos) {
      if (wish.others) {
        return InvalidArgument("two errors without a column: " + text, kErrorHint);
      }
      wish.others = target;
      continue;
    }
    TACIT_TRY(const std::string name, NameOf(Trimmed(part.substr(0, equals))));
    for (const auto& [other, ignored] : wish.named) {
      if (other == name) return InvalidArgument("two errors of " + name, kErrorHint);
    }
    wish.named.emplace_back(name, target);
  }
  return wish;
}

}  // namespace tacit::plan
