#pragma once

#include <memory>
#include <string>

#include "base/assert.h"
#include "base/testing/folder.h"
#include "owner/init.h"
#include "wire/deployment/live_deployment.h"

// A deployment as it is served, for tests of what is above it.
namespace tacit::wire::testing {

// 200 people in a folder of its own, and one analyst, ana; answers leave on a grid of so many
// milliseconds (0: at once).
class ServedPeople {
 public:
  explicit ServedPeople(int answer_every_ms) {
    std::string rows = "pid,age,sex\n";
    for (int i = 0; i < 200; ++i) {
      rows += std::to_string(i) + "," + std::to_string(20 + i % 60) + "," + "FM"[i % 2] + "\n";
    }
    folder_.Write("people.csv", rows);
    const std::string clinic = folder_.File("clinic");
    const auto made = owner::Init({.folder = clinic,
                                   .tables = {{"people", folder_.File("people.csv")}},
                                   .units = {{"people", "pid"}},
                                   .progress = {}});
    TACIT_ASSERT(made.ok());
    folder_.Write("clinic/tacit.yaml", PolicyWith(answer_every_ms));
    auto opened = LiveDeployment::Open(clinic, {});
    TACIT_ASSERT(opened.ok());
    deployment_ = std::move(opened).value();
  }

  LiveDeployment& deployment() { return *deployment_; }

 private:
  static std::string PolicyWith(int answer_every_ms) {
    return R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 10, delta: 0}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 0}
tables:
  people:
    unit: pid
    rows_per_unit: 1
    columns:
      pid: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
server: {answer_every_ms: )" +
           std::to_string(answer_every_ms) + R"(}
analysts:
  ana: {password: ")" +
           MakeVerifier("secret").value() + R"(", budget: {epsilon: 9, delta: 0}}
)";
  }

  tacit::testing::Folder folder_;  // before what is open in it
  std::unique_ptr<LiveDeployment> deployment_;
};

}  // namespace tacit::wire::testing
