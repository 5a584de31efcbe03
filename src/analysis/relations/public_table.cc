#include "analysis/relations/public_table.h"

#include "analysis/types.h"

namespace tacit::analysis {

ProtectedRows ScanPublicTable(Known& known, const sql::TableReference& reference) {
  const policy::Table& table = *known.policy.Find(reference.name);
  const policy::SchemaTable& stored = *known.schema.Find(table.name);
  const std::string qualifier =
      reference.alias.name.empty() ? reference.name : reference.alias.name;
  TableScan scan{.alias = NextAlias(known),
                 .table = stored.name,
                 .stored_columns = {},
                 .opaque_columns = {},
                 .is_public = true,
                 .hops = {},
                 .unit_column = "",
                 .rows_per_unit = 1,
                 .rows_max = ToInteger(table.rows_max),
                 .prepared = stored.prepared,
                 .unique_on = {}};
  ProtectedRows result;
  for (const policy::SchemaColumn& column : stored.columns) {
    scan.stored_columns.push_back(column.name);
    RowColumn facts;
    facts.table = stored.name;
    facts.column = column.name;
    facts.stored_type = column.type;
    facts.type = QueryTypeOf(column.type);
    facts.keys = policy::KeysOfTable{stored.name, column.name, table.rows_max};
    result.columns.push_back({qualifier, column.name,
                              AddColumn(known, {scan.alias, column.name}, std::move(facts)),
                              false});
  }
  for (size_t i = 0; i < reference.alias.columns.size() && i < result.columns.size(); ++i) {
    result.columns[i].name = reference.alias.columns[i];
  }
  result.rows.source = RowSource(RowSourceNode{std::move(scan)});
  return result;
}

}  // namespace tacit::analysis
