#include "policy/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tacit::policy {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kHead[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
)";
constexpr char kPrivacy[] = R"(privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1e15, delta: 0.1}
  query: {epsilon: 1000000000, epsilon_max: 1e12, delta: 1e-9}
)";

// The four fixed sections above, then the tables under test: their first line is line 10.
Result<Policy> WithTables(const std::string& tables) {
  return Parse(std::string(kHead) + kPrivacy + "tables:\n" + tables, "t.yaml");
}

std::string MessageOf(const Result<Policy>& result) {
  return result.ok() ? "(no error)" : result.error().public_message;
}
std::string HintOf(const Result<Policy>& result) {
  return result.ok() ? "(no error)" : result.error().hint;
}

constexpr char kVerifier[] =
    "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

TEST(Load, ReadsEverySectionOfAWholeFile) {
  const Result<Policy> result = Parse(std::string(R"(tacit: 1
data_version: 7
engine: {kind: duckdb, path: data.duckdb, memory_mb: 512, spill: /var/spill, spill_mb: 2048}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: replace_one
  protects: 4
  accounting: zcdp
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  patients:
    unit: ssn
    rows_per_unit: 1
    columns:
      ssn:     {hidden: true}
      age:     {bounds: [0, 120]}
      zipcode: {keys: ["75001", "75002"]}
      disease: {}
      income:  {bounds: [0, 200000], step: 0.01}
      joined:  {keys: {months: [2020-01, 2025-12]}}
      band:    {keys: {from: 0, to: 100, step: 10}}
      code:    {keys: {table: departments.code}}
  visits:
    unit: {via: patient_ssn, to: patients}
    rows_per_unit: 20
    groups_per_unit: 5
    rows_per_group: 4
    rows_max: 5000000
    impossible: ["department = 'birth' AND sex = 'M'"]
  departments: {public: true, rows_max: 100}
server:
  answer_every_ms: 50
  unprepared: allow
  proxies: [127.0.0.1, 10.0.0.0/8, "fd00::/8"]
  tls: {certificate: server.crt, key: /etc/server.key}
analysts:
  ana: {password: ")") + kVerifier + R"(", budget: {epsilon: 1, delta: 1e-7}}
)",
                                      "/srv/clinic/tacit.yaml");
  ASSERT_TRUE(result.ok()) << MessageOf(result);
  const Policy& policy = *result;
  EXPECT_EQ(policy.data_version, 7);
  EXPECT_EQ(std::get<DuckdbSettings>(policy.engine).path, "/srv/clinic/data.duckdb");
  EXPECT_EQ(std::get<DuckdbSettings>(policy.engine).memory_mb, 512);
  EXPECT_EQ(std::get<DuckdbSettings>(policy.engine).spill, "/var/spill");
  EXPECT_EQ(std::get<DuckdbSettings>(policy.engine).spill_mb, 2048);
  EXPECT_EQ(policy.Find("visits")->rows_max, 5'000'000);
  EXPECT_EQ(policy.Find("departments")->rows_max, 100);
  EXPECT_EQ(policy.Find("patients")->rows_max, 0);
  EXPECT_EQ(policy.Find("visits")->impossible,
            std::vector<std::string>{"department = 'birth' AND sex = 'M'"});
  EXPECT_TRUE(policy.Find("patients")->impossible.empty());
  EXPECT_EQ(std::get<SqliteLedger>(policy.ledger).path, "/srv/clinic/ledger.sqlite");
  EXPECT_EQ(policy.privacy.neighbours, Neighbours::kReplaceOne);
  EXPECT_EQ(policy.privacy.protects, 4);
  EXPECT_EQ(policy.privacy.accounting, Accounting::kZcdp);
  EXPECT_EQ(policy.privacy.query.epsilon, Epsilon(1, 10));
  EXPECT_EQ(policy.privacy.query.delta, Delta(1, 1'000'000'000));

  const Table& patients = *policy.Find("PATIENTS");
  EXPECT_TRUE(patients.IsHidden("SSN"));
  EXPECT_FALSE(patients.IsHidden("age"));
  EXPECT_EQ(*patients.Find("income")->step, MakeRational(1, 100));
  EXPECT_EQ(CountOf(*patients.Find("joined")->keys), 72);
  EXPECT_EQ(CountOf(*patients.Find("band")->keys), 11);
  EXPECT_EQ(ExpandKeys(*patients.Find("band")->keys)[3].text, "30");
  EXPECT_EQ(ExpandKeys(*patients.Find("joined")->keys)[12].text, "2021-01-01");
  EXPECT_EQ(std::get<KeysOfTable>(*patients.Find("code")->keys).column, "code");

  const UnitPath path = policy.PathOf(*policy.Find("visits"));
  ASSERT_EQ(path.hops.size(), 1u);
  EXPECT_EQ(path.hops[0].to_column, "ssn");
  EXPECT_EQ(path.root_table, "patients");
  EXPECT_EQ(path.root_column, "ssn");
  EXPECT_EQ(policy.Find("visits")->groups_per_unit, 5);
  EXPECT_TRUE(policy.Find("departments")->is_public);
  EXPECT_TRUE(policy.Find("visits")->IsCapped());
  EXPECT_FALSE(policy.Find("departments")->IsCapped());
  EXPECT_EQ(policy.server.unprepared, Unprepared::kAllow);
  EXPECT_EQ(policy.server.tls->key, "/etc/server.key");
  EXPECT_TRUE(policy.server.IsProxy("10.9.8.7"));
  EXPECT_TRUE(policy.server.IsProxy("fd00::1"));
  EXPECT_FALSE(policy.server.IsProxy("127.0.0.2"));
  EXPECT_EQ(policy.server.tls->certificate, "/srv/clinic/server.crt");
  EXPECT_EQ(policy.FindAnalyst("ana")->budget.epsilon, Epsilon(1, 1));
  EXPECT_EQ(policy.FindAnalyst("Ana"), nullptr);
}

TEST(Load, AnUnlistedTableDoesNotExist) {
  const Result<Policy> policy = WithTables("  t: {unit: row}\n");
  ASSERT_TRUE(policy.ok()) << MessageOf(policy);
  EXPECT_EQ(policy->Find("u"), nullptr);
}

TEST(Load, UnpreparedTablesArePreparedUnlessAnotherWordIsSaid) {
  const std::string tables = "  t: {unit: row}\n";
  EXPECT_EQ(WithTables(tables)->server.unprepared, Unprepared::kPrepare);
  EXPECT_EQ(WithTables(tables + "server: {unprepared: prepare}\n")->server.unprepared,
            Unprepared::kPrepare);
  EXPECT_EQ(WithTables(tables + "server: {unprepared: refuse}\n")->server.unprepared,
            Unprepared::kRefuse);
  EXPECT_THAT(MessageOf(WithTables(tables + "server: {unprepared: yes}\n")),
              HasSubstr("unprepared"));
  EXPECT_FALSE(WithTables(tables)->Find("t")->IsCapped());
}

TEST(Load, CapsDefaultToRowsPerUnit) {
  const Result<Policy> policy = WithTables("  t: {unit: id, rows_per_unit: 9}\n");
  ASSERT_TRUE(policy.ok()) << MessageOf(policy);
  EXPECT_EQ(policy->Find("t")->groups_per_unit, 9);
  EXPECT_EQ(policy->Find("t")->rows_per_group, 9);
}

TEST(Load, WalksSeveralHopsToTheUnit) {
  const Result<Policy> policy =
      WithTables(R"(  lines: {unit: {via: basket_id, to: baskets}, rows_per_unit: 10}
  baskets: {unit: {via: user_id, to: u.key}, rows_per_unit: 2}
  u: {unit: id, rows_per_unit: 1}
)");
  ASSERT_TRUE(policy.ok()) << MessageOf(policy);
  const UnitPath path = policy->PathOf(*policy->Find("lines"));
  ASSERT_EQ(path.hops.size(), 2u);
  EXPECT_EQ(path.hops[0].to_column, "basket_id");  // baskets has no unit column of its own
  EXPECT_EQ(path.hops[1].to_column, "key");
  EXPECT_EQ(path.root_column, "id");
}

TEST(Load, KeysKeepTheirTextAndTheirKind) {
  const Result<Policy> policy =
      WithTables("  t: {unit: row, columns: {c: {keys: [true, 1, \"1\", 2020-01-01, 1.50]}}}\n");
  ASSERT_TRUE(policy.ok()) << MessageOf(policy);
  const std::vector<KeyValue> keys = ExpandKeys(*policy->Find("t")->Find("c")->keys);
  EXPECT_EQ(keys[0].kind, KeyValue::Kind::kBoolean);
  EXPECT_EQ(keys[1].kind, KeyValue::Kind::kNumber);
  EXPECT_EQ(keys[2].kind, KeyValue::Kind::kText);
  EXPECT_EQ(keys[3].kind, KeyValue::Kind::kText);
  EXPECT_EQ(keys[4].number, MakeRational(3, 2));
  EXPECT_EQ(keys[4].text, "1.50");
}

TEST(Load, FindsTheFileInAFolderOrByItsName) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "load_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tacit.yaml") << kHead << kPrivacy << "tables:\n  t: {unit: row}\n";
  EXPECT_TRUE(Load(folder.string()).ok());
  const Result<Policy> by_name = Load((folder / "tacit.yaml").string());
  ASSERT_TRUE(by_name.ok());
  EXPECT_EQ(by_name->KeyPath(), (folder / "tacit.key").string());
  const Result<Policy> missing = Load((folder / "no_such_folder").string());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(missing), HasSubstr("no_such_folder"));
  std::filesystem::remove_all(folder);
}

