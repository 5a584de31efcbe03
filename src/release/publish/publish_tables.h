#pragma once

#include "release/publish/publish.h"
#include "release/tables/tables.h"

namespace tacit::release {

// Tables to publish, as the command line names them.
struct TablesRequest {
  std::string table;
  std::vector<std::vector<std::string>> tables;  // the columns of each
  std::optional<Epsilon> epsilon = {};           // of the whole release; nothing: the policy's
  std::optional<Delta> delta = {};
};

struct TablesPlan {
  std::vector<Attribute> attributes;  // every column once
  std::vector<TableColumns> tables;
  ReleasePrice price;
  ShowingBudget showing;  // of open columns; its rest is for the tables
  std::string question;
};
// "age, sex; sex, region": at least one table, each of different columns, no table twice.
Result<std::vector<std::vector<std::string>>> ReadTables(const std::string& text);
// Charges nothing, reads no protected row.
Result<TablesPlan> PlanTables(const TablesRequest& request, gateway::Services& services);

struct PublishedTables {
  ReleasedTables released;
  std::vector<Attribute> attributes;  // open ones with the values that were shown
  ledger::Receipt receipt;
};
// One charge for all of them; the same tables again are free and the same.
Result<PublishedTables> PublishTables(const TablesPlan& plan, const std::string& table,
                                      gateway::Services& services, const Progress& progress);

}  // namespace tacit::release
