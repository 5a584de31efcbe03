#pragma once

#include <functional>
#include <optional>

#include "sql/tree.h"

namespace tacit::sql {

// The type of an operand, where it is known.
using OperandType = std::function<std::optional<Type>(const Expression&)>;

// The expression with one spelling for each constant that a comparison names: d >= '2024-05-02', d
// >= DATE '2024-05-02' and d >= TIMESTAMP '2024-05-02 00:00' are one question where d is a date, k
// = '7' and k = 7::bigint where k is a whole number. Every row gives what it gave before.
Expression WithComparedConstants(const Expression& expression, const OperandType& type_of);

}  // namespace tacit::sql
