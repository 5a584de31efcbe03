#pragma once

#include <optional>
#include <string>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// VALUES beside protected rows. literals.md has the claim.
namespace tacit::analysis {

// The VALUES that a public item of FROM is, in place or by a name of WITH; nothing for others.
std::optional<sql::DerivedTable> LiteralsOf(const PublicItem& item, const Environment& environment);

// Their rows as a scan, whose source is LiteralRows; refused if one is no literal. Its columns'
// values are public keys.
Result<ProtectedRows> ScanLiterals(Known& known, const sql::DerivedTable& table,
                                   sql::Position position);

// NULL is no value of the column any more: an equality with it leaves no such row.
void ForgetNull(Known& known, const sql::ColumnReference& column);

// How many of the rows can have the same value in a column of the scan (c1, c2, ...).
size_t MostEqual(const LiteralRows& literals, const std::string& column);

}  // namespace tacit::analysis
