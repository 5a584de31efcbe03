#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/load.h"

// Whatever the bytes: a policy or an error with a text, and a policy that loads can be walked.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace tacit;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const Result<policy::Policy> result = policy::Parse(text, "tacit.yaml");
  if (!result.ok()) {
    TACIT_ASSERT(result.error().code == ErrorCode::kInvalidArgument);
    TACIT_ASSERT(!result.error().public_message.empty());
    return 0;
  }
  TACIT_ASSERT(policy::PolicyVersion(*result).size() == 64);
  for (const policy::Table& table : result->tables) {
    if (table.is_public) continue;
    TACIT_ASSERT(!result->PathOf(table).root_table.empty());
    for (const policy::Column& column : table.columns) {
      if (column.bounds) (void)policy::GridOf(column, kDoubleType).ok();
      if (column.keys) (void)policy::CountOf(*column.keys);
    }
  }
  return 0;
}