TEST(Load, APasswordThatIsNoVerifierIsNotRepeated) {
  const Result<Policy> policy = WithTables(
      "  t: {unit: row}\nanalysts:\n  ana: {password: hunter2, budget: {epsilon: 1, "
      "delta: 0}}\n");
  EXPECT_THAT(MessageOf(policy), HasSubstr("SCRAM-SHA-256"));
  EXPECT_THAT(MessageOf(policy) + HintOf(policy), ::testing::Not(HasSubstr("hunter2")));
  EXPECT_THAT(HintOf(policy), HasSubstr("tacit password"));
}

TEST(Load, AVerifierMayBeInAFileOrTheEnvironment) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "secret_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "ana.secret") << kVerifier << "\n";
  const auto load = [&](const std::string& reference) {
    std::ofstream(folder / "tacit.yaml")
        << kHead << kPrivacy << "tables:\n  t: {unit: row}\nanalysts:\n  ana: {password: \""
        << reference << "\", budget: {epsilon: 1, delta: 0}}\n";
    return Load(folder.string());
  };
  using std::filesystem::perms;
  std::filesystem::permissions(folder / "ana.secret", perms::owner_read | perms::group_read);
  EXPECT_THAT(MessageOf(load("file:ana.secret")), HasSubstr("read by others"));
  std::filesystem::permissions(folder / "ana.secret", perms::owner_read);
  const Result<Policy> by_file = load("file:ana.secret");
  ASSERT_TRUE(by_file.ok()) << MessageOf(by_file);
  EXPECT_EQ(by_file->analysts[0].password, kVerifier);
  ::setenv("TACIT_TEST_VERIFIER", kVerifier, 1);
  ::setenv("TACIT_TEST_PASSWORD", "hunter2", 1);
  ::setenv("CREDENTIALS_DIRECTORY", folder.c_str(), 1);
  EXPECT_TRUE(load("env:TACIT_TEST_VERIFIER").ok());
  EXPECT_TRUE(load("credential:ana.secret").ok());
  EXPECT_THAT(MessageOf(load("env:TACIT_TEST_PASSWORD")), ::testing::Not(HasSubstr("hunter2")));
  for (const char* wrong : {"env:NO_SUCH_NAME", "file:nothing", "file:.", "credential:../x",
                            "credential:", "env:TACIT_TEST_PASSWORD"}) {
    EXPECT_FALSE(load(wrong).ok()) << wrong;
  }
  std::filesystem::remove_all(folder);
}

