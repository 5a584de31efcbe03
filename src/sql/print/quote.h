#pragma once

#include <string>
#include <string_view>

namespace tacit::sql {

// "a", "Weird ""name""": quoted only where PostgreSQL needs it. For people's eyes.
std::string QuoteIdentifierIfNeeded(const std::string& name);
// Always quoted. For engines.
std::string QuoteIdentifier(std::string_view name);
// 'it''s'; a backslash stands for itself, as standard_conforming_strings has it.
std::string QuoteString(std::string_view text);

}  // namespace tacit::sql
