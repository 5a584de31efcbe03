#pragma once

#include <cstdint>
#include <optional>

#include "base/value_type.h"

namespace tacit::answer {

// A type as files keep it (docs/stored_answers.md). The numbers are the format's own: what is
// written is hashed, so they stay whatever becomes of TypeKind.
struct StoredType {
  uint8_t kind = 0;
  uint8_t bits = 0;
  uint8_t precision = 0;
  uint8_t scale = 0;
};

StoredType StoredTypeOf(const ValueType& type);
// Nothing for what StoredTypeOf never gives.
std::optional<ValueType> TypeOf(const StoredType& stored);

}  // namespace tacit::answer
