#include <gtest/gtest.h>

#include "policy/load.h"
#include "policy/testing/sample.h"

// `engine: {kind: duckdb, tables: ...}`: which files each table is, and what is refused.

namespace tacit::policy {
namespace {

Result<Policy> WithEngine(const std::string& engine) {
  std::string text = testing::SampleWith("  people: {unit: id, rows_per_unit: 1}\n");
  const std::string usual = "engine: {kind: duckdb, path: data.duckdb}";
  text.replace(text.find(usual), usual.size(), engine);
  return Parse(text, "/srv/lake/tacit.yaml");
}

std::vector<FileTable> TablesOf(const std::string& tables) {
  const Result<Policy> policy = WithEngine("engine:\n  kind: duckdb\n  tables:\n" + tables);
  EXPECT_TRUE(policy.ok()) << (policy.ok() ? "" : policy.error().public_message);
  return policy.ok() ? std::get<DuckdbSettings>(policy->engine).tables : std::vector<FileTable>();
}

std::string RefusalOf(const std::string& table) {
  const Result<Policy> policy =
      WithEngine("engine:\n  kind: duckdb\n  tables:\n    people: " + table + "\n");
  EXPECT_FALSE(policy.ok()) << table;
  return policy.ok() ? "" : policy.error().public_message + "; " + policy.error().hint;
}

TEST(FileTables, FilesAreFoundFromThePolicysFolderOn) {
  const std::vector<FileTable> tables = TablesOf(
      "    visits: \"data/visits/*.parquet\"\n"
      "    stays: {files: \"/lake/stays/**/*.PARQUET\", partitions: {year: BIGINT, area: text}}\n"
      "    notes: {files: notes.csv.gz, columns: {id: bigint, cost: \"numeric(10, 2)\"}, "
      "delimiter: "
      "\";\", nulls: [n/a]}\n"
      "    marks: {files: ../marks.tsv, columns: {id: bigint}}\n"
      "    people: old.duckdb:persons\n"
      "    houses: old.duckdb\n");
  ASSERT_EQ(tables.size(), 6u);
  EXPECT_EQ(tables[0].files, "/srv/lake/data/visits/*.parquet");
  EXPECT_EQ(tables[0].format, FileTable::Format::kParquet);
  EXPECT_EQ(tables[1].files, "/lake/stays/**/*.PARQUET");
  EXPECT_EQ(tables[1].partitions, (std::vector<TypedColumn>{{"year", "bigint"}, {"area", "text"}}));
  EXPECT_EQ(tables[2].columns,
            (std::vector<TypedColumn>{{"id", "bigint"}, {"cost", "numeric(10,2)"}}));
  EXPECT_EQ(tables[2].delimiter, ';');
  EXPECT_EQ(tables[2].nulls, std::vector<std::string>{"n/a"});
  EXPECT_EQ(tables[3].files, "/srv/marks.tsv");
  EXPECT_EQ(tables[3].delimiter, '\t');
  EXPECT_EQ(tables[4].files, "/srv/lake/old.duckdb");
  EXPECT_EQ(tables[4].stored_name, "persons");
  EXPECT_EQ(tables[5].stored_name, "houses");
  EXPECT_EQ(
      std::get<DuckdbSettings>(WithEngine("engine: {kind: duckdb, tables: {a: a.parquet}}")->engine)
          .path,
      "/srv/lake/data");
}

TEST(FileTables, WhatIsReadOnlyFromElsewhereOrByGuessingIsRefusedByName) {
  for (const char* remote :
       {"s3://lake/x.parquet", "https://x.org/x.parquet", "{files: gs://a/b.csv}"}) {
    EXPECT_NE(RefusalOf(remote).find("not on this machine"), std::string::npos) << remote;
  }
  for (const char* unknown : {"x.json", "x.xlsx", "lake/*", "a:b.txt"}) {
    EXPECT_NE(RefusalOf(unknown).find("what kind of files"), std::string::npos) << unknown;
  }
  EXPECT_NE(RefusalOf("x.csv").find("columns: {id: bigint"), std::string::npos);
  EXPECT_NE(RefusalOf("'*.duckdb:t'").find("is a pattern"), std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.parquet, columns: {a: text}}").find("is for CSV"),
            std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.duckdb, partitions: {a: text}}").find("no folders inside"),
            std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.csv, columns: {a: hugeint}}").find("no type"), std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.csv, columns: {a: \"numeric(39,0)\"}}").find("no type"),
            std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.csv, columns: {a: text, A: text}}").find("named twice"),
            std::string::npos);
  EXPECT_NE(RefusalOf("{files: x.csv, columns: {a: text}, partitions: {A: text}}").find("once"),
            std::string::npos);
  EXPECT_NE(
      RefusalOf("{files: x.csv, columns: {a: text}, delimiter: \"::\"}").find("one character"),
      std::string::npos);
  EXPECT_NE(RefusalOf("{file: x.parquet}").find("files"), std::string::npos);
}

TEST(FileTables, ThereIsOneDatabaseOrThereAreFiles) {
  const Result<Policy> both =
      WithEngine("engine: {kind: duckdb, path: data.duckdb, tables: {a: a.parquet}}");
  ASSERT_FALSE(both.ok());
  EXPECT_NE(both.error().public_message.find("both"), std::string::npos);
  EXPECT_FALSE(WithEngine("engine: {kind: duckdb, tables: {}}").ok());
  EXPECT_FALSE(WithEngine("engine: {kind: duckdb, tables: [a.parquet]}").ok());
  EXPECT_FALSE(WithEngine("engine: {kind: duckdb, tables: {a: a.parquet, A: b.parquet}}").ok());
  EXPECT_FALSE(WithEngine("engine: {kind: postgres, dsn: x, tables: {a: a.parquet}}").ok());
}

}  // namespace
}  // namespace tacit::policy
