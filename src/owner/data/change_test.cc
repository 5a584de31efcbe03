#include "owner/data/change.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ledger/inspect.h"
#include "owner/data/exchange.h"
#include "owner/keys/deployment_key.h"
#include "owner/prepare.h"
#include "owner/testing/folder.h"

namespace tacit::owner {
namespace {

constexpr char kClinicTables[] =
    "  # one row a person\n"
    "  people:\n    unit: pid\n    rows_per_unit: 1\n"
    "  visits:\n    unit: {via: pid, to: people}\n    rows_per_unit: 5\n"
    "  notes:\n    unit: {via: visit, to: visits.visit}\n    rows_per_unit: 5\n"
    "  towns:\n    public: true\n";

std::string TextOfFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A deployment of four tables, as an owner makes one.
class Deployed : public ::testing::Test {
 protected:
  void SetUp() override {
    Csv("people", "pid,age\nann,30\nbob,40\ncyd,50\n");
    Csv("visits", "visit,pid,days\n1,ann,3\n2,bob,4\n3,bob,5\n4,,6\n");
    Csv("notes", "visit,word\n1,a\n2,b\n3,c\n9,d\n");
    Csv("towns", "town,size\nx,1\n");
    InitRequest request;
    request.folder = d();
    for (const char* table : {"people", "visits", "notes", "towns"}) {
      request.tables.push_back({table, Path(table)});
    }
    request.units = {{"people", "pid"}, {"visits", "pid"}};
    const auto made = Init(request);
    ASSERT_TRUE(made.ok()) << made.error().public_message;
    std::ofstream(d() + "/tacit.yaml") << policy::testing::SampleWith(kClinicTables);
  }

  std::string d() const { return folder_.File("d"); }
  std::string Path(const std::string& table) const { return folder_.File(table + ".csv"); }
  TableFile Csv(const std::string& table, const std::string& text) const {
    std::ofstream(Path(table)) << text;
    return {table, Path(table)};
  }
  std::string Change(const ChangeRequest& request) {
    const Result<ChangeReport> report = ChangeData(d(), request);
    return report.ok() ? "" : report.error().public_message;
  }
  // Every row of the table, in stored order.
  std::string Rows(const std::string& sql) const {
    using namespace engine::duckdb;
    const Database database = Database::OpenReadOnly(d() + "/data.duckdb", {.threads = 1}).value();
    Connection connection = database.Connect().value();
    engine::ResultTable table;
    if (const auto failure = connection.Query({.sql = sql}, 100, &table)) return failure->text;
    std::string text;
    for (const auto& row : table.rows) {
      for (const engine::Value& cell : row) text += ToText(cell) + " ";
    }
    return text;
  }
  std::vector<std::string> Recorded() const {
    std::vector<std::string> found;
    const auto read = ledger::ForEachRecord(
        d() + "/ledger.sqlite", [&](const ledger::StoredRecord& stored) -> Result<Done> {
          TACIT_TRY(const ledger::Record record, ledger::ReadRecord(stored.body));
          const auto* data = std::get_if<ledger::DataAct>(&record.act);
          if (data != nullptr) {
            found.push_back(std::to_string(data->change.data_version) + " " + data->change.what);
          }
          return Done{};
        });
    EXPECT_TRUE(read.ok());
    return found;
  }
  int64_t Version() const { return policy::Load(d())->data_version; }
  bool Prepared() const {
    const policy::Policy policy = policy::Load(d()).value();
    return IsPrepared(policy, ReadDeploymentKey(policy).value());
  }

