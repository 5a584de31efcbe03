#include "sql/read/command.h"

#include <gtest/gtest.h>

#include "sql/bind/parameters.h"
#include "sql/parse.h"

namespace tacit::sql {
namespace {

template <class Kind>
Kind Only(const std::string& text) {
  const auto commands = ReadCommands(text);
  EXPECT_TRUE(commands.ok()) << text;
  EXPECT_EQ(commands->size(), 1u) << text;
  EXPECT_TRUE(std::holds_alternative<Kind>(commands->at(0).kind)) << text;
  return std::get<Kind>(commands->at(0).kind);
}

TEST(Command, KnowsWhatDriversSend) {
  EXPECT_EQ(Only<TransactionCommand>("BEGIN READ ONLY").step, TransactionStep::kBegin);
  EXPECT_TRUE(Only<TransactionCommand>("START TRANSACTION ISOLATION LEVEL SERIALIZABLE").start);
  EXPECT_EQ(Only<TransactionCommand>("ROLLBACK TO SAVEPOINT a").savepoint, "a");
  EXPECT_EQ(Only<SetCommand>("SET tacit.epsilon = 0.5").value, "0.5");
  EXPECT_EQ(Only<SetCommand>("SET search_path TO a, 'B'").value, "a, B");
  EXPECT_EQ(Only<SetCommand>("SET TIME ZONE 'UTC'").name, "timezone");
  EXPECT_TRUE(Only<SetCommand>("SET LOCAL x.y = on").local);
  EXPECT_FALSE(Only<SetCommand>("SET x.y TO DEFAULT").value);
  EXPECT_EQ(Only<SetCommand>("RESET ALL").name, "");
  EXPECT_EQ(Only<ShowCommand>("SHOW DateStyle").name, "datestyle");
  EXPECT_EQ(Only<DeclareCommand>("DECLARE \"for\" NO SCROLL CURSOR FOR SELECT 1").question.text,
            "SELECT 1");
  EXPECT_FALSE(Only<FetchCommand>("FETCH ALL FROM c").count);
  EXPECT_EQ(Only<FetchCommand>("FETCH FORWARD 7 FROM c").count, 7);
  EXPECT_FALSE(Only<FetchCommand>("FETCH PRIOR FROM c").forward);
  EXPECT_EQ(Only<CloseCommand>("CLOSE ALL").cursor, "");
  EXPECT_EQ(Only<DeallocateCommand>("DEALLOCATE \"_PLAN0\"").name, "_PLAN0");
  Only<SetTransactionCommand>("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
  Only<ListenCommand>("UNLISTEN *");
  Only<AskCommand>("EXPLAIN SELECT 1");
  Only<AskCommand>("VALUES (1)");
  EXPECT_TRUE(Only<OtherCommand>("DROP TABLE t").writes);
}

TEST(Command, KnowsTheQuestionsInside) {
  const auto prepare = Only<PrepareCommand>("PREPARE \"as\" (int, text) AS SELECT $1");
  EXPECT_EQ(prepare.name, "as");
  EXPECT_EQ(prepare.types, (std::vector<std::string>{"int4", "text"}));
  EXPECT_EQ(prepare.question.text, "SELECT $1");
  const auto execute = Only<ExecuteCommand>("EXECUTE q (-5, 'a', NULL, true, '2024-01-01'::date)");
  EXPECT_EQ(execute.values, (std::vector<std::optional<std::string>>{"-5", "a", std::nullopt,
                                                                     "true", "2024-01-01"}));
  EXPECT_EQ(Only<OtherCommand>("EXECUTE q (1 + 1)").why, "EXECUTE with an expression");

  const auto copy = Only<CopyCommand>("COPY (SELECT (1), ')' ) TO STDOUT");
  EXPECT_EQ(copy.question.text, "SELECT (1), ')' ");
  EXPECT_EQ(copy.question.offset, 6);
  EXPECT_EQ(copy.null, "\\N");
  const auto csv =
      Only<CopyCommand>("COPY (SELECT 1) TO STDOUT (FORMAT csv, HEADER, DELIMITER ';', NULL '-')");
  EXPECT_EQ(csv.format, CopyFormat::kCsv);
  EXPECT_TRUE(csv.header);
  EXPECT_EQ(csv.delimiter, ';');
  EXPECT_EQ(csv.null, "-");
  EXPECT_EQ(Only<CopyCommand>("COPY (SELECT 1) TO STDOUT CSV").delimiter, ',');
  EXPECT_EQ(Only<CopyCommand>("COPY (SELECT 1) TO STDOUT BINARY").format, CopyFormat::kBinary);
  EXPECT_TRUE(Only<OtherCommand>("COPY t FROM STDIN").writes);
  for (const char* refused :
       {"COPY t TO STDOUT", "COPY (SELECT 1) TO '/tmp/x'", "COPY (SELECT 1) TO PROGRAM 'sh'",
        "COPY (SELECT 1) TO STDOUT (FORMAT csv, FORCE_QUOTE *)",
        "COPY (SELECT 1) TO STDOUT (DELIMITER 'ab')", "COPY (SELECT 1) TO STDOUT (FORMAT parquet)",
        "COPY (DELETE FROM t RETURNING *) TO STDOUT"}) {
    EXPECT_FALSE(Only<OtherCommand>(refused).writes) << refused;
    EXPECT_NE(Only<OtherCommand>(refused).why, "") << refused;
  }
}

TEST(Command, SeveralKeepTheirPlaces) {
  const std::string text = "  SELECT 1 ;\n SHOW ALL; -- end\n";
  const auto commands = ReadCommands(text);
  ASSERT_EQ(commands->size(), 2u);
  EXPECT_EQ(commands->at(0).offset, 2);
  EXPECT_EQ(text.substr(static_cast<size_t>(commands->at(1).offset), 8), "SHOW ALL");
  EXPECT_TRUE(ReadCommands("  ; ")->empty());
  EXPECT_FALSE(ReadCommands("SELEC 1").ok());
}

Literal Number(const char* text) {
  return {.kind = LiteralKind::kInteger, .text = text, .interval = {}};
}

TEST(Parameters, AreValuesInTheTreeAndNeverText) {
  const Query query = Parse(
                          "SELECT a FROM t WHERE b = $1 AND c IN (SELECT d FROM u WHERE e < $2) "
                          "ORDER BY a LIMIT $2")
                          ->query;
  EXPECT_EQ(ParameterCount(query), 2);
  const Expression text = MakeExpression(
      Literal{.kind = LiteralKind::kString, .text = "'; DROP TABLE t; --", .interval = {}});
  const auto bound = BindParameters(query, {text, MakeExpression(Number("5"))});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(*bound, Parse("SELECT a FROM t WHERE b = '''; DROP TABLE t; --' AND "
                          "c IN (SELECT d FROM u WHERE e < 5) ORDER BY a LIMIT 5")
                        ->query);
  EXPECT_FALSE(BindParameters(query, {text}).ok());
}

TEST(Parameters, ANumberInGroupByIsNoColumnNumber) {
  const auto bound = BindParameters(Parse("SELECT count(*) FROM t GROUP BY $1")->query,
                                    {MakeExpression(Number("1"))});
  ASSERT_TRUE(bound.ok());
  EXPECT_NE(*bound, Parse("SELECT count(*) FROM t GROUP BY 1")->query);
}

TEST(Parameters, TakeTheirTypeFromWhereTheyStand) {
  const Query query = Parse(
                          "SELECT count(*) FROM t WHERE age > $1 AND $2::date = d AND x LIKE $3 "
                          "AND age BETWEEN $4 AND 9 AND age = ANY ($6) AND x <> ALL ($7) LIMIT $5")
                          ->query;
  const auto types = InferParameterTypes(query, [](const ColumnReference& column) {
    return Type{.kind = column.column == "age" ? TypeKind::kSmallint : TypeKind::kUnknown,
                .precision = 0,
                .scale = 0};
  });
  const std::vector<TypeKind> kinds = {TypeKind::kSmallint, TypeKind::kDate,   TypeKind::kText,
                                       TypeKind::kSmallint, TypeKind::kBigint, TypeKind::kSmallint,
                                       TypeKind::kText};
  ASSERT_EQ(types.size(), kinds.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_EQ(types[i].type.kind, kinds[i]) << i + 1;
    EXPECT_EQ(types[i].array, i >= 5) << i + 1;
  }
}

}  // namespace
}  // namespace tacit::sql
