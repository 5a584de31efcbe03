#pragma once

#include <string>

#include "base/numbers/rational.h"
#include "engine/value.h"

// Exact fractions as people and programs read them.

namespace tacit::answer {

// A JSON number: every digit where that is short, else the nearest double.
std::string JsonNumber(const Rational& value);

enum class Rounding { kDown, kUp };
// For the eye: exact when that is short, else six digits. What is left is rounded down, what is
// spent and how far an answer may be off up.
std::string ShortNumber(const Rational& value, Rounding rounding);

// How far a number may be off, for the eye: two digits, rounded up.
// An error that is the same in every row: its digits where they are few, else three, rounded up.
std::string ErrorNumber(const Rational& error);
std::string MarginText(const Rational& margin);

// A number of an answer with only the digits that its noise supports: rounded to the second digit
// of moe95. As it is where moe95 is zero. What is not a number comes back as text.
std::string SupportedDigits(const engine::Value& value, const Rational& moe95);

// The value as a JSON value; NaN and infinities are strings, as PostgreSQL writes them.
std::string JsonValue(const engine::Value& value);
std::string JsonText(const std::string& text);

}  // namespace tacit::answer
