#pragma once

#include "policy/policy.h"
#include "policy/yaml/words.h"

// One function a section of the policy file; policy/load.cc calls them in the file's order.

namespace tacit::policy::read {

Result<Privacy> ReadPrivacy(const yaml::Node& node, std::string_view file);
Result<Budget> ReadBudget(const yaml::Node& node, std::string_view file, std::string what);

Result<std::vector<Table>> ReadTables(const yaml::Node& node, std::string_view file);
Result<Column> ReadColumn(const std::string& name, const Place& place, const yaml::Node& node,
                          std::string_view file, const std::string& table);
Result<KeyList> ReadKeys(const yaml::Node& node, std::string_view file, const std::string& what);

// Fills in what only the whole list of tables can say: the column that `to: TABLE` means, and the
// spelling of names. Refuses ways to the unit that lead nowhere or in a circle, and key lists from
// tables that are not public.
Result<Done> ResolveUnits(std::vector<Table>& tables, std::string_view file);

// `folder` resolves relative paths.
Result<std::string> ReadPath(const yaml::Words& words, std::string_view word,
                             std::string_view example, const std::string& folder);
Result<EngineSettings> ReadEngine(const yaml::Node& node, std::string_view file,
                                  const std::string& folder);
// `tables` of the engine DuckDB: which files each of them is.
Result<std::vector<FileTable>> ReadFileTables(const yaml::Node& node, std::string_view file,
                                              const std::string& folder);
Result<PostgresSettings> ReadPostgresEngine(const yaml::Node& node, std::string_view file,
                                            const std::string& folder);
Result<TrinoSettings> ReadTrinoEngine(const yaml::Node& node, std::string_view file,
                                      const std::string& folder);
Result<LedgerSettings> ReadLedger(const yaml::Node& node, std::string_view file,
                                  const std::string& folder);
Result<ServerSettings> ReadServer(const yaml::Node& node, std::string_view file,
                                  const std::string& folder);
Result<std::vector<Analyst>> ReadAnalysts(const yaml::Node& node, std::string_view file,
                                          const std::string& folder);

// A name that SQL can say: not empty, at most 63 bytes (PostgreSQL cuts longer ones), one line.
Result<Done> CheckName(const yaml::Node& key, std::string_view file, std::string_view what);

}  // namespace tacit::policy::read