TEST(Load, ALedgerInADatabaseIsNamedWithoutItsPassword) {
  const auto with = [](const std::string& ledger) {
    std::string text = std::string(kHead) + kPrivacy + "tables:\n  t: {unit: row}\n";
    const std::string old = "ledger: {kind: sqlite, path: ledger.sqlite}";
    text.replace(text.find(old), old.size(), "ledger: " + ledger);
    return Parse(text, "/srv/clinic/tacit.yaml");
  };
  ::setenv("TACIT_TEST_PASSWORD", "hunter2", 1);
  const Result<Policy> whole = with(
      "{kind: postgres, dsn: \"host=db\", password: \"env:TACIT_TEST_PASSWORD\", schema: two_2}");
  ASSERT_TRUE(whole.ok()) << MessageOf(whole);
  const auto& ledger = std::get<PostgresLedger>(whole->ledger);
  EXPECT_EQ(ledger.dsn, "host=db");
  EXPECT_EQ(ledger.password, "hunter2");
  EXPECT_EQ(ledger.schema, "two_2");
  EXPECT_EQ(ledger.path, "/srv/clinic/ledger");
  EXPECT_EQ(std::get<PostgresLedger>(with("{kind: postgres, dsn: x}")->ledger).schema,
            "tacit_ledger");
  for (const char* dsn : {"host=db password=hunter2", "postgresql://ana:hunter2@db/ledger"}) {
    const Result<Policy> open = with(std::string("{kind: postgres, dsn: \"") + dsn + "\"}");
    ASSERT_FALSE(open.ok()) << dsn;
    EXPECT_THAT(MessageOf(open), HasSubstr("dsn holds a password"));
    EXPECT_THAT(MessageOf(open), ::testing::Not(HasSubstr("hunter2")));
  }
  EXPECT_TRUE(with("{kind: postgres, dsn: \"postgresql://ana@db:5432/ledger\"}").ok());
  const Result<Policy> inside = with("{kind: postgres, dsn: x, password: hunter2}");
  ASSERT_FALSE(inside.ok());
  EXPECT_THAT(MessageOf(inside), HasSubstr("in the policy itself"));
  EXPECT_THAT(MessageOf(inside), ::testing::Not(HasSubstr("hunter2")));
  for (const char* schema : {"Ledger", "a.b", "1a", "\\\"x", "a b"}) {
    EXPECT_FALSE(with(std::string("{kind: postgres, dsn: x, schema: \"") + schema + "\"}").ok())
        << schema;
  }
  EXPECT_FALSE(with("{kind: postgres, dsn: x, witness: w}").ok());
}

