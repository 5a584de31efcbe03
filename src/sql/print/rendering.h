#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/bind/bind.h"

// How an engine without words of Tacit's own writes each function. Internal to src/sql/print.
namespace tacit::sql {

// A rendering that gives nothing says so: there is no text that is total and means the same.
using Text = std::optional<std::string>;

struct Application {
  const BoundApply& apply;
  const Type& result;
  const std::vector<std::string>& text;  // the printed arguments

  const Type& type(size_t i) const { return apply.arguments[i]->type; }
  const Bound& argument(size_t i) const { return apply.arguments[i]; }
  const Literal* literal(size_t i) const { return As<Literal>(apply.arguments[i]); }
};

using Rendering = Text (*)(const Application&);
using Renderings = std::map<std::string_view, Rendering>;

// name(a, b)
std::string CallText(const std::string& name, const std::vector<std::string>& arguments);
// (a AND b AND c)
std::string Connected(const Application& a, const char* word);
// (a <= b), by the function's own name
std::string InfixText(const Application& a);
// (a IN (b, c))
std::string InText(const Application& a);
// Of a literal.
int64_t NumberAt(const Application& a, size_t i);
// Whether more than one argument is no literal: what such a join gives can grow.
bool CanGrow(const Application& a);
// '{a,b}' of texts, NULL as a word.
std::string ArrayText(const std::vector<std::string>& texts);
// Digits of 1 and so many zeros.
std::string PowerOfTen(int power);

}  // namespace tacit::sql
