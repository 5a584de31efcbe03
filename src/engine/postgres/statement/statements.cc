#include "engine/postgres/statement/dialect.h"
#include "engine/statement/printer.h"
#include "plan/tree/check.h"
#include "plan/tree/walk.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {
namespace {

// Refused by name, never approximated: docs/postgres.md says what.
Result<std::string> Complete(Result<std::string> text, const PostgresStatement& dialect) {
  if (!text.ok() || dialect.missing().empty()) return text;
  return statement::WithoutWords(dialect.Name(), dialect.missing());
}

std::set<std::string> InDoubles(const tree::ExactNode& exact) {
  std::set<std::string> names;
  for (const tree::ProjectedColumn& column : tree::ProjectOf(exact.groups.rows).columns) {
    if (column.form == tree::Form::kInDoubles) names.insert(column.name);
  }
  return names;
}

}  // namespace

Result<std::string> StatementOf(const plan::Release& release, const Catalog& catalog) {
  TACIT_ASSERT(tree::BrokenWall(*release.exact).empty());
  const PostgresStatement dialect(catalog, InDoubles(*release.exact));
  return Complete(statement::PrintExact(*release.exact, dialect), dialect);
}

Result<std::string> StatementOf(const plan::PublicTable& table, const Catalog& catalog) {
  const PostgresStatement dialect(catalog);
  if (const auto* keys = std::get_if<tree::AllKeys>(&table.rows)) {
    return Complete(statement::PrintKeys(*keys, dialect), dialect);
  }
  if (const auto* read = std::get_if<tree::PublicColumns>(&table.rows)) {
    std::string columns;
    for (const auto& [stored, name] : read->columns) {
      columns += (columns.empty() ? "" : ", ") + dialect.Words().Identifier(stored) + " AS " +
                 dialect.Words().Identifier(name);
    }
    return Complete("SELECT " + columns + " FROM " + dialect.Table(read->table) + " AS tacit_base",
                    dialect);
  }
  return std::string("SELECT 1 AS tacit_row");
}

}  // namespace tacit::engine::postgres
