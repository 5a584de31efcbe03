#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "sql/functions/function.h"
#include "sql/print/postgres/postgres.h"
#include "sql/print/trino/trino.h"

namespace tacit::sql {
namespace {

// The page names the functions that the engine is not asked for: these and no other.
void ExpectToName(const std::string& path, const PartialDialect& dialect) {
  std::set<std::string> missing;
  for (const Function* function : AllFunctions()) {
    if (function->name.starts_with("tacit_") || dialect.Knows(*function)) continue;
    missing.insert(std::string(function->name));
  }
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string mark = "<!-- functions -->";
  const size_t begin = page.find(mark) + mark.size();
  std::stringstream words(page.substr(begin, page.find(mark, begin) - begin));
  std::set<std::string> named;
  for (std::string word; words >> word;) named.insert(word.substr(1, word.size() - 2));
  EXPECT_EQ(named, missing) << path;
}

TEST(EnginePages, NameEveryFunctionThatIsMissing) {
  ExpectToName(TACIT_POSTGRES_PAGE, PostgresDialect());
  ExpectToName(TACIT_TRINO_PAGE, TrinoDialect());
}

// Whoever prints sees what is missing, and the first of it.
TEST(PartialDialect, NotesDownWhatItHasNoWordsFor) {
  const PostgresDialect dialect;
  EXPECT_EQ(dialect.missing(), "");
  EXPECT_EQ(dialect.Cast("x", kTextType, kIntegerType), "NULL");
  EXPECT_EQ(dialect.missing(), "a cast of text to integer");
  EXPECT_EQ(dialect.Cast("x", kDoubleType, kTextType), "NULL");
  EXPECT_EQ(dialect.missing(), "a cast of text to integer");
}

}  // namespace
}  // namespace tacit::sql
