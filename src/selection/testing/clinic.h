#pragma once

#include "gateway/testing/deployment.h"

// A small clinic for tests of choices: 30 patients in departments a, b and c.
namespace tacit::selection::testing {

inline std::string ClinicPolicy(const std::string& accounting) {
  return R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: )" +
         accounting + R"(
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 1, epsilon_max: 2, delta: 1e-9}
tables:
  visits:
    unit: pid
    rows_per_unit: 3
    columns:
      pid: {hidden: true}
      dept: {keys: [a, b, c]}
      days: {bounds: [0, 9]}
      cost: {bounds: [0, 100], step: 0.01}
)";
}

class Clinic : public gateway::testing::TestDeployment {
 public:
  // `more`: statements that make this one differ from another.
  explicit Clinic(const std::vector<std::string>& more = {}, const std::string& accounting = "pure")
      : TestDeployment(ClinicPolicy(accounting), Statements(more)) {}

 private:
  // Ten patients with one visit to a, ten with one to b, and five to c.
  static std::vector<std::string> Statements(const std::vector<std::string>& more) {
    std::vector<std::string> statements = {
        "CREATE TABLE visits AS SELECT i AS pid, CASE WHEN i < 10 THEN 'a' WHEN i < 20 THEN 'b' "
        "ELSE 'c' END AS dept, (i % 10)::INTEGER AS days, (i * 1.5)::DOUBLE AS cost "
        "FROM range(25) t(i)"};
    statements.insert(statements.end(), more.begin(), more.end());
    return statements;
  }
};

inline gateway::Request Asker(const char* epsilon) {
  gateway::Request asker;
  asker.wish.epsilon = Epsilon(ParseRational(epsilon).value());
  return asker;
}

}  // namespace tacit::selection::testing