  testing::Folder folder_;
};

TEST_F(Deployed, APersonGoesWithEverythingThatLeadsToThem) {
  EXPECT_EQ(Change({.people = {"bob"}}), "");
  EXPECT_EQ(Rows("SELECT pid FROM people"), "ann cyd ");
  EXPECT_EQ(Rows("SELECT visit FROM visits ORDER BY visit"), "1 4 ");
  EXPECT_EQ(Rows("SELECT word FROM notes ORDER BY word"), "a d ") << "9 leads to nobody";
  EXPECT_EQ(Rows("SELECT town FROM towns"), "x ");
  EXPECT_EQ(Version(), 2);
  EXPECT_TRUE(Prepared());
  EXPECT_EQ(Recorded(), (std::vector<std::string>{"2 people deleted"}));
  for (const auto& entry : std::filesystem::directory_iterator(d())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(TextOfFile(entry.path()).find("bob"), std::string::npos) << entry.path();
  }
  EXPECT_NE(Change({.people = {"bob"}}).find("no table holds a row of 'bob'"), std::string::npos);
  EXPECT_EQ(Version(), 2);
}

TEST_F(Deployed, AReplacedTableKeepsItsIndexAndTheOthersTheirRows) {
  const TableFile people = Csv("people", "pid,age\nzoe,60\nann,31\n");
  EXPECT_EQ(Change({.replace = {people}}), "");
  EXPECT_EQ(Rows("SELECT pid, age FROM people"), "ann 31 zoe 60 ") << "by person";
  EXPECT_EQ(Rows("SELECT count(*) FROM visits"), "4 ");
  EXPECT_EQ(Rows("SELECT count(*) FROM duckdb_indexes() WHERE table_name = 'people'"), "1 ");
  EXPECT_EQ(Recorded(), (std::vector<std::string>{"2 table replaced: people"}));
  struct stat status {};
  ASSERT_EQ(::stat((d() + "/data.duckdb").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(Deployed, TablesComeAndGoInThePolicyToo) {
  const TableFile labs = Csv("labs", "pid,value\nann,3\n");
  EXPECT_EQ(Change({.add = {labs}, .units = {{"labs", "pid"}}}), "");
  EXPECT_EQ(Rows("SELECT value FROM labs"), "3 ");
  ASSERT_NE(policy::Load(d())->Find("labs"), nullptr);
  EXPECT_NE(Change({.add = {labs}}).find("already"), std::string::npos);
  EXPECT_EQ(Change({.drop = {"LABS"}}), "");
  EXPECT_EQ(policy::Load(d())->Find("labs"), nullptr);
  EXPECT_NE(TextOfFile(d() + "/tacit.yaml").find("# one row a person"), std::string::npos);
  const auto undecided = ChangeData(d(), {.add = {labs}});
  ASSERT_TRUE(undecided.ok());
  EXPECT_NE(undecided->undecided.find("DECIDE whose privacy"), std::string::npos);
  EXPECT_EQ(policy::Load(d())->Find("labs"), nullptr) << "nobody can ask before it is decided";
}

TEST_F(Deployed, WhatDoesNotFitThePolicyChangesNothing) {
  const std::string before = TextOfFile(d() + "/data.duckdb");
  for (const ChangeRequest& request :
       {ChangeRequest{.replace = {Csv("visits", "visit,days\n1,2\n")}},
        ChangeRequest{.replace = {Csv("people", "a,b\n1\n")}}, ChangeRequest{.drop = {"people"}},
        ChangeRequest{.drop = {"nobody"}}, ChangeRequest{.replace = {{"gone", Path("people")}}}}) {
    EXPECT_NE(Change(request), "");
  }
  EXPECT_EQ(TextOfFile(d() + "/data.duckdb"), before);
  EXPECT_EQ(Version(), 1);
  EXPECT_TRUE(Recorded().empty());
  for (const auto& entry : std::filesystem::directory_iterator(d())) {
    EXPECT_EQ(entry.path().string().find("chang"), std::string::npos) << entry.path();
  }
}

TEST_F(Deployed, WhoStopsThePreparingIsToldThatTheDataHasChanged) {
  const auto stops_at = [](double share) {
    return [share](const std::string&, double percent) { return percent <= share; };
  };
  const Result<ChangeReport> late = ChangeData(d(), {.people = {"bob"}, .progress = stops_at(76)});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().public_message,
            "the data is changed, and data_version is now 2, but the tables are not prepared: that "
            "was interrupted");
  EXPECT_EQ(late.error().hint, "tacit prepare " + d());
  EXPECT_EQ(Rows("SELECT pid FROM people"), "ann cyd ");
  EXPECT_EQ(Version(), 2);
  EXPECT_FALSE(Prepared());
  const Result<ChangeReport> early = ChangeData(d(), {.people = {"ann"}, .progress = stops_at(60)});
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().public_message,
            "interrupted: nothing was changed, and nothing is left behind");
  EXPECT_EQ(Version(), 2);
}

TEST_F(Deployed, AnExchangeThatWasCutOffIsFinishedByWhoeverComesNext) {
  const std::string data = d() + "/data.duckdb";
  const std::string waiting = Exchange::FolderOf(data);
  std::filesystem::create_directory(waiting);
  std::filesystem::copy_file(data, waiting + "/" + Exchange::kData);
  std::string text = TextOfFile(d() + "/tacit.yaml");
  text = "data_version: 7\n" + text;
  std::ofstream(waiting + "/" + Exchange::kPolicy) << text;
  std::ofstream(data + "-prepared") << "rows of somebody";
  const Result<policy::Policy> policy = LoadDeployment(d());
  ASSERT_TRUE(policy.ok()) << policy.error().public_message;
  EXPECT_EQ(policy->data_version, 7);
  EXPECT_FALSE(std::filesystem::exists(waiting));
  EXPECT_FALSE(std::filesystem::exists(data + "-prepared"));
}

}  // namespace
}  // namespace tacit::owner
