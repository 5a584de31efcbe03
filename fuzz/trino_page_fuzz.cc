#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/trino/connection/page.h"
#include "engine/trino/values.h"

// What a cluster answers, or whoever stands in its place: a page of a statement, and each of its
// cells as a value of every type.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tacit;
  const auto page =
      engine::trino::ReadPage(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!page) return 0;
  for (const auto& column : page->columns) (void)engine::trino::TypeOfName(column.type);
  for (const auto& row : page->rows) {
    for (const engine::trino::Cell& cell : row) {
      for (const TypeKind kind :
           {TypeKind::kBoolean, TypeKind::kSmallint, TypeKind::kBigint, TypeKind::kReal,
            TypeKind::kDouble, TypeKind::kText, TypeKind::kDate, TypeKind::kTime,
            TypeKind::kTimestamp, TypeKind::kTimestampTz, TypeKind::kUuid, TypeKind::kOpaque}) {
        (void)engine::trino::ReadValue(cell, ValueType{.kind = kind});
      }
      (void)engine::trino::ReadValue(cell, NumericType(38, 2));
      (void)engine::trino::ReadWhole(cell);
    }
  }
  return 0;
}