// Every mistake: the tables section that holds it, the place, a part of the message, of the hint.
struct Mistake {
  const char* tables;
  const char* place;
  const char* message;
  const char* hint;
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, NameThePlaceAndTheRemedy) {
  const Result<Policy> policy = WithTables(GetParam().tables);
  ASSERT_FALSE(policy.ok()) << GetParam().tables;
  EXPECT_EQ(policy.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(policy), StartsWith(std::string("t.yaml:") + GetParam().place + ": "));
  EXPECT_THAT(MessageOf(policy), HasSubstr(GetParam().message));
  EXPECT_THAT(HintOf(policy), HasSubstr(GetParam().hint));
}

TEST(Load, TheHintOfAPublicTableWithColumnsCanBePasted) {
  const Result<Policy> policy =
      WithTables("  \"Post Codes\": {public: true, columns: {code: {keys: [1, 2]}}}\n");
  ASSERT_FALSE(policy.ok());
  const std::string hint = HintOf(policy);
  const size_t begin = hint.find('`') + 1;
  const Result<Policy> pasted =
      WithTables("  " + hint.substr(begin, hint.find('`', begin) - begin) + "\n");
  ASSERT_TRUE(pasted.ok()) << hint;
  EXPECT_TRUE(pasted->tables[0].is_public);
}

