#pragma once

#include <string>

namespace tacit::sql {

// "a", "Weird ""name""": quoted only where PostgreSQL needs it. For people's eyes.
std::string QuoteIdentifierIfNeeded(const std::string& name);
// Always quoted. For engines.
std::string QuoteIdentifier(const std::string& name);
// 'it''s'; a backslash stands for itself, as standard_conforming_strings has it.
std::string QuoteString(const std::string& text);

}  // namespace tacit::sql
