#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/functions/totality.h"
#include "sql/range.h"
#include "sql/tree.h"

namespace tacit::sql {

// The types that a call's arguments are converted to, and its result's.
struct Signature {
  std::vector<Type> arguments;
  Type result;
};

// One argument as a rule sees it: its type, its literal if it is one, its range.
struct Argument {
  Type type;
  const Literal* literal = nullptr;
  Range range;
  bool is_age = false;                     // a - b, age(a, b): their parts are of one row's times
  bool is_repeated = false;                // INTERVAL '1 day' * n, whose length is limited
  bool is_whole = false;                   // floor(x) and its like: no fraction, of any type
  std::optional<int64_t> length_max = {};  // of a text: its characters, where the query limits them
};

// A scalar function or operator that may run on protected rows. Each is total: for every row it
// gives a value or NULL, in time linear in its input. How an engine's dialect writes it is that
// dialect's business (print/).
struct Function {
  std::string_view name;    // as in a Call; operators and predicates by their symbol or word
  std::string_view family;  // for the reference: arithmetic, comparison, math, text, date, ...
  Totality totality;
  int arguments_min = 1;
  int arguments_max = 1;  // -1: any number
  // The signature for arguments of these types, or nothing when there is none.
  std::optional<Signature> (*sign)(const std::vector<Type>& types) = nullptr;
  // What is wrong with the arguments beyond their types (must be a literal, a known field, ...);
  // empty when nothing is.
  std::string (*complain)(const std::vector<Argument>& arguments) = nullptr;
  // A closer result type once the literals are known: round(x, 2) has two decimals.
  Type (*refine)(const std::vector<Argument>& arguments, const Type& result) = nullptr;
  // Where the result lies; absent: anywhere.
  Range (*range)(const std::vector<Argument>& arguments, const Type& result) = nullptr;
};

const Function* FindFunction(std::string_view name);
std::vector<const Function*> AllFunctions();

// Why a name is not in the table, with what to write instead where there is something.
Error UnknownFunction(const std::string& name, Position position);

// The type in which values of both types can be compared and mixed, or nothing.
std::optional<Type> CommonType(const Type& a, const Type& b);
std::optional<Type> CommonType(const std::vector<Type>& types);
// numeric(p, s) wide enough for every value of an integer type; a numeric as it is.
Type AsNumeric(const Type& type);
// What an explicit cast of `from` to numeric without digits gives.
Type PlainNumericOf(const Type& from);
bool CanCast(const Type& from, const Type& to);  // CAST(x AS t)

// The result type of an aggregate or a window function, or why it has none.
Result<Type> AggregateType(const AggregateCall& call, const std::vector<Type>& arguments,
                           Position position);

// Casts, CASE and aggregates: conversion.cc.
std::vector<TotalForm> TotalForms();

// One list per family; functions.cc joins them.
std::vector<Function> ArithmeticFunctions();
std::vector<Function> ComparisonFunctions();
std::vector<Function> ConditionalFunctions();
std::vector<Function> MathFunctions();
std::vector<Function> TextFunctions();
std::vector<Function> DateFunctions();
std::vector<Function> RegexFunctions();

// Shorthands of the family files.
constexpr Type Simple(TypeKind kind) { return Type{.kind = kind, .precision = 0, .scale = 0}; }
constexpr Type Numeric(int precision, int scale) { return NumericType(precision, scale); }
inline bool IsInstant(const Type& type) {
  return type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp ||
         type.kind == TypeKind::kTimestampTz;
}
std::optional<int64_t> IntegerLiteral(const Argument& argument);

}  // namespace tacit::sql
