#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/trino/engine.h"
#include "same_answers.h"
#include "trino_tables.h"

// A Trino cluster, and DuckDB.
namespace tacit::golden {
namespace {

// Why 10: a question of three statements takes the cluster three quarters of a second.
constexpr size_t kEverydayStride = 10;

TEST(TrinoEngine, GivesWhatDuckdbGivesOrRefusesByName) {
  if (!TestCluster("default")) GTEST_SKIP() << "run it by test/engines/with_trino.py";
  const size_t stride = std::getenv("TACIT_LONG") != nullptr ? 1 : kEverydayStride;
  const auto open = [](const neighbours::World& world, const std::string& name) {
    return std::make_unique<engine::trino::TrinoEngine>(LoadIntoTrino(world, "golden_" + name),
                                                        nullptr);
  };
  const auto cannot = [](const std::string& database, const std::string& query) {
    return database == "edges" && query.find("span") != std::string::npos ? "a stored interval"
                                                                          : "";
  };
  ExpectKnownRefusals(CompareAnswers(open, stride, cannot), TACIT_REFUSED_BY_TRINO, stride,
                      "Trino");
}

}  // namespace
}  // namespace tacit::golden
