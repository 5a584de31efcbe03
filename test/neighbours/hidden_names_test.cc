#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "world.h"

// Texts are free: what an analyst can provoke must not name a column that the owner hides. Here all
// hidden names begin with z, questions reach the columns by their places (AS q(a1, a2, ...)), and
// whatever is said may have no word with a z that the question does not have.

namespace tacit::neighbours {
namespace {

constexpr char kScript[] = R"(
CREATE TABLE person (zid INTEGER UNIQUE, zname VARCHAR, zincome INTEGER, zclock TIME, age INTEGER,
  town VARCHAR);
CREATE TABLE visit (zvisit INTEGER, zperson INTEGER, day DATE, cost INTEGER);
CREATE TABLE line (zof INTEGER, zcost DOUBLE, price INTEGER);
CREATE TABLE shift (zclock TIME, hours INTEGER);
CREATE TABLE remark (zwho VARCHAR, stars INTEGER);
CREATE TABLE vote (zscore INTEGER, score INTEGER))";

constexpr char kPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 100, delta: 1e-3}
  query: {epsilon: 1, epsilon_max: 4, delta: 1e-6}
tables:
  person:
    unit: zid
    rows_per_unit: 1
    columns:
      zid: {hidden: true}
      zname: {hidden: true}
      zincome: {hidden: true}
      zclock: {hidden: true}
      age: {bounds: [0, 120]}
  visit:
    unit: {via: zperson, to: person}
    rows_per_unit: 4
    columns:
      zvisit: {hidden: true}
      zperson: {hidden: true}
  line:
    unit: {via: zof, to: visit.zvisit}
    rows_per_unit: 4
    columns:
      zof: {hidden: true}
      zcost: {hidden: true}
      price: {bounds: [0, 9]}
  shift:
    unit: zclock
    rows_per_unit: 4
    columns: {zclock: {hidden: true}}
  remark:
    unit: {via: zwho, to: person}
    rows_per_unit: 4
    columns: {zwho: {hidden: true}}
  vote:
    unit: row
    columns:
      zscore: {hidden: true}
      score: {bounds: [1, 5]}
)";

struct Named {
  std::string table;
  std::vector<std::string> hidden;
  int columns;
};
const Named kTables[] = {{"person", {"zid", "zname", "zincome", "zclock"}, 6},
                         {"visit", {"zvisit", "zperson"}, 4},
                         {"line", {"zof", "zcost"}, 3},
                         {"shift", {"zclock"}, 2},
                         {"remark", {"zwho"}, 2},
                         {"vote", {"zscore"}, 2}};

// "person AS q(q1, q2, ...)"
std::string Renamed(const Named& table, const std::string& alias) {
  std::string text = table.table + " AS " + alias + "(";
  for (int i = 1; i <= table.columns; ++i) {
    text += (i == 1 ? "" : ", ") + alias + std::to_string(i);
  }
  return text + ")";
}

std::string Replace(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// $Q: a table with its columns renamed, $c: one of them.
constexpr const char* kOfOne[] = {
    "SELECT * FROM $T",
    "SELECT DISTINCT * FROM $T",
    "SELECT *, count(*) FROM $T",
    "SELECT *, count(*) FROM $T GROUP BY 1",
    "SELECT *, count(*) FROM $T GROUP BY 2",
    "SELECT count(*) FROM (SELECT DISTINCT * FROM $T) s",
    "SELECT count(*) FROM (SELECT *, count(*) AS n FROM $T GROUP BY 1) s",
    "SELECT count(*) FROM (SELECT *, row_number() OVER () AS n FROM $T) s",
    "SELECT count(*) FROM (SELECT * FROM $T EXCEPT SELECT * FROM $T) s",
    "SELECT count(*) FROM (SELECT * FROM $T LIMIT 1) s",
    "SELECT * FROM $T UNION SELECT * FROM $T",
    "SELECT $c FROM $Q",
    "SELECT $c, count(*) FROM $Q GROUP BY $c",
    "SELECT $c, count(*) FROM $Q GROUP BY ROLLUP ($c)",
    "SELECT grouping($c), count(*) FROM $Q GROUP BY q1",
    "SELECT count(*) FROM $Q JOIN (SELECT count(*) AS n FROM $T) r ON $c = r.n",
    "SELECT count(*) FROM $Q JOIN generate_series(1, 2) AS g ON $c = g",
    "SELECT $c, count(*) FROM $Q",
    "SELECT count($c), count(DISTINCT $c) FROM $Q",
    "SELECT sum($c) FROM $Q",
    "SELECT avg($c), variance($c) FROM $Q",
    "SELECT min($c), max($c) FROM $Q",
    "SELECT corr($c, q1) FROM $Q",
    "SELECT mode() WITHIN GROUP (ORDER BY $c) FROM $Q",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY $c) FROM $Q",
    "SELECT string_agg($c, ',') FROM $Q",
    "SELECT sum($c + 1), count(*) FILTER (WHERE $c IS NULL) FROM $Q",
    "SELECT count(*) FROM $Q WHERE $c = 1",
    "SELECT count(*) FROM $Q WHERE lower($c) LIKE 'a%'",
    "SELECT count(*) FROM $Q WHERE CAST($c AS text) = 'a'",
    "SELECT count(*) FROM $Q WHERE $c",
    "SELECT count(*) FROM $Q WHERE $c IN (SELECT count(*) FROM $T)",
    "SELECT count(*) FROM $Q WHERE $c = (SELECT q1)",
    "SELECT count(*) FROM (SELECT $c AS x FROM $Q) s WHERE x = 1",
    "SELECT sum(n) FROM (SELECT $c, count(*) AS n FROM $Q GROUP BY $c) s",
    "SELECT sum(n) FROM (SELECT q2, max($c) AS n FROM $Q GROUP BY q2) s",
    "SELECT n, count(*) FROM (SELECT q2, max($c) AS n FROM $Q GROUP BY q2) s GROUP BY n",
    "SELECT sum(n) FROM (SELECT $c, q1, count(*) AS n FROM $Q GROUP BY q1) s",
    "SELECT sum(n) FROM (SELECT sum($c) OVER (PARTITION BY q1) AS n FROM $Q) s",
    "SELECT count(*) FROM (SELECT DISTINCT ON ($c) * FROM $Q) s",
    "SELECT x, count(*) FROM (SELECT $c AS x FROM $Q UNION ALL SELECT $c FROM $Q) s GROUP BY x"};

