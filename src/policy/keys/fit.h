#pragma once

#include "base/value_type.h"
#include "policy/keys/keys.h"

namespace tacit::policy {

// The keys as a column of this type takes them: '75001' in quotes is a number beside numbers, and
// each value stands there once. What does not fit stays as it is.
KeyList KeysAs(const KeyList& keys, const ValueType& type);

// Whether questions can be answered by these keys, after KeysAs. Cells of a calendar are dates, or
// times without a zone: where a day begins in another zone is another matter. Of KeysOfTable only
// the database knows.
bool KeysFit(const KeyList& keys, const ValueType& type);

}  // namespace tacit::policy
