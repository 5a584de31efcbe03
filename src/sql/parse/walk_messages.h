#pragma once

#include <protobuf-c/protobuf-c.h>

namespace tacit::sql::grammar {

// Calls `visit` with every message that a message of the grammar's tree holds directly, whatever
// its kind: what the walk does not know it cannot overlook.
template <class Visit>
void ForEachMessageIn(const ProtobufCMessage& message, const Visit& visit) {
  const char* base = reinterpret_cast<const char*>(&message);
  for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
    if (field.type != PROTOBUF_C_TYPE_MESSAGE) continue;
    const char* member = base + field.offset;
    if (field.label == PROTOBUF_C_LABEL_REPEATED) {
      const size_t count = *reinterpret_cast<const size_t*>(base + field.quantifier_offset);
      auto* const* items = *reinterpret_cast<ProtobufCMessage* const* const*>(member);
      for (size_t item = 0; item < count; ++item) visit(*items[item]);
      continue;
    }
    if ((field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0 &&
        *reinterpret_cast<const uint32_t*>(base + field.quantifier_offset) != field.id) {
      continue;
    }
    if (auto* held = *reinterpret_cast<ProtobufCMessage* const*>(member)) visit(*held);
  }
}

}  // namespace tacit::sql::grammar
