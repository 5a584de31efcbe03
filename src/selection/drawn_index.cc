#include "selection/drawn_index.h"

#include <charconv>

namespace tacit::selection {
namespace {

constexpr char kMagic[] = "tacit selection 1\n";
constexpr char kNone[] = "none";

}  // namespace

Error CannotReadDrawn() {
  return {.code = ErrorCode::kUnavailable,
          .public_message = "the stored answer of this choice cannot be read",
          .hint = "run tacit ledger verify",
          .position = std::nullopt,
          .private_detail = ""};
}

std::string IndexToBytes(std::optional<size_t> index) {
  return kMagic + (index ? std::to_string(*index) : std::string(kNone));
}

Result<std::optional<size_t>> IndexFromBytes(const std::string& bytes, size_t count) {
  const std::string magic = kMagic;
  const std::string rest = bytes.starts_with(magic) ? bytes.substr(magic.size()) : "";
  if (rest == kNone) return std::optional<size_t>();
  size_t index = 0;
  const char* const end = rest.data() + rest.size();
  const auto [stop, failure] = std::from_chars(rest.data(), end, index);
  if (rest.empty() || failure != std::errc() || stop != end || index >= count) {
    return CannotReadDrawn();
  }
  return std::optional<size_t>(index);
}

}  // namespace tacit::selection
