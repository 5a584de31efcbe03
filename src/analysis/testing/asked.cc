#include "analysis/testing/asked.h"

#include <cstdio>
#include <cstdlib>

#include "analysis/analyze.h"
#include "analysis/expressions/resolve.h"
#include "analysis/relations/scan.h"
#include "policy/load.h"
#include "policy/testing/sample.h"
#include "sql/parse.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::analysis::testing {
namespace {

constexpr char kTables[] = R"(  people:
    unit: pid
    rows_per_unit: 1
    columns:
      name: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
      born: {keys: {from: 1900, to: 2099, step: 1}}
      seen: {keys: {from: 1, to: 9999, step: 1}}
  visits:
    unit: pid
    rows_per_unit: 3
    columns:
      days: {bounds: [0, 30]}
      ward: {keys: [A, B]}
      doctor: {hidden: true}
      weight: {bounds: [0, 200], step: 0.5}
  notes:
    unit: pid
    rows_per_unit: 4
    columns:
      words: {bounds: [0, 9]}
      mass: {bounds: [-1e15, 1e15], step: 0.001}
  events:
    unit: pid
    rows_per_unit: 1000
  cards:
    unit: {via: owner, to: people}
    rows_per_unit: 2
  loans:
    unit: {via: card, to: cards.number}
    rows_per_unit: 2
  gauges:
    unit: pid
    rows_per_unit: 2
  answers:
    unit: row
    columns:
      score: {bounds: [1, 5]}
  wards: {public: true}
)";

const policy::Schema& TheSchema() {
  static const policy::Schema schema{
      {{"answers", {{"pid", kIntegerType}, {"score", kIntegerType}}},
       {"cards", {{"number", kIntegerType}, {"owner", kIntegerType}}},
       {"events", {{"pid", kIntegerType}, {"at", kTimestampType}}},
       {"gauges", {{"pid", kDoubleType}, {"level", kIntegerType}}},
       {"loans", {{"card", kIntegerType}, {"sum", kIntegerType}}},
       {"notes",
        {{"pid", kIntegerType},
         {"topic", kTextType},
         {"words", kIntegerType},
         {"mass", kDoubleType}}},
       {"people",
        {{"pid", kIntegerType},
         {"name", kTextType},
         {"age", kIntegerType},
         {"sex", kTextType},
         {"city", kTextType},
         {"born", kIntegerType},
         {"seen", kIntegerType}}},
       {"visits",
        {{"pid", kIntegerType},
         {"ward", kTextType},
         {"days", kIntegerType},
         {"doctor", kTextType},
         {"weight", kDoubleType},
         {"cost", kIntegerType}}},
       {"wards", {{"ward", kTextType}, {"floor", kIntegerType}}}}};
  return schema;
}

template <class T>
T Must(Result<T> result, const std::string& about) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s\n%s\n", about.c_str(), result.error().public_message.c_str());
  std::abort();
}

const policy::Policy& ThePolicy() {
  static const policy::Policy policy =
      Must(policy::Parse(policy::testing::SampleWith(kTables), "tacit.yaml"), "the policy");
  return policy;
}

sql::Query Parsed(const std::string& query) { return Must(sql::Parse(query), query).query; }

}  // namespace

Result<Facts> Ask(const std::string& query) {
  return Analyze(Parsed(query), ThePolicy(), TheSchema());
}

std::string RuleOf(const std::string& query) {
  const Result<Facts> facts = Ask(query);
  return facts.ok() ? "" : facts.error().rule;
}

Facts FactsOf(const std::string& query) { return Must(Ask(query), query); }

Block BlockOf(const std::string& query) { return FactsOf(query).blocks.at(0); }

Known KnownOf(const std::string& query) {
  const sql::Query written = Parsed(query);
  return {.policy = ThePolicy(),
          .schema = TheSchema(),
          .written = written,
          .written_bytes = sql::PrintCanonical(written).size()};
}

ProtectedRows Scanned(Known& known, const std::string& table) {
  return Must(ScanTable(known, *ThePolicy().Find(table), table, {}), table);
}

Expression Written(const std::string& text) {
  return sql::As<sql::Select>(Parsed("SELECT " + text))->items.at(0).expression;
}

Expression Resolved(Known& known, const ProtectedRows& rows, const std::string& text) {
  return Must(ResolveOverRows(known, Written(text), rows, {}, Use::kProjection), text);
}

}  // namespace tacit::analysis::testing
