#include "anonymize/anonymize.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "anonymize/release/verify.h"
#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

Table Clinic(uint32_t rows) {
  std::string text = "name,age,sex,zip,illness,\"note, short\"\n";
  for (uint32_t i = 0; i < rows; ++i) {
    text += "name" + std::to_string(i) + "," + std::to_string(20 + i * 7 % 61) + "," +
            (i % 2 == 0 ? "F" : "M") + ",750" + std::to_string(10 + i * 31 % 23) + ",\"ill, " +
            std::to_string(i * 13 % 5) + "\",n" + std::to_string(i % 3) + "\n";
  }
  return ParseCsv(text, "clinic.csv").value();
}

Request AgeSexZip(uint32_t k) {
  return {.quasi_identifiers = {"age", "sex", "zip"},
          .sensitive = "illness",
          .keep = {},
          .requirement = {.k = k},
          .rules = {}};
}

std::string MessageOf(const Table& table, const Request& request) {
  const Result<Release> release = Anonymize(table, request);
  return release.ok() ? "no error" : release.error().public_message;
}

TEST(Anonymize, WhatIsWrittenVerifies) {
  const Table table = Clinic(400);
  const std::string path = testing::TempDir() + "/anonymize_test_out.csv";
  for (const Method method : {Method::kMondrian, Method::kRedact}) {
    Request request = AgeSexZip(4);
    request.requirement.l = 2;
    request.requirement.t = 0.6;
    request.method = method;
    const Release release = Anonymize(table, request).value();
    ASSERT_TRUE(WriteRelease(table, release, path).ok());
    const Table written = ReadCsv(path).value();
    EXPECT_EQ(written.rows, 400u);
    const Verified verified = Verify(written, request).value();
    EXPECT_TRUE(verified.broken.empty()) << verified.broken[0];
    EXPECT_EQ(verified.measures.classes, release.measures.classes);
    EXPECT_NEAR(verified.measures.loss, release.measures.loss, 1e-9);
  }
  std::filesystem::remove(path);
}

TEST(Anonymize, ColumnsThatAreNotNamedAreRedacted) {
  const Table table = Clinic(40);
  const std::string path = testing::TempDir() + "/anonymize_test_redacted.csv";
  const Release release = Anonymize(table, AgeSexZip(4)).value();
  ASSERT_TRUE(WriteRelease(table, release, path).ok());
  const Table written = ReadCsv(path).value();
  EXPECT_EQ(written.Find("name")->values, std::vector<std::string>{"*"});
  EXPECT_EQ(written.Find("note, short")->values, std::vector<std::string>{"*"});
  EXPECT_EQ(written.Find("illness")->values.size(), 5u);
  std::filesystem::remove(path);
}

TEST(Anonymize, TheOrderOfTheRowsTellsNothing) {
  const Table table = Clinic(200);
  std::vector<uint32_t> turned = AllRows(table);
  std::reverse(turned.begin(), turned.end());
  const Table other = TakeRows(table, turned);
  std::string texts[2];
  const std::string path = testing::TempDir() + "/anonymize_test_order.csv";
  for (const int i : {0, 1}) {
    const Table& input = i == 0 ? table : other;
    ASSERT_TRUE(WriteRelease(input, Anonymize(input, AgeSexZip(5)).value(), path).ok());
    texts[i] = ReadWholeFile(path).value();
  }
  EXPECT_EQ(texts[0], texts[1]);
  std::filesystem::remove(path);
}

TEST(Anonymize, WrongRequestsAreNamed) {
  const Table table = Clinic(20);
  EXPECT_EQ(MessageOf(table, AgeSexZip(21)), "k is 21, but the table has only 20 rows");
  Request request = AgeSexZip(2);
  request.quasi_identifiers.push_back("illness");
  EXPECT_EQ(MessageOf(table, request),
            "the sensitive column \"illness\" is among the quasi-identifiers");
  request = AgeSexZip(2);
  request.quasi_identifiers.push_back("height");
  EXPECT_EQ(MessageOf(table, request), "clinic.csv:1: there is no column \"height\"");
  request = AgeSexZip(2);
  request.keep = {"age"};
  EXPECT_EQ(MessageOf(table, request), "the column \"age\" is named twice");
  request = AgeSexZip(2);
  request.sensitive = "";
  request.requirement.l = 2;
  EXPECT_EQ(MessageOf(table, request), "l and t need a sensitive column");
  request.quasi_identifiers.clear();
  EXPECT_EQ(MessageOf(table, request), "there are no quasi-identifiers");
}

}  // namespace
}  // namespace tacit::anonymize
