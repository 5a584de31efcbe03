#include "scenes.h"

#include <fstream>
#include <sstream>

namespace tacit::adversary {
namespace {

std::string ReadWorld(const std::string& name) {
  std::ifstream file(std::string(TACIT_ADVERSARY_FOLDER) + "/world/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Terms {
  const char* neighbours;
  int protects;
  const char* accounting;
  bool group_caps;
  // What questions usually cost: at a thousandth caps on groups are chosen wherever they save
  // noise, at 1 mostly for private keys alone. What is asked here names its own price.
  const char* price;
};
constexpr Terms kTerms[] = {
    {"add_remove", 1, "pure", false, "1"},     {"add_remove", 1, "pure", true, "0.001"},
    {"add_remove", 1, "zcdp", true, "0.001"},  {"add_remove", 2, "pure", true, "1"},
    {"replace_one", 1, "pure", true, "0.001"}, {"add_remove", 1, "zcdp", false, "1"},
    {"replace_one", 1, "zcdp", false, "1"},    {"replace_one", 2, "zcdp", true, "1"},
};

void Put(std::string& text, const std::string& word, const std::string& value) {
  text.replace(text.find(word), word.size(), value);
}

// Columns without rules, declared: prepare and the server refuse such a policy whole, and questions
// have to be refused where it has come this far.
constexpr const char* kPeopleHuge = "      huge: {bounds: [-100, 100]}";
constexpr const char* kVisitHuge = "      huge: {bounds: [0, 50]}";
constexpr const char* kMarks = R"(  marks:
    unit: mark
    rows_per_unit: 2
    columns:
      points: {bounds: [0, 10]}
      kind: {keys: [n, s]})";
// Meters name people in another type than people do, which is refused in the same places.
constexpr const char* kMeters = R"(  meters:
    unit: {via: pid, to: people}
    rows_per_unit: 2
    columns:
      level: {bounds: [0, 5], keys: {from: 0, to: 5, step: 1}})";

// What the database promises of a parent's key, where the data does not break it.
constexpr const char* kIndexes = ";CREATE UNIQUE INDEX visits_vid ON visits (vid)";

std::string PolicyOf(const Terms& terms, bool prepared, bool meters) {
  std::string text = ReadWorld("policy.yaml");
  Put(text, "NEIGHBOURS", terms.neighbours);
  Put(text, "PROTECTS", std::to_string(terms.protects));
  Put(text, "ACCOUNTING", terms.accounting);
  Put(text, "PRICE", terms.price);
  Put(text, "VISITCAPS",
      terms.group_caps ? "    groups_per_unit: 2\n    rows_per_group: 1"
                       : "    groups_per_unit: 3");
  Put(text, "STOPCAPS",
      terms.group_caps ? "    groups_per_unit: 1\n    rows_per_group: 2" : "    rows_per_group: 4");
  Put(text, "PEOPLEHUGE", prepared ? "" : kPeopleHuge);
  Put(text, "VISITHUGE", prepared ? "" : kVisitHuge);
  Put(text, "MARKS", prepared ? "" : kMarks);
  Put(text, "METERS", meters ? kMeters : "");
  return text;
}

bool Fits(const Step& step, const Terms& terms) {
  return !step.exchange || std::string(terms.neighbours) == "replace_one";
}

std::vector<Scene> MakeScenes() {
  std::vector<Scene> scenes;
  const size_t terms_count = std::size(kTerms);
  // In the first round every step has the terms that change least between neighbours, under which a
  // fault is seen best; the rounds after it go on to all the others.
  for (size_t round = 0; round < terms_count; ++round) {
    for (size_t i = 0; i < Steps().size(); ++i) {
      const Step& step = Steps()[i];
      size_t at = round == 0 ? (step.exchange ? 4 : i % 2) : (i + round + 1) % terms_count;
      const Terms& terms = kTerms[at];
      if (!Fits(step, terms)) continue;
      const bool prepared = (i + round) % 2 == 1 && !step.broken;
      scenes.push_back({.number = scenes.size(),
                        .step = &step,
                        .terms = std::string(terms.neighbours) + ", protects " +
                                 std::to_string(terms.protects) + ", " + terms.accounting +
                                 (terms.group_caps ? ", group caps" : ""),
                        .policy = PolicyOf(terms, prepared, step.table == "meters"),
                        .prepared = prepared});
    }
  }
  return scenes;
}

// Which row stands before which is nobody's, and no answer may show it: all rows of people once
// more, from the last to the first.
std::string TurnedRound() {
  const std::vector<std::string> tables = {"people", "visits", "stops",  "gauges", "meters",
                                           "cards",  "marks",  "badges", "votes",  "towns"};
  std::string text;
  for (const std::string& table : tables) {
    text += ";ALTER TABLE " + table + " RENAME TO before_" + table;
  }
  text += ";" + ReadWorld("schema.sql");
  for (const std::string& table : tables) {
    text += "INSERT INTO " + table + " SELECT * FROM before_" + table + " ORDER BY rowid" +
            (table == "towns" ? "" : " DESC") + ";DROP TABLE before_" + table + ";";
  }
  return text;
}

std::string Script(const std::string& extra, const Step* step, bool first, bool turned = false) {
  return ReadWorld("schema.sql") +
         (first ? extra + ";" + ReadWorld("rows.sql") : ReadWorld("rows.sql") + ";" + extra) +
         (turned ? TurnedRound() : "") + (step != nullptr && step->broken ? "" : kIndexes);
}

}  // namespace

