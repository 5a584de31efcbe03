#include "wire/pg/prepared/fit_columns.h"

#include <algorithm>

#include "catalog/types.h"
#include "wire/pg/state/report.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

bool IsOneOf(Oid type, const engine::Value& value) {
  return engine::IsNull(value) || BinaryOfValue(type, value).ok();
}

}  // namespace

bool HaveSameTypes(const std::vector<OidColumn>& told, const std::vector<OidColumn>& given) {
  return std::equal(told.begin(), told.end(), given.begin(), given.end(),
                    [](const OidColumn& a, const OidColumn& b) { return a.type == b.type; });
}

Result<Done> FitColumns(const std::vector<OidColumn>& told, Table& table) {
  if (told.size() != table.columns.size()) {
    return Condition("the answer has other columns than were described", "datatype_mismatch",
                     "prepare the statement again");
  }
  for (size_t i = 0; i < told.size(); ++i) {
    if (told[i].type == table.columns[i].type) continue;
    for (const Values& row : table.rows) {
      if (IsOneOf(told[i].type, row[i])) continue;
      return Condition("with these parameters column " + std::to_string(i + 1) +
                           " is not of the type " + catalog::FormatType(told[i].type, -1) +
                           " that was described",
                       "datatype_mismatch", "cast the parameters, as in $1::numeric");
    }
  }
  table.columns = told;
  return Done{};
}

}  // namespace tacit::wire::pg
