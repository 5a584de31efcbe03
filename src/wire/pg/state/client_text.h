#pragma once

#include "base/result.h"
#include "wire/pg/protocol/message.h"
#include "wire/pg/state/settings/settings.h"
#include "wire/pg/types/text/client_form.h"

// Texts between a client and the server, which knows UTF-8 alone.

namespace tacit::wire::pg {

ClientForm FormOf(const Settings& settings);

Result<std::string> FromClient(const Settings& settings, std::string text);

// What is said about an answer is never lost for a letter that the client cannot read.
Report ForClient(const Settings& settings, Report report);
std::string ForClient(const Settings& settings, std::string name);

}  // namespace tacit::wire::pg
