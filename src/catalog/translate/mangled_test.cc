#include "base/testing/mangled.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/testing/tape_entropy.h"
#include "catalog/catalog.h"
#include "catalog/testing/clinic.h"

// The catalog's questions come from whoever has a password, and are translated in the gateway's own
// process: whatever they say, it goes on.
namespace tacit::catalog {
namespace {

const char* const kStatements[] = {
    "SELECT c.oid, c.relname AS name, n.nspname FROM pg_catalog.pg_class c LEFT JOIN "
    "pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', '') AND "
    "n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND pg_table_is_visible(c.oid) ORDER "
    "BY "
    "1, 2 LIMIT 10 OFFSET 1",
    "SELECT a.attname, format_type(a.atttypid, a.atttypmod), (SELECT "
    "substring(pg_get_expr(d.adbin, "
    "d.adrelid, true) for 128) FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = "
    "a.attnum AND a.atthasdef), a.attnotnull FROM pg_attribute a WHERE a.attrelid = "
    "'visits'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
    "SELECT a.attname, CASE WHEN a.atttypid = ANY ('{int,int8,int2}'::regtype[]) AND EXISTS "
    "(SELECT "
    "FROM pg_attrdef ad WHERE ad.adrelid = a.attrelid AND ad.adnum = a.attnum AND "
    "pg_get_expr(ad.adbin, ad.adrelid) = 'x') THEN 'serial' ELSE format_type(a.atttypid, "
    "a.atttypmod) END AS data_type FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE "
    "a.attnum > 0",
    "SELECT c.column_name, c.data_type, constraint_type, constraint_name FROM "
    "information_schema.table_constraints tc JOIN information_schema.constraint_column_usage AS "
    "ccu "
    "USING (constraint_schema, constraint_name) JOIN information_schema.columns AS c ON "
    "c.table_schema = tc.constraint_schema AND tc.table_name = c.table_name",
    "WITH t AS (SELECT oid, typname FROM pg_type WHERE typtype = 'b' UNION ALL SELECT 1, 'x') "
    "SELECT "
    "DISTINCT ON (typname) typname, count(*) FILTER (WHERE oid > 20) OVER (), array_agg(oid ORDER "
    "BY oid) FROM t GROUP BY typname, oid HAVING count(*) > 0",
    "SELECT ARRAY(SELECT unnest(i.indkey)), (SELECT array_agg(x) FROM unnest(ARRAY[1, 2]) AS "
    "u(x)), "
    "i.indoption[0], coalesce(i.indisunique, false), nullif(1, 2), greatest(1, 2) FROM pg_index i, "
    "LATERAL (SELECT 1 AS one) l WHERE i.indrelid = $1 AND i.indrelid IN (SELECT oid FROM "
    "pg_class)",
    "SELECT current_database(), current_schema(), current_user, version(), current_schemas(true), "
    "pg_backend_pid(), has_table_privilege('visits', 'SELECT'), has_schema_privilege('public', "
    "'USAGE'), obj_description('visits'::regclass, 'pg_class'), pg_get_userbyid(10)",
    "SELECT t.x, v.n FROM generate_series(1, 3) AS t(x), (VALUES (1, 'a'), (2, NULL)) AS v(n, s) "
    "WHERE v.n BETWEEN 1 AND 2 AND s IS NOT DISTINCT FROM NULL AND s LIKE 'a%' ORDER BY 1 DESC "
    "NULLS LAST",
    "SELECT x.n, quote_ident('a'), (current_schemas(true))[1] FROM (SELECT 1 AS n) x WHERE "
    "CAST(x.n "
    "AS text)::int = ANY (ARRAY[1, 2]) AND x.n >= ALL (SELECT 0)",
    "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'TimeZone') UNION "
    "SELECT "
    "'a' || 'b', upper('a') EXCEPT SELECT 'x', 'y'::text"};

TEST(Mangled, NoQuestionToTheCatalogEndsTheProgram) {
  const Result<Catalog> clinic = Catalog::Make(testing::ClinicPolicy(), testing::ClinicSchema());
  ASSERT_TRUE(clinic.ok());
  const Asker asker = testing::AskerAna();
  tacit::testing::SeededEntropy entropy(20261118);
  const int rounds = std::getenv("TACIT_LONG") != nullptr ? 5000 : 100;
  int answered = 0, refused = 0;
  for (const char* statement : kStatements) {
    const std::vector<std::string> words = tacit::testing::WordsOf(statement);
    for (int i = -1; i < rounds; ++i) {
      const std::string text = i < 0 ? statement : tacit::testing::Mangled(words, entropy);
      if (std::getenv("TACIT_SHOW") != nullptr) std::fprintf(stderr, "%s\n", text.c_str());
      const Result<std::optional<Query>> query = clinic->Recognize(text);
      if (!query.ok() || !*query) {
        EXPECT_GE(i, 0) << text;
        ++refused;
        continue;
      }
      const Result<Answer> answer =
          clinic->Run(**query, asker, std::vector<std::optional<std::string>>(1, "1"), {});
      (answer.ok() ? answered : refused) += 1;
      if (answer.ok()) continue;
      EXPECT_NE(answer.error().code, ErrorCode::kInternal) << text;
      EXPECT_GE(i, 0) << text << "\n"
                      << answer.error().public_message << answer.error().private_detail;
    }
  }
  std::printf("%d answered, %d refused\n", answered, refused);
  EXPECT_GT(answered, rounds / 2);
  EXPECT_GT(refused, rounds);
}

}  // namespace
}  // namespace tacit::catalog
