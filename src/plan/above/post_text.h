#pragma once

#include <optional>
#include <string>

#include "analysis/facts.h"

// DuckDB's words for names, types and numbers: what is computed from released values runs there,
// whatever engine holds the rows.
namespace tacit::plan {

std::string QuoteName(const std::string& identifier);
std::string TypeText(const sql::Type& type);
std::string DoubleText(const Rational& value);
// Numbers of up to 17 digits are exact quotients of integers; longer ones are doubles anyway: their
// digits.
std::optional<std::string> LongDoubleText(const Rational& value);
std::string KeyValueText(const policy::KeyValue& value);
// ['F', 'M']: a mode's public values as a list of the column's type.
std::string ModeValuesText(const analysis::ExactMeasure& measure);

// WITH <tables>, <the text's own> SELECT ...
std::string WithTables(const std::string& tables, const std::string& text);

}  // namespace tacit::plan