std::string Scene::ScriptOfOne() const { return Script(step->added, step, step->first); }
// Who is removed has been there before.
std::string Scene::ScriptOfOther() const {
  return Script(step->removed, step, false, number % 2 == 0);
}

const std::vector<Scene>& Scenes() {
  static const std::vector<Scene> scenes = MakeScenes();
  return scenes;
}

// What DuckDB has in its tables and no text, or PostgreSQL no value for: the first instant, days
// after its last, numbers of more digits than their type's. On both sides alike.
constexpr const char* kStorable =
    ";UPDATE people SET seen = TIMESTAMP '0001-01-01' WHERE seen < TIMESTAMP '0001-01-01';"
    "UPDATE visits SET came = TIMESTAMP '0001-01-01' WHERE came < TIMESTAMP '0001-01-01';"
    "UPDATE people SET born = DATE '9999-12-31' WHERE born > DATE '9999-12-31' AND born < DATE "
    "'infinity';"
    "UPDATE votes SET big = -1 WHERE big < -999999999999999999999999999999999999.99";

Stage::Stage(const Scene& scene, Rows rows) {
  using neighbours::World;
  const bool is_here = rows == Rows::kInDuckdb;
  const std::string then = is_here ? "" : kStorable;
  one = World::MakeFrom(scene.ScriptOfOne() + then, scene.policy, scene.prepared && is_here);
  other = World::MakeFrom(scene.ScriptOfOther() + then, scene.policy, scene.prepared && is_here);
  if (!is_here) {
    there_one = OnPostgres(*one, scene.prepared);
    there_other = OnPostgres(*other, scene.prepared);
  }
  if (scene.prepared || !is_here) {
    unprepared = World::MakeFrom(scene.ScriptOfOne() + then, scene.policy, false);
  }
}

HiddenWorlds MakeHiddenWorlds(Rows rows) {
  const std::string script = Script("", nullptr, false);
  const std::string policy = PolicyOf(kTerms[0], false, false);
  const std::string changed =
      ";UPDATE people SET secret = CASE pid % 4 WHEN 0 THEN '1' WHEN 1 THEN NULL ELSE 'n' || pid "
      "END; UPDATE visits SET hush = CASE vid % 4 WHEN 0 THEN '1' WHEN 1 THEN NULL ELSE 'n' || vid "
      "END";
  HiddenWorlds worlds{.one = neighbours::World::MakeFrom(script, policy, false),
                      .other = neighbours::World::MakeFrom(script + changed, policy, false),
                      .there_one = nullptr,
                      .there_other = nullptr};
  if (rows == Rows::kInPostgres) {
    worlds.there_one = OnPostgres(*worlds.one, false);
    worlds.there_other = OnPostgres(*worlds.other, false);
  }
  return worlds;
}

}  // namespace tacit::adversary
