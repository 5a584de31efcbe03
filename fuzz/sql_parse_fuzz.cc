// Any bytes: the parser answers or explains, and what it accepts prints back and parses again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sql/parse.h"
#include "sql/print/canonical/canonical.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const tacit::Result<tacit::sql::Statement> first = tacit::sql::Parse(text);
  if (!first.ok()) return 0;
  const std::string printed = tacit::sql::PrintCanonical(first->query);
  const tacit::Result<tacit::sql::Statement> second = tacit::sql::Parse(printed);
  // Printing may lengthen a text beyond what the parser takes; otherwise nothing may be lost.
  if (!second.ok()) {
    if (second.error().code != tacit::ErrorCode::kUnsupported) std::abort();
    return 0;
  }
  if (!(second->query == first->query)) std::abort();
  return 0;
}
