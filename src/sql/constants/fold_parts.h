#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/tree.h"

// Internal to src/sql/constants: what a call, an operator or a cast of literals gives; nothing
// where it is not computed here.
namespace tacit::sql::constants {

inline Literal Written(LiteralKind kind, std::string text) {
  return {.kind = kind, .text = std::move(text), .interval = {}};
}

std::optional<Literal> FoldOperator(const std::string& symbol, const Literal& left,
                                    const Literal& right);
std::optional<Literal> FoldCall(const std::string& name, const std::vector<const Literal*>& given);
// coalesce, greatest, abs, length and their like.
std::optional<Literal> FoldPlain(const std::string& name, const std::vector<const Literal*>& given);
std::optional<Literal> FoldCast(const Literal& literal, const Type& type);

// 'true', 'T', 'yes', 'on', '1' and their opposites.
std::optional<bool> ParseBoolean(std::string text);

// A text beside a date or a timestamp as what it is beside; any other literal as it is.
Literal ReadBeside(const Literal& text, const Literal& other);

// AND, OR, NOT, IS NULL, CASE and IN where literals decide them; else the node as it is.
Expression FoldDecided(const Expression& node);
// Whole numbers of another type, 2024::numeric, which is extract(year FROM DATE '2024-05-02'); else
// the node as it is.
Expression FoldWhole(const Expression& node);

}  // namespace tacit::sql::constants
