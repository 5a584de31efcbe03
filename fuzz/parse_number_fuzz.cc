// Numbers as people type them: what is read is written so that it reads the same, the two readers
// agree, and the doubles on either side enclose the exact value.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/numbers/rational.h"

namespace tacit {
namespace {

void TryRational(std::string_view text) {
  const Result<Rational> read = ParseRational(text);
  if (!read.ok()) {
    TACIT_ASSERT(!read.error().public_message.empty());
    return;
  }
  const Rational& value = *read;
  TACIT_ASSERT(ToDoubleDown(value) <= ToDoubleUp(value));
  TACIT_ASSERT(FloorOf(value) <= value && value <= CeilOf(value));
  const std::string written = ToString(value);
  const Result<Rational> again = ParseRational(written);
  // Writing spells out what an exponent said briefly, so a long number may not be read back.
  if (again.ok()) {
    TACIT_ASSERT(*again == value);
  } else {
    TACIT_ASSERT(written.size() > kRationalExponentMax);
  }
}

void TryInt128(std::string_view text) {
  const std::optional<Int128> read = ParseInt128(text);
  if (!read) return;
  TACIT_ASSERT(ParseInt128(ToString(*read)) == read);
  TACIT_ASSERT(SaturateToInt128(ToInteger(*read)) == *read);
  if (text.size() > 100) return;  // leading zeros beyond what a parameter may have
  const Result<Rational> as_rational = ParseRational(text);
  TACIT_ASSERT(as_rational.ok() && *as_rational == MakeRational(*read));
}

}  // namespace
}  // namespace tacit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  tacit::TryRational(text);
  tacit::TryInt128(text);
  return 0;
}
