#include "catalog/tables/rows.h"

namespace tacit::catalog {

// A relation's columns that a query does not name stay NULL.
const std::vector<ComputedTable>& ComputedTables() {
  static const std::vector<ComputedTable> tables = {
      {"pg_catalog.pg_tables", R"(
SELECT n.nspname AS schemaname, c.relname AS tablename, 'tacit' AS tableowner,
       c.relhasindex AS hasindexes, c.relhasrules AS hasrules, c.relhastriggers AS hastriggers,
       c.relrowsecurity AS rowsecurity
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
WHERE c.relkind = 'r')"},
      {"pg_catalog.pg_views", R"(
SELECT n.nspname AS schemaname, c.relname AS viewname, 'tacit' AS viewowner
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
WHERE c.relkind = 'v')"},
      {"pg_catalog.pg_stat_user_tables", R"(
SELECT c.oid AS relid, n.nspname AS schemaname, c.relname AS relname
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname = 'public')"},
      {"pg_catalog.pg_stat_all_tables", R"(
SELECT c.oid AS relid, n.nspname AS schemaname, c.relname AS relname
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
WHERE c.relkind = 'r')"},
      {"information_schema.schemata", R"(
SELECT nspname AS schema_name, 'tacit' AS schema_owner FROM "pg_catalog.pg_namespace")"},
      {"information_schema.tables", R"(
SELECT n.nspname AS table_schema, c.relname AS table_name,
       CASE c.relkind WHEN 'r' THEN 'BASE TABLE' ELSE 'VIEW' END AS table_type,
       'NO' AS is_insertable_into, 'NO' AS is_typed
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace)"},
      {"information_schema.views", R"(
SELECT n.nspname AS table_schema, c.relname AS table_name, 'NONE' AS check_option,
       'NO' AS is_updatable, 'NO' AS is_insertable_into, 'NO' AS is_trigger_updatable,
       'NO' AS is_trigger_deletable, 'NO' AS is_trigger_insertable_into
FROM "pg_catalog.pg_class" c JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
WHERE c.relkind = 'v')"},
      {"information_schema.columns", R"(
WITH typed AS (
  SELECT n.nspname, c.relname, a.*, t.oid AS udt, t.typname, tn.nspname AS typschema, t.typelem,
         t.typlen, CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END AS base,
         CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier, t.typtype
  FROM "pg_catalog.pg_attribute" a
  JOIN "pg_catalog.pg_class" c ON c.oid = a.attrelid
  JOIN "pg_catalog.pg_namespace" n ON n.oid = c.relnamespace
  JOIN "pg_catalog.pg_type" t ON t.oid = a.atttypid
  JOIN "pg_catalog.pg_namespace" tn ON tn.oid = t.typnamespace)
SELECT nspname AS table_schema, relname AS table_name, attname AS column_name,
       attnum AS ordinal_position, CASE WHEN attnotnull THEN 'NO' ELSE 'YES' END AS is_nullable,
       CASE WHEN typtype <> 'd' AND typelem <> 0 AND typlen = -1 THEN 'ARRAY'
            ELSE tacit_format_type(base, -2) END AS data_type,
       CASE WHEN base IN (1042, 1043) AND modifier > 4 THEN modifier - 4 END
         AS character_maximum_length,
       CASE WHEN base IN (1042, 1043) AND modifier > 4 THEN (modifier - 4) * 4
            WHEN base IN (25, 1042, 1043) THEN 1073741824 END AS character_octet_length,
       CASE base WHEN 21 THEN 16 WHEN 23 THEN 32 WHEN 20 THEN 64 WHEN 700 THEN 24 WHEN 701 THEN 53
                 WHEN 1700 THEN CASE WHEN modifier > 4 THEN (modifier - 4) >> 16 END END
         AS numeric_precision,
       CASE WHEN base IN (20, 21, 23, 700, 701) THEN 2 WHEN base = 1700 THEN 10 END
         AS numeric_precision_radix,
       CASE WHEN base IN (20, 21, 23) THEN 0
            WHEN base = 1700 AND modifier > 4 THEN (modifier - 4) & 2047 END AS numeric_scale,
       CASE WHEN base = 1082 THEN 0 WHEN base IN (1083, 1114, 1184, 1186, 1266) THEN 6 END
         AS datetime_precision,
       CASE WHEN typtype = 'd' THEN typschema END AS domain_schema,
       CASE WHEN typtype = 'd' THEN typname END AS domain_name,
       CASE WHEN typtype = 'd' THEN 'pg_catalog' ELSE typschema END AS udt_schema,
       CASE WHEN typtype = 'd' THEN tacit_type_name(base) ELSE typname END AS udt_name,
       CAST(attnum AS VARCHAR) AS dtd_identifier, 'NO' AS is_self_referencing,
       'NO' AS is_identity, 'NO' AS identity_cycle, 'NEVER' AS is_generated,
       'NO' AS is_updatable
FROM typed)"},
  };
  return tables;
}

}  // namespace tacit::catalog
