#pragma once

#include "wire/pg/types/codec.h"
#include "wire/pg/types/text/encoding.h"
#include "wire/pg/types/text/text_style.h"

namespace tacit::wire::pg {

// How a client wants to read values: what its settings say.
struct ClientForm {
  TextStyle style = {};
  const Encoding* encoding = nullptr;  // null: UTF8
};

// A value that is not NULL, in a column of this type. Errors are those of codec.h and encoding.h.
Result<std::string> TextFor(const ClientForm& form, Oid type, const engine::Value& value);
Result<std::string> BinaryFor(const ClientForm& form, Oid type, const engine::Value& value);

}  // namespace tacit::wire::pg