INSTANTIATE_TEST_SUITE_P(
    Load, Mistakes,
    ::testing::Values(
        Mistake{"  t: {unti: row}\n", "10:7", "'unti' is not a word of table t",
                "did you mean unit"},
        Mistake{"  t: {unit: row, columns: {a: {bonds: [0, 1]}}}\n", "10:32", "'bonds'", "bounds"},
        Mistake{"  t: {unit: row, frobnicate: 1}\n", "10:18", "'frobnicate'", "its words are"},
        Mistake{"  t: {unit: row, unit: id}\n", "10:18", "'unit' is here twice", "keep one"},
        Mistake{"  t: {unit: row}\n  T: {unit: row}\n", "11:3", "twice", "keep one"},
        Mistake{"  t: {unit: row, columns: {a: {}, A: {}}}\n", "10:35", "twice", "keep one"},
        Mistake{"  t:\n", "10:3", "has not decided whose privacy", "unit: COLUMN"},
        Mistake{"  t: {columns: {a: {}}}\n", "10:3", "has not decided", "public: true"},
        Mistake{"  t: {unit: id}\n", "10:6", "has no `rows_per_unit`", "rows_per_unit: 1"},
        Mistake{"  t: {unit: row, rows_per_unit: 2}\n", "10:33", "one row", "leave"},
        Mistake{"  t: {unit: id, rows_per_unit: 0}\n", "10:32", "at least 1", ""},
        Mistake{"  t: {unit: id, rows_per_unit: 1.5}\n", "10:32", "a whole number", ""},
        Mistake{"  t: {unit: id, rows_per_unit: \"3\"}\n", "10:32", "the text '3'", "quotes"},
        Mistake{"  t: {public: true, unit: id}\n", "10:21", "is public and cannot have", "remove"},
        Mistake{"  t: {public: yes, unit: id}\n", "10:15", "true or false", ""},
        Mistake{"  t: {unit: [a]}\n", "10:13", "has not decided", "unit: COLUMN"},
        Mistake{"  t: {unit: {via: a}, rows_per_unit: 1}\n", "10:13", "has no `to`",
                "to: patients"},
        Mistake{"  t: {unit: {via: a, to: pateints}, rows_per_unit: 1}\n  patients: {unit: row}\n",
                "10:13", "'pateints' is not in this policy", "did you mean patients"},
        Mistake{"  t: {unit: {via: a, to: p}, rows_per_unit: 1}\n  p: {public: true}\n", "10:13",
                "public and holds no people", "people"},
        Mistake{"  t: {unit: {via: a, to: p.k}, rows_per_unit: 1}\n  p: {unit: row}\n", "10:13",
                "a row without a name", "unit: COLUMN"},
        Mistake{"  t: {unit: {via: a, to: s}, rows_per_unit: 1}\n"
                "  s: {unit: {via: b, to: t}, rows_per_unit: 1}\n",
                "10:13", "never reached: t -> s -> t", "unit: COLUMN"},
        Mistake{"  t: {unit: {via: a, to: t}, rows_per_unit: 1}\n", "10:13", "never reached", ""},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [5, 1]}}}\n", "10:40", "reversed",
                "smaller"},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [1, 1]}}}\n", "10:40", "equal", "smaller"},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [1]}}}\n", "10:40", "two numbers", "[LOW"},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, .nan]}}}\n", "10:44", "finite", ""},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [-.inf, 1]}}}\n", "10:41", "finite", ""},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, ten]}}}\n", "10:44", "not a number",
                ""},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, 1], step: 0}}}\n", "10:54", "above 0",
                ""},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, 1], step: 0.3}}}\n", "10:54",
                "not multiples of the step", "divides"},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, 1e15], step: 1e-9}}}\n", "10:57",
                "too many steps", "larger step"},
        Mistake{"  t: {unit: row, columns: {a: {step: 1}}}\n", "10:38", "no bounds", "bounds"},
        Mistake{
            "  t: {unit: p, rows_per_unit: 2, columns: {a: {bounds: [0, 1], sum_per_unit: 0}}}\n",
            "10:78", "above 0", ""},
        Mistake{"  t: {unit: p, rows_per_unit: 2, columns: {a: {sum_per_unit: 5}}}\n", "10:62",
                "no bounds", "bounds"},
        Mistake{"  t: {unit: row, columns: {a: {bounds: [0, 1], sum_per_unit: 5}}}\n", "10:28",
                "one row", "sum_per_unit"},
        Mistake{"  t: {unit: row, columns: {a: {required: maybe}}}\n", "10:42", "", ""},
        Mistake{"  t: {unit: row, columns: {a: {hidden: true, required: true}}}\n", "10:56",
                "hidden and required", "leave required out"},
        Mistake{"  t: {unit: row, columns: {a: {keys: []}}}\n", "10:38", "empty", "at least one"},
        Mistake{"  t: {unit: row, columns: {a: {keys: [x, x]}}}\n", "10:42", "twice", "keep one"},
        Mistake{"  t: {unit: row, columns: {a: {keys: [1, 1.0]}}}\n", "10:42", "twice", "keep one"},
        Mistake{"  t: {unit: row, columns: {a: {keys: [null, x, null]}}}\n", "10:48", "twice",
                "keep one"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 2024-01-02, to: 2024-03-01, step: "
                "month}}}}\n",
                "10:45", "no month begins", "from: 2024-01-01"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 2024-01-01, to: 2023-03-01}}}}\n",
                "10:38", "end before they begin", "earlier"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 2024-01-01, to: 7, step: day}}}}\n",
                "10:61", "no day", "2020-01-31"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 2024-01-01, to: 2024-03-01, step: "
                "3}}}}\n",
                "10:79", "no part of a calendar", "quarter"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 1900-01-01, to: 2100-01-01, step: "
                "hour}}}}\n",
                "10:38", "more than 1000000 keys", "larger step"},
        Mistake{"  t: {unit: row, columns: {a: {keys: x}}}\n", "10:38", "a list or a rule",
                "months"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 0, to: 9, step: 2}}}}\n", "10:38",
                "do not arrive", "from + step"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 9, to: 0}}}}\n", "10:38", "down", ""},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 0, to: 9, step: -1}}}}\n", "10:61",
                "above 0", ""},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 0, to: 0.5}}}}\n", "10:38",
                "has no `step`", "step"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {from: 0, to: 1e9}}}}\n", "10:38",
                "more than 1000000 keys", "larger step"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {months: [2020-13, 2021-01]}}}}\n", "10:48",
                "2020-01", ""},
        Mistake{"  t: {unit: row, columns: {a: {keys: {months: [2021-01, 2020-01]}}}}\n", "10:47",
                "end before they begin", "earlier"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {table: z}}}}\n", "10:46", "column", "TABLE"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {table: z.c}}}}\n", "10:28", "'z' is not in",
                "tables"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {table: t.c}}}}\n", "10:28", "not public",
                "public"},
        Mistake{"  t: {unit: row, columns: {a: {keys: {table: t.c, from: 1}}}}\n", "10:38",
                "two rules", "keep one"},
        Mistake{"  t: [1, 2]\n", "10:6", "must be a mapping", "its words are"},
        Mistake{"  t: &x {unit: row}\n", "10:6", "anchors", "write the value out"},
        Mistake{"  t: !!map {unit: row}\n", "10:6", "tags", "leave"},
        Mistake{"  t: {unit: row\n", "11:1", "not YAML", "bracket"},
        Mistake{"  ? [a, b]\n  : {unit: row}\n", "10:5", "a word is expected", "word: value"},
        Mistake{"  t: {unit: row}\n---\nu: 1\n", "11:1", "second document", "one policy"}));

