#include "wire/pg/types/text/client_form.h"

#include "wire/pg/types/parts.h"

namespace tacit::wire::pg {

Result<std::string> TextFor(const ClientForm& form, Oid type, const engine::Value& value) {
  std::string text = TextOfValue(type, value, form.style);
  if (form.encoding == nullptr) return text;
  return form.encoding->FromUtf8(text);
}

Result<std::string> BinaryFor(const ClientForm& form, Oid type, const engine::Value& value) {
  Result<std::string> binary = BinaryOfValue(type, value);
  if (!binary.ok() || form.encoding == nullptr || !IsTextLike(type)) return binary;
  return form.encoding->FromUtf8(*binary);
}

}  // namespace tacit::wire::pg
