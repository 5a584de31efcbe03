#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"

// The parts of an answer's JSON, one behind the other: the opening, the rows with ", " between
// them, the closing.

namespace tacit::answer {

void AddJsonOpening(const Answer& answer, std::string& to);
void AddJsonRow(const std::vector<engine::Value>& row, std::string& to);
void AddJsonClosing(const Answer& answer, std::string& to);

}  // namespace tacit::answer
