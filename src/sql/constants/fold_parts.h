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
std::optional<Literal> FoldCast(const Literal& literal, const Type& type);

}  // namespace tacit::sql::constants
