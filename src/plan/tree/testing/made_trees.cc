#include "plan/tree/testing/made_trees.h"

#include <cstdio>
#include <cstdlib>

#include "analysis/analyze.h"
#include "plan/compile.h"
#include "policy/load.h"
#include "policy/testing/sample.h"
#include "sql/parse.h"

namespace tacit::plan::tree::testing {
namespace {

constexpr char kTables[] = R"(  people:
    unit: pid
    rows_per_unit: 1
    columns:
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
  visits:
    unit: pid
    rows_per_unit: 3
    columns:
      days: {bounds: [0, 30]}
      cost: {bounds: [0, 100]}
      ward: {keys: [A, B]}
  notes:
    unit: pid
    rows_per_unit: 4
    groups_per_unit: 1
    rows_per_group: 1
    rows_max: 5
    columns:
      words: {bounds: [0, 9]}
  answers:
    unit: row
    columns:
      score: {bounds: [1, 5]}
  wards: {public: true}
)";

policy::Schema SchemaOf(const Tables& tables) {
  policy::Schema schema{
      {{"answers", {{"score", kIntegerType}, {"ward", kTextType}}},
       {"notes", {{"pid", kIntegerType}, {"topic", kTextType}, {"words", kIntegerType}}},
       {"people", {{"pid", kIntegerType}, {"age", kIntegerType}, {"sex", kTextType}}},
       {"visits",
        {{"pid", kIntegerType},
         {"vid", kIntegerType},
         {"ward", kTextType},
         {"days", kIntegerType},
         {"cost", NumericType(8, 2)}}},
       {"wards", {{"ward", kTextType}, {"floor", kIntegerType}}}}};
  for (policy::SchemaTable& table : schema.tables) table.prepared = tables.prepared;
  return schema;
}

template <class T>
T Must(Result<T> result, const std::string& query) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "%s\n%s\n", query.c_str(), result.error().public_message.c_str());
  std::abort();
}

}  // namespace

Exact TreeOf(const std::string& query, const Tables& tables) {
  const policy::Policy policy =
      Must(policy::Parse(policy::testing::SampleWith(kTables), "tacit.yaml"), "the policy");
  const sql::Statement statement = Must(sql::Parse(query), query);
  const analysis::Facts facts =
      Must(analysis::Analyze(statement.query, policy, SchemaOf(tables)), query);
  const PrivatePlan plan = Must(Compile(facts, policy.privacy, {}), query);
  return plan.releases.at(0).exact;
}

}  // namespace tacit::plan::tree::testing
