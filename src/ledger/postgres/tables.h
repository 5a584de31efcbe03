#pragma once

#include <string>

// The tables of a ledger in PostgreSQL (docs/ledger_format.md).

namespace tacit::ledger {

inline constexpr int64_t kPostgresFormat = 1;

// Why 13: the oldest release that PostgreSQL's authors still mended when this was written.
inline constexpr int64_t kPostgresVersionMin = 130000;

// `@` stands for the schema, whose name needs no quotes (the policy sees to it).
std::string InSchema(std::string sql, const std::string& schema);

// Makes schema and tables, for a role that may; more than one statement.
std::string SqlOfTables(const std::string& schema);
// What a role of its own for the gateways needs: it can add and never take away.
std::string SqlOfGrants(const std::string& schema, const std::string& role);

}  // namespace tacit::ledger
