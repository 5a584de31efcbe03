// Terms of `tacit account` as people type them: what is accepted is within the ranges the
// accountants rely on, what is refused says why.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "accounting/account/parse_term.h"
#include "accounting/cost.h"
#include "base/assert.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const tacit::Result<tacit::accounting::Term> term = tacit::accounting::ParseTerm(text);
  if (!term.ok()) {
    TACIT_ASSERT(!term.error().public_message.empty());
    return 0;
  }
  TACIT_ASSERT(term->count >= 1);
  if (const auto pure = tacit::accounting::PureEpsilon(term->event)) TACIT_ASSERT(pure->value > 0);
  if (const auto zcdp = tacit::accounting::ZcdpCostOf(term->event)) {
    TACIT_ASSERT(zcdp->rho.value > 0 && zcdp->delta.value >= 0 && zcdp->delta.value < 1);
  }
  return 0;
}
