// docs/total_functions.md says what the tables of functions say. TACIT_WRITE_DOCS=1 writes it anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

constexpr char kHead[] =
    "# Total functions\n\n"
    "Below the frontier ([architecture](architecture.md)) no row may raise an error, because that\n"
    "would be an answer about the row. Every function, operator and cast therefore has a domain, "
    "a\n"
    "guard in the text that the engine runs, and a result for the rest. This page is made from "
    "the\n"
    "tables in `src/sql/functions`, where none can be left out; a test compares the two, another\n"
    "(`src/sql/print/duckdb/algebra_test.cc`) runs them all, two deep, over the edges of every "
    "type.\n\n"
    "`tacit_finite` is NULL for an infinity and NaN, and makes 0 of -0. Group keys get one form\n"
    "before they are grouped, sorted or shown: doubles through it, intervals as PostgreSQL's\n"
    "`justify_interval` writes them. A bare stored column is compared, counted and summed as it "
    "is:\n"
    "an infinity is clamped to the bounds, NaN counts as the largest number.\n\n";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string RowOf(const std::string& names, const Totality& totality) {
  return "| " + names + " | " + std::string(totality.domain) + " | " + std::string(totality.guard) +
         " | " + std::string(totality.rest) + " |\n";
}

std::string Page() {
  // Functions with the same words share a row.
  std::map<std::string, std::pair<std::string, const Function*>> rows;
  for (const Function* function : AllFunctions()) {
    if (function->name.starts_with("tacit_")) continue;
    const Totality& totality = function->totality;
    const std::string key = std::string(function->family) + "\n" + std::string(totality.domain) +
                            "\n" + std::string(totality.guard) + "\n" + std::string(totality.rest);
    auto& [names, first] = rows[key];
    names += (names.empty() ? "`" : " `") + Escaped(function->name) + "`";
    first = function;
  }
  std::string page =
      std::string(kHead) + "| function | domain | guard | rest |\n| --- | --- | --- | --- |\n";
  for (const auto& [key, row] : rows) page += RowOf(row.first, row.second->totality);
  page += "\n| form | domain | guard | rest |\n| --- | --- | --- | --- |\n";
  for (const TotalForm& form : TotalForms()) page += RowOf(std::string(form.form), form.totality);
  return page;
}

TEST(Totality, PageSaysWhatTheTablesSay) {
  if (std::getenv("TACIT_WRITE_DOCS") != nullptr) {
    std::ofstream(TACIT_TOTALITY_PAGE) << Page();
  }
  std::stringstream written;
  written << std::ifstream(TACIT_TOTALITY_PAGE).rdbuf();
  EXPECT_EQ(written.str(), Page()) << "run this test with TACIT_WRITE_DOCS=1";
}

}  // namespace
}  // namespace tacit::sql