// $R: a second table, $d: one of its columns.
constexpr const char* kOfTwo[] = {
    "SELECT count(*) FROM $Q JOIN $R ON $c = $d",
    "SELECT sum($c) FROM $Q LEFT JOIN $R ON $c = $d",
    "SELECT count(*) FROM $Q JOIN $R ON CAST($c AS text) = CAST($d AS text)",
    "SELECT count(*) FROM $Q JOIN $R ON $c = $d OR $c IS NULL",
    "SELECT count(*) FROM $Q FULL JOIN $R ON $c = $d",
    "SELECT count(*) FROM $Q, $R WHERE NOT $c <> $d",
    "SELECT count(*) FROM $Q WHERE EXISTS (SELECT 1 FROM $R WHERE $c = $d)",
    "SELECT count(*) FROM $Q WHERE $c IN (SELECT $d FROM $R)",
    "SELECT sum((SELECT max($d) FROM $R WHERE $c = $d)) FROM $Q",
    "SELECT count(*) FROM $Q NATURAL JOIN $R",
    "SELECT count(*) FROM (SELECT $c FROM $Q UNION ALL SELECT $d FROM $R) s"};

std::vector<std::string> Questions() {
  std::vector<std::string> all;
  for (const Named& table : kTables) {
    for (int c = 1; c <= table.columns; ++c) {
      const auto fill = [&](std::string text) {
        text = Replace(std::move(text), "$T", table.table);
        text = Replace(std::move(text), "$Q", Renamed(table, "q"));
        return Replace(std::move(text), "$c", "q" + std::to_string(c));
      };
      for (const char* text : kOfOne) all.push_back(fill(text));
      for (const Named& other : kTables) {
        for (int d = 1; d <= other.columns; ++d) {
          for (std::string text : kOfTwo) {
            text = Replace(std::move(text), "$R", Renamed(other, "r"));
            all.push_back(fill(Replace(std::move(text), "$d", "r" + std::to_string(d))));
          }
        }
      }
    }
    for (const Named& other : kTables) {
      all.push_back("SELECT count(*) FROM " + table.table + " NATURAL JOIN " + other.table);
      all.push_back("SELECT count(*) FROM " + table.table + ", " + other.table);
      all.push_back("SELECT count(*) FROM (SELECT * FROM " + table.table +
                    " UNION ALL SELECT * FROM " + other.table + ") s");
    }
    for (const std::string& name : table.hidden) {  // nearly guessed
      all.push_back("SELECT count(DISTINCT " + name.substr(0, name.size() - 1) + ") FROM " +
                    table.table);
      all.push_back("SELECT count(*) FROM " + table.table + " GROUP BY x" + name.substr(1));
    }
  }
  return all;
}

std::set<std::string> WordsWithZ(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_') {
      word += letter;
    } else {
      if (word.starts_with("z")) words.insert(word);
      word.clear();
    }
  }
  return words;
}

std::set<std::string> NewWords(const std::string& question, const std::string& told) {
  std::set<std::string> words = WordsWithZ(told);
  for (const std::string& word : WordsWithZ(question)) words.erase(word);
  return words;
}

TEST(HiddenNames, AreInNoTextThatAQuestionCanProvoke) {
  const std::unique_ptr<World> world = World::MakeFrom(kScript, kPolicy, false);
  policy::Policy hiding = world->policy();
  hiding.analysts = {
      policy::Analyst{.name = "ana", .place = {}, .password = "", .budget = hiding.privacy.budget}};
  policy::Policy showing = hiding;
  for (policy::Table& table : showing.tables) {
    for (policy::Column& column : table.columns) column.hidden = false;
  }
  size_t asked = 0, shown = 0;
  for (const std::string& question : Questions()) {
    const gateway::Request request{
        .text = question, .analyst = "ana", .request_id = "", .wish = {}};
    const std::string told = world->Explain(request, &hiding);
    EXPECT_TRUE(NewWords(question, told).empty()) << question << "\n" << told;
    ++asked;
    shown += NewWords(question, world->Explain(request, &showing)).empty() ? 0 : 1;
  }
  EXPECT_GT(shown, 100u) << "where nothing is hidden, texts name columns";
  std::printf("%zu questions; %zu of their texts name a column when it is not hidden\n", asked,
              shown);
}

}  // namespace
}  // namespace tacit::neighbours
