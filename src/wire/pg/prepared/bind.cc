#include "wire/pg/prepared/bind.h"

#include "base/utf8.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/codec.h"
#include "wire/service/parameter_value.h"

namespace tacit::wire::pg {
namespace {

Result<std::string> TextOfBinary(size_t number, uint32_t type, const std::string& binary) {
  Result<std::string> text = TextOf(type, binary);
  if (text.ok()) return text;
  return text.error().code == ErrorCode::kUnsupported ? ParameterIsNotTaken(number, type)
                                                      : ParameterIsNotA(number, type);
}

}  // namespace

Result<Row> BoundTexts(BindMessage& message, const std::vector<uint32_t>& types,
                       const ClientForm& form) {
  if (message.parameters.size() != types.size()) {
    return Condition("bind message supplies " + std::to_string(message.parameters.size()) +
                         " parameters, but the prepared statement requires " +
                         std::to_string(types.size()),
                     "protocol_violation");
  }
  const std::vector<int16_t>& formats = message.parameter_formats;
  Row values;
  for (size_t i = 0; i < message.parameters.size(); ++i) {
    const int16_t format = formats.empty() ? int16_t{0} : formats[formats.size() == 1 ? 0 : i];
    std::optional<std::string>& value = message.parameters[i];
    if (value && format == 1) {
      TACIT_TRY(value, TextOfBinary(i + 1, types[i], *value));
    }
    if (value && form.encoding != nullptr) {
      TACIT_TRY(value, form.encoding->ToUtf8(*value));
    }
    if (value && !IsUtf8(*value)) {
      return Condition("parameter $" + std::to_string(i + 1) + " is not valid UTF-8",
                       "character_not_in_repertoire");
    }
    if (value && value->find('\0') != std::string::npos) {
      return Condition("parameter $" + std::to_string(i + 1) + " contains a zero byte",
                       "invalid_text_representation");
    }
    values.push_back(std::move(value));
  }
  return values;
}

Result<Done> CheckFormats(const std::vector<int16_t>& formats, size_t columns) {
  if (formats.size() <= 1 || formats.size() == columns) return Done{};
  return Condition("bind message has " + std::to_string(formats.size()) +
                       " result formats but the query has " + std::to_string(columns) + " columns",
                   "protocol_violation");
}

}  // namespace tacit::wire::pg
