#include "gateway/learning/unit_parts.h"

#include <string>

#include "base/assert.h"
#include "base/secrets/digest.h"

namespace tacit::gateway::learning {
namespace {

// Why 62: whole numbers below it have no sign to think of.
constexpr int kHashBits = 62;

}  // namespace

uint64_t UnitParts::HashOf(std::string_view unit) const {
  const std::string digest =
      HmacSha256(key_, "tacit unit parts 1\n" + purpose_ + "\n" + std::string(unit));
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof hash; ++i) {
    hash = hash << 8 | static_cast<unsigned char>(digest[i]);
  }
  return hash >> (64 - kHashBits);
}

bool UnitParts::IsInFirst(std::string_view unit, const Rational& share) const {
  const Integer hash = ToInteger(static_cast<int64_t>(HashOf(unit)));
  const Rational place = Fraction(hash, ToInteger(int64_t{1} << kHashBits));
  return place < share;
}

// proof: gateway/learning/aggregate.md#the-blocks
size_t UnitParts::PartOf(std::string_view unit, size_t parts) const {
  TACIT_ASSERT(parts > 0);
  return static_cast<size_t>(HashOf(unit) % parts);
}

}  // namespace tacit::gateway::learning
