#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wire/pg/protocol/startup.h"

namespace tacit::wire::pg {

// The settings that a start-up packet asks for, in order: those of `options`
// ("-c name=value --name=value", as PGOPTIONS holds them; a backslash keeps a blank), then the
// others.
std::vector<std::pair<std::string, std::string>> SettingsOf(const StartupWanted& startup);

}  // namespace tacit::wire::pg
