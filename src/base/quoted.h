#pragma once

#include <string>
#include <string_view>

// Texts between marks, as SQL, CSV and shells read them back.
namespace tacit {

// 'it''s', "a ""b""": the text between two marks, and each mark inside it twice.
std::string Doubled(std::string_view text, char mark);

// Adds a cell of CSV, between marks where it must be.
void AppendCsvCell(std::string_view cell, char delimiter, std::string& line);
// A text as a cell between commas. An empty one is "", so that it is not taken for NULL.
std::string CsvText(std::string_view text);

// As a shell reads it back: bare where that is safe, for commands in messages.
std::string ShellQuoted(const std::string& text);
// The same, always in single marks.
std::string InShellMarks(std::string_view text);

}  // namespace tacit