TEST(Load, RefusesWhatIsWrongOutsideTheTables) {
  const std::string tables = "tables: {t: {unit: row}}\n";
  const auto parse = [&](std::string head, std::string privacy) {
    return MessageOf(Parse(head + privacy + tables, "t.yaml"));
  };
  const std::string head = kHead, privacy = kPrivacy;
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(parse(head, privacy), "(no error)");
  EXPECT_THAT(parse(with(head, "tacit: 1", "tacit: 2"), privacy), HasSubstr("format 2"));
  EXPECT_THAT(parse(with(head, "tacit: 1", "tactic: 1"), privacy), HasSubstr("'tactic'"));
  EXPECT_THAT(parse(with(head, "kind: duckdb", "kind: ducksdb"), privacy), HasSubstr("ducksdb"));
  EXPECT_THAT(parse(with(head, "path: data.duckdb", "dsn: x"), privacy), HasSubstr("'dsn'"));
  EXPECT_THAT(parse(with(head, "ledger.sqlite", "data.duckdb"), privacy), HasSubstr("same file"));
  EXPECT_THAT(parse(head, ""), HasSubstr("has no `privacy`"));
  EXPECT_THAT(parse(head, with(privacy, "add_remove", "add_removal")), HasSubstr("add_removal"));
  EXPECT_THAT(parse(head, with(privacy, "1e15", "0")), HasSubstr("epsilon must be above 0"));
  EXPECT_THAT(parse(head, with(privacy, "delta: 0.1", "delta: 1")), HasSubstr("delta must be"));
  EXPECT_THAT(parse(head, with(privacy, "1e12", "1e6")), HasSubstr("below the price"));
  EXPECT_THAT(parse(head, with(with(privacy, "pure", "zcdp"), "delta: 0.1", "delta: 0")),
              HasSubstr("zcdp needs a delta"));
  EXPECT_THAT(MessageOf(Parse("", "t.yaml")), HasSubstr("must be a mapping"));
  EXPECT_THAT(MessageOf(Parse("a\0b", "t.yaml")), HasSubstr("t.yaml:1:1"));
}

TEST(Load, AnAliasBombIsRefusedAtItsFirstAnchor) {
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [*" + static_cast<char>(c - 1) + ", *" +
            static_cast<char>(c - 1) + "]\n";
  }
  EXPECT_THAT(MessageOf(Parse(bomb, "t.yaml")), HasSubstr("anchors"));
}

TEST(Load, ADeepFileIsRefused) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "- ";
  EXPECT_THAT(MessageOf(Parse(deep + "x", "t.yaml")), HasSubstr("nested deeper"));
  EXPECT_FALSE(Parse(std::string(100'000, '['), "t.yaml").ok());
  EXPECT_FALSE(Parse("a: " + std::string(100'000, '{'), "t.yaml").ok());
}

TEST(Load, ALargeFileIsRefusedBeforeItIsParsed) {
  const std::string large(static_cast<size_t>(kPolicyBytesMax) + 1, ' ');
  EXPECT_THAT(MessageOf(Parse(large, "t.yaml")), HasSubstr("larger than 16 MiB"));
}

}  // namespace
}  // namespace tacit::policy
