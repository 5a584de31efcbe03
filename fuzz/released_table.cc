#include <string>
#include <string_view>

#include "answer/table_bytes.h"
#include "base/assert.h"

// Stored answers come from a file. Whatever is read is written again as the very same bytes: two
// texts never mean the same table.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const tacit::Result<tacit::engine::ResultTable> table = tacit::answer::ReadTable(input);
  if (table.ok()) TACIT_ASSERT(tacit::answer::WriteTable(*table) == input);
  return 0;
}
