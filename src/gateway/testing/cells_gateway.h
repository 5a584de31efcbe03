#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway::testing {

inline constexpr char kCellsPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: NEIGHBOURS
  accounting: ACCOUNTING
  budget: {epsilon: 1e9, delta: 1e-6}
  query: {epsilon: 0.4, epsilon_max: 1e8, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 3
    columns:
      id: {hidden: true}
      age: {bounds: [0, 120]}
      town: {keys: [north, south, west]}
  places: {public: true}
analysts:
)";

// 8,000 people: members are mostly old, and in the south.
inline constexpr char kCellsPeople[] =
    "CREATE TABLE people AS SELECT i::INTEGER AS id, (18 + (i * 7919) % 63)::INTEGER AS age, "
    "((18 + (i * 7919) % 63) > 45) <> (i % 10 = 0) AS member, i % 5 AS free, CASE (i * 31) % 4 "
    "WHEN 0 THEN 'south' WHEN 1 THEN 'north' WHEN 2 THEN 'west' ELSE 'nowhere' END AS town, 'Ann' "
    "AS name FROM range(8000) t(i)";

// A gateway over people with an age, a town and whether they are members.
class CellsGateway : public AskedGateway {
 protected:
  CellsGateway() { Make("add_remove", "pure"); }

  void Make(const std::string& neighbours, const std::string& accounting,
            const std::string& extra = "") {
    engine_.reset();
    ledger_.reset();
    std::filesystem::remove(folder_ / "data.duckdb");
    const std::string path = (folder_ / "data.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Result<Connection> connected = database->Connect();
      Connection connection = std::move(connected).value();
      for (const std::string& sql : {std::string(kCellsPeople),
                                     std::string("CREATE TABLE places AS SELECT 1 AS x"), extra}) {
        if (!sql.empty()) EXPECT_FALSE(connection.Execute(sql)) << sql;
      }
    }
    std::string text = kCellsPolicy;
    text.replace(text.find("NEIGHBOURS"), 10, neighbours);
    text.replace(text.find("ACCOUNTING"), 10, accounting);
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + kVerifier +
              "\", budget: {epsilon: 1e9, delta: 1e-7}}\n";
    }
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
    engine_ = std::make_unique<FaultyEngine>(
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1}));
    schema_ = engine_->ReadSchema().value();
    ledger_file_ = "ledger-" + std::to_string(++worlds_) + ".sqlite";
    const std::string ledger = (folder_ / ledger_file_).string();
    EXPECT_TRUE(ledger::Ledger::Create(ledger).ok());
    ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(ledger).value());
  }
  ledger::Cost SpentNow() const {
    const auto accounts = ledger::ReadAccounts((folder_ / ledger_file_).string());
    return accounts->empty() ? ledger::Cost{} : accounts->at(0).spent;
  }
  static Request At(const std::string& text, const Rational& epsilon,
                    const std::string& analyst = "") {
    Request request{.text = text, .analyst = analyst, .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(epsilon);
    return request;
  }
  std::string ledger_file_;
  int worlds_ = 0;
};

}  // namespace tacit::gateway::testing
