#include "anonymize/table/read_csv.h"

#include <gtest/gtest.h>

namespace tacit::anonymize {
namespace {

using List = std::vector<std::string>;

// Rows as lists of cells, or the error.
std::vector<List> Rows(std::string_view text, const CsvOptions& options = {}) {
  const Result<Table> table = ParseCsv(text, "people.csv", options);
  if (!table.ok()) return {{"ERROR " + table.error().public_message}};
  std::vector<List> rows;
  for (uint32_t row = 0; row < table->rows; ++row) {
    List& cells = rows.emplace_back();
    for (const CodedColumn& column : table->columns) cells.push_back(column.Cell(row));
  }
  return rows;
}

std::vector<List> Wrong(const std::string& message) { return {{"ERROR " + message}}; }

TEST(ReadCsv, ReadsCellsAsTheyStand) {
  EXPECT_EQ(Rows("a,b\n1, x \n,\n"), (std::vector<List>{{"1", " x "}, {"", ""}}));
  EXPECT_EQ(Rows("\xef\xbb\xbf"
                 "a,b\r\n1,2\r\n\r\n3,4"),
            (std::vector<List>{{"1", "2"}, {"3", "4"}}));
}

TEST(ReadCsv, QuotedCellsHoldDelimitersQuotesAndLines) {
  EXPECT_EQ(Rows("a,b\n\"x, \"\"y\"\"\",\"1\n2\"\r\n3,4\n"),
            (std::vector<List>{{"x, \"y\"", "1\n2"}, {"3", "4"}}));
}

TEST(ReadCsv, FindsTheDelimiterInTheFirstLine) {
  EXPECT_EQ(Rows("a;b\n1,5;2\n"), (std::vector<List>{{"1,5", "2"}}));
  EXPECT_EQ(Rows("a\tb\n1\t2\n"), (std::vector<List>{{"1", "2"}}));
  EXPECT_EQ(Rows("a;b,c\n1;2,3\n", {.delimiter = ';'}), (std::vector<List>{{"1", "2,3"}}));
  EXPECT_EQ(Rows("1;2\n3;4\n", {.headings = false}), (std::vector<List>{{"1", "2"}, {"3", "4"}}));
}

TEST(ReadCsv, WhatDoesNotFitIsSaidWithItsLine) {
  EXPECT_EQ(Rows(""), Wrong("people.csv:1: the file is empty"));
  EXPECT_EQ(Rows("\n\n"), Wrong("people.csv:3: the file is empty"));
  EXPECT_EQ(Rows("a,b\n"), Wrong("people.csv:2: there are no rows"));
  EXPECT_EQ(Rows("a,a\n1,2\n"), Wrong("people.csv:1: the column \"a\" comes twice"));
  EXPECT_EQ(Rows("a,\n1,2\n"), Wrong("people.csv:1: column 2 has no name"));
  EXPECT_EQ(Rows("a,b\n1,2\n3\n"), Wrong("people.csv:3: 1 cell where the first line has 2"));
  EXPECT_EQ(Rows("a,b\n\"1\n\",2\n3,4,5\n"),
            Wrong("people.csv:4: 3 cells where the first line has 2"));
  EXPECT_EQ(Rows("a\n1\n\"2\n3\n"), Wrong("people.csv:3: a quote is not closed"));
  EXPECT_EQ(Rows("a\n\"1\"2\n"), Wrong("people.csv:2: there is text after a closing quote"));
  EXPECT_EQ(Rows("a\nx\"y\n"),
            Wrong("people.csv:2: a quote stands inside a cell that does not start with one"));
  EXPECT_EQ(Rows(std::string_view("a\nx\0y\n", 6)),
            Wrong("people.csv:2: there is a zero byte: this is not a text file"));
}

TEST(ReadCsv, APlaceIsTheLineWhereTheRowBegins) {
  const Table table = ParseCsv("\na\n\n1\n\"2\n2\"\n\n3\n", "f").value();
  EXPECT_EQ(table.Place(0), "f:4");
  EXPECT_EQ(table.Place(1), "f:5");
  EXPECT_EQ(table.Place(2), "f:8");
}

TEST(ReadCsv, ManyValuesKeepTheirCodes) {
  std::string text = "n\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919 % 3001) + "\n";
  const Table table = ParseCsv(text, "f").value();
  EXPECT_EQ(table.columns[0].values.size(), 3001u);
  for (uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(table.columns[0].Cell(i), std::to_string(i * 7919 % 3001));
  }
}

TEST(ReadCsv, AMissingFileSaysWhy) {
  EXPECT_EQ(ReadCsv("/nowhere/people.csv").error().public_message,
            "cannot read /nowhere/people.csv: No such file or directory");
}

}  // namespace
}  // namespace tacit::anonymize
