#include "engine/duckdb/values/unruled_types.h"

#include <gtest/gtest.h>

#include "base/mutant.h"
#include "engine/duckdb/values/read_schema.h"

namespace tacit::engine::duckdb {
namespace {

policy::Schema SchemaMadeBy(const std::string& statement) {
  const Database database = Database::OpenInMemory({.threads = 1}).value();
  Connection connection = database.Connect().value();
  EXPECT_FALSE(connection.Execute(statement));
  return ReadSchema(connection).value();
}

TEST(UnruledTypes, FindsCollationsInWhatDuckDbWrites) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(CollatedColumns("CREATE TABLE t(a VARCHAR, b VARCHAR COLLATE NOCASE, c INTEGER);"),
            Names{"b"});
  EXPECT_EQ(CollatedColumns("CREATE TABLE \"a(b\"(\"x COLLATE y\" VARCHAR, \"q\"\"r\" VARCHAR "
                            "COLLATE NOCASE DEFAULT('a, b COLLATE NOCASE'));"),
            Names{"q\"r"});
  EXPECT_EQ(CollatedColumns("CREATE TABLE t(a DECIMAL(10, 2), b VARCHAR DEFAULT('COLLATE'));"),
            Names{});
}

TEST(UnruledTypes, AreOpaqueAndNamed) {
  const policy::Schema schema = SchemaMadeBy(
      "CREATE TABLE t (a TIMESTAMP_NS, b TIMESTAMP_S, c TIMESTAMP_MS, d HUGEINT, e UHUGEINT, f "
      "VARCHAR COLLATE NOCASE, g VARCHAR, h TIMESTAMP, i UBIGINT, \"j COLLATE\" VARCHAR COLLATE "
      "NOACCENT, k BLOB, l BIT, m STRUCT(x DOUBLE), n MAP(VARCHAR, DOUBLE), o DOUBLE[], p "
      "DOUBLE[2], q "
      "UNION(x DOUBLE, y VARCHAR))");
  const policy::SchemaTable& table = *schema.Find("t");
  for (const char* name :
       {"a", "b", "c", "d", "e", "f", "j COLLATE", "k", "l", "m", "n", "o", "p", "q"}) {
    EXPECT_EQ(table.Find(name)->type.kind, TypeKind::kOpaque) << name;
    EXPECT_FALSE(table.Find(name)->without_rule.empty()) << name;
  }
  for (const char* name : {"g", "h", "i"}) {
    EXPECT_NE(table.Find(name)->type.kind, TypeKind::kOpaque) << name;
    EXPECT_TRUE(table.Find(name)->without_rule.empty()) << name;
  }
}

#ifdef TACIT_MUTANTS
TEST(UnruledTypes, AreMissedWhereTheirGuardIsTakenOut) {
  const std::string made = "CREATE TABLE t (c_timestamp_units TIMESTAMP_NS, c_hugeint HUGEINT, ";
  for (const std::string column : {"timestamp_units", "hugeint", "collation"}) {
    SetMutant(column + "_accepted");
    const policy::Schema schema = SchemaMadeBy(made + "c_collation VARCHAR COLLATE NOCASE)");
    SetMutant("");
    EXPECT_NE(schema.Find("t")->Find("c_" + column)->type.kind, TypeKind::kOpaque) << column;
  }
}
#endif

}  // namespace
}  // namespace tacit::engine::duckdb
