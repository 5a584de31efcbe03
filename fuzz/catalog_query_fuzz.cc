// Any bytes: the catalog takes a query as its own or leaves it, and what it takes it answers or
// explains. An answer has the shape that was described, and the engine never meets a statement that
// it cannot parse: a piece of the text that got through unquoted would be one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "catalog/testing/clinic.h"

namespace catalog = tacit::catalog;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const auto* const clinic = new tacit::Result<catalog::Catalog>(
      catalog::Catalog::Make(catalog::testing::ClinicPolicy(), catalog::testing::ClinicSchema()));
  static const catalog::Asker session = catalog::testing::AskerAna();
  if (!clinic->ok() || size > 4096) return clinic->ok() ? 0 : (std::abort(), 0);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto query = (*clinic)->Recognize(text);
  if (!query.ok() || !query->has_value()) return 0;
  const auto shape = (*clinic)->Describe(**query, session);
  const std::vector<std::optional<std::string>> values(8, "patients");
  const auto answer = (*clinic)->Run(**query, session, values);
  if (!answer.ok()) {
    if (answer.error().private_detail.starts_with("Parser Error")) std::abort();
    return 0;
  }
  if (!shape.ok() || shape->columns.size() != answer->columns.size()) std::abort();
  for (const auto& row : answer->rows) {
    if (row.size() != answer->columns.size()) std::abort();
  }
  return 0;
}
