#pragma once

#include "wire/pg/protocol/frame.h"
#include "wire/pg/types/text/client_form.h"
#include "wire/service/question.h"

namespace tacit::wire::pg {

// The values of a Bind message as texts, for parameters of these types, from a client that writes
// as it reads. Errors name the parameter.
Result<Row> BoundTexts(BindMessage& message, const std::vector<uint32_t>& types,
                       const ClientForm& form = {});

// protocol_violation unless the formats are none, one, or one for each column.
Result<Done> CheckFormats(const std::vector<int16_t>& formats, size_t columns);

}  // namespace tacit::wire::pg
