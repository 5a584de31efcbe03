#include "engine/duckdb/database/database.h"
#include "owner/data/rebuild.h"

namespace tacit::owner {
namespace {

using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;

}  // namespace

// Down the foreign keys, as `tacit prepare` carries people: what leads to one of them is theirs.
std::string RowsOfPeople(const policy::Policy& policy, const policy::Table& table,
                         const std::vector<std::string>& people) {
  if (table.is_public || people.empty()) return "";
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
    const std::string column = QuoteName(unit->column);
    std::string any;
    for (const std::string& person : people) {
      any += (any.empty() ? "" : ", ") + QuoteLiteral(person);
    }
    return "CAST(" + column + " AS VARCHAR) IN (" + any + ")";
  }
  const auto* reached = std::get_if<policy::UnitIsReached>(&table.unit);
  const policy::Table* parent = reached == nullptr ? nullptr : policy.Find(reached->to_table);
  if (parent == nullptr) return "";
  const std::string theirs = RowsOfPeople(policy, *parent, people);
  if (theirs.empty()) return "";
  return QuoteName(reached->via) + " IN (SELECT " + QuoteName(reached->to_column) +
         " FROM tacit_old.main." + QuoteName(parent->name) + " WHERE " + theirs + ")";
}

}  // namespace tacit::owner
