#include "sql/parse.h"

#include <gtest/gtest.h>

#include "sql/print/canonical.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

std::string RoundTrip(const std::string& text) {
  const Result<Statement> first = Parse(text);
  if (!first.ok()) return "error: " + first.error().public_message;
  const std::string printed = PrintCanonical(first->query);
  const Result<Statement> second = Parse(printed);
  if (!second.ok()) return "does not parse back: " + printed + ": " + second.error().public_message;
  if (!(second->query == first->query)) return "differs after a round trip: " + printed;
  return printed;
}

TEST(Parse, PrintsBackWhatItRead) {
  const std::vector<std::string> queries = {
      "SELECT count(*) FROM t1",
      "SELECT a AS x, \"Weird name\", t.b FROM t AS t WHERE a < 3 AND NOT (b IS NULL)",
  };
  for (const std::string& query : queries)
    EXPECT_EQ(RoundTrip(query).find("error"), std::string::npos);
}

}  // namespace
}  // namespace tacit::sql
