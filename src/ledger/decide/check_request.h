#pragma once

#include "base/result.h"
#include "ledger/ledger.h"

namespace tacit::ledger {

// Is the request well-formed? Checked before any transaction.
Result<Done> CheckRequest(const ChargeRequest& request);

inline constexpr size_t kNameBytesMax = 256;    // analysts, fingerprints, request ids
inline constexpr size_t kReleasesMax = 512;     // of one query
inline constexpr size_t kScalesMax = 32;        // of one release
inline constexpr size_t kNumberBytesMax = 512;  // as text: a sum stays readable
inline constexpr size_t kDeclarationsBytesMax = size_t{1} << 18;

}  // namespace tacit::ledger
