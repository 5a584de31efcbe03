#include "base/quoted.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Doubled, HasEveryMarkTwiceBetweenTwo) {
  EXPECT_EQ(Doubled("it's \"so\"", '\''), "'it''s \"so\"'");
  EXPECT_EQ(Doubled("it's \"so\"", '"'), "\"it's \"\"so\"\"\"");
  EXPECT_EQ(Doubled("", '"'), "\"\"");
}

TEST(CsvCell, IsQuotedWhereAReaderWouldSplitIt) {
  std::string line;
  for (const char* cell : {"plain", "a,b", "say \"x\"", "two\nlines", "a;b", ""}) {
    AppendCsvCell(cell, ',', line);
    line += ' ';
  }
  EXPECT_EQ(line, "plain \"a,b\" \"say \"\"x\"\"\" \"two\nlines\" a;b  ");
  EXPECT_EQ(CsvText("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvText(""), "\"\"") << "nothing would be NULL";
}

TEST(ShellQuoted, IsReadBackByAShell) {
  EXPECT_EQ(ShellQuoted("/srv/clinic-1/ledger.sqlite"), "/srv/clinic-1/ledger.sqlite");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(InShellMarks("bare"), "'bare'");
}

}  // namespace
}  // namespace tacit
