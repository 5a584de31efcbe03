#pragma once

#include <string>
#include <string_view>

// Text for a terminal, in UTF-8.

namespace tacit {

// Control bytes as '?': no name in a table can move the cursor of whoever reads it.
std::string Printable(std::string text);

// How many columns it takes: bytes that continue a character take none.
size_t ColumnsOf(std::string_view text);

// Blanks behind it, or before it, up to so many columns.
enum class Align { kLeft, kRight };
std::string Padded(std::string_view text, size_t columns, Align align = Align::kLeft);

}  // namespace tacit
