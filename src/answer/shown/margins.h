#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/answer.h"

// Margins that were computed from released numbers, row by row.
namespace tacit::answer {

// How far the column's number in a row may be off; `margins` is the row of Answer::margins. Nothing
// where none is known.
std::optional<Rational> MarginIn(const std::vector<engine::Value>& margins,
                                 const plan::OutputColumn& column);

// The same of any column, as a plain number: its margin, or the error that all of its rows have.
// Nothing where none is known in the column's own unit.
std::optional<double> ErrorIn(const std::vector<engine::Value>& margins,
                              const plan::OutputColumn& column);

// A cell as a plain number; nothing for NULL and for what is no finite number.
std::optional<double> FiniteNumber(const engine::Value& value);

// "95 % of answers like this are within 0.3 to 12 (avg) of the truth.": of the columns whose
// margins differ from row to row; empty where there are none.
std::string MarginSentence(const Answer& answer);

// What is said with an answer: its own notices, and the margins.
std::vector<std::string> NoticesOf(const Answer& answer);

}  // namespace tacit::answer
