#include "wire/pg/protocol/frame.h"
#include "wire/pg/protocol/startup.h"
#include "wire/pg/types/codec.h"

// Everything that a stranger's bytes reach: start-up packets, message heads and bodies, values in
// binary and text.

using namespace tacit::wire;
using namespace tacit::wire::pg;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  if (input.size() < 6) return 0;
  (void)ReadFrameHead(input.substr(0, kFrameHeadBytes), (input[5] & 1) != 0);
  const std::string_view body = input.substr(5);
  (void)ReadStartup(body);
  (void)ReadQuery(body);
  (void)ReadParse(body);
  (void)ReadBind(body);
  (void)ReadNamed(body);
  (void)ReadExecute(body);
  constexpr Oid kTypes[] = {oid::kBool,      oid::kBytea,     oid::kInt2,        oid::kInt4,
                            oid::kInt8,      oid::kOid,       oid::kFloat4,      oid::kFloat8,
                            oid::kDate,      oid::kTime,      oid::kTimestamp,   oid::kTimestampTz,
                            oid::kInterval,  oid::kNumeric,   oid::kUuid,        oid::kJsonb,
                            oid::kInt4Array, oid::kTextArray, oid::kNumericArray};
  const Oid type = kTypes[static_cast<unsigned char>(input[0]) % std::size(kTypes)];
  const auto text = TextOf(type, body);
  // What was read can be written again.
  if (text.ok() && !BinaryOf(type, *text).ok() && type != oid::kDate && type != oid::kTimestamp &&
      type != oid::kTimestampTz && type != oid::kInterval && type != oid::kTime) {
    __builtin_trap();
  }
  (void)BinaryOf(type, body);
  return 0;
}
