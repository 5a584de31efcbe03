#pragma once

#include <string>

#include "answer/answer.h"

// Answers and explanations as text.

namespace tacit::answer {

// One JSON object, all digits.
std::string FormatJson(const Answer& answer);
std::string FormatJson(const Explanation& explanation);

// RFC 4180, all digits. NULL is an empty field, an empty text is "".
std::string FormatCsv(const Answer& answer);

// Aligned columns for a terminal, with error bars and only the digits that the noise supports.
std::string FormatTable(const Answer& answer);
std::string FormatText(const Explanation& explanation);

}  // namespace tacit::answer
