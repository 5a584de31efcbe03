#include "policy/keys/narrow.h"

#include <gtest/gtest.h>

namespace tacit::policy {
namespace {

Analyst Named(const char* name, const char* password, int epsilon) {
  return {.name = name,
          .place = {},
          .password = password,
          .budget = {.epsilon = Epsilon(epsilon, 1), .delta = Delta(1, 1000)}};
}

Policy Small() {
  Policy policy;
  policy.privacy.budget = {.epsilon = Epsilon(10, 1), .delta = Delta(1, 100)};
  policy.privacy.query = {.epsilon = Epsilon(1, 1),
                          .epsilon_max = Epsilon(4, 1),
                          .delta = Delta(1, 1'000'000),
                          .place = {}};
  policy.server.answer_every_ms = 50;
  policy.tables.emplace_back();
  policy.tables[0].name = "people";
  policy.tables[0].rows_per_unit = 5;
  policy.analysts = {Named("ana", "one", 3), Named("bob", "two", 3)};
  return policy;
}

TEST(Narrowed, TakesAwayWhatTheNewPolicyTakesAway) {
  const Policy old = Small();
  Policy fresh = Small();
  fresh.privacy.budget = {.epsilon = Epsilon(7, 1), .delta = Delta(1, 10)};
  fresh.privacy.query.epsilon_max = Epsilon(1, 2);
  fresh.server.answer_every_ms = 100;
  fresh.tables[0].rows_per_unit = 9;
  fresh.analysts = {Named("ana", "new", 2), Named("eve", "three", 3)};
  const Policy narrowed = Narrowed(old, fresh);
  EXPECT_EQ(narrowed.privacy.budget.epsilon, Epsilon(7, 1));
  EXPECT_EQ(narrowed.privacy.budget.delta, Delta(1, 100));
  EXPECT_EQ(narrowed.privacy.query.epsilon_max, Epsilon(1, 2));
  EXPECT_EQ(narrowed.privacy.query.epsilon, Epsilon(1, 2));
  EXPECT_EQ(narrowed.server.answer_every_ms, 100);
  ASSERT_EQ(narrowed.analysts.size(), 1u);
  EXPECT_EQ(narrowed.analysts[0].name, "ana");
  EXPECT_EQ(narrowed.analysts[0].password, "new");
  EXPECT_EQ(narrowed.analysts[0].budget.epsilon, Epsilon(2, 1));
  EXPECT_EQ(narrowed.tables[0].rows_per_unit, 5) << "what an answer means stays the old one's";
  EXPECT_EQ(PolicyVersion(narrowed), PolicyVersion(old));
}

TEST(Narrowed, GivesNothing) {
  const Policy old = Small();
  Policy fresh = Small();
  fresh.privacy.budget.epsilon = Epsilon(99, 1);
  fresh.privacy.query.epsilon_max = Epsilon(9, 1);
  fresh.server.answer_every_ms = 0;
  fresh.analysts = {Named("ana", "one", 9), Named("bob", "two", 9), Named("eve", "three", 9)};
  const Policy narrowed = Narrowed(old, fresh);
  EXPECT_EQ(narrowed.privacy.budget.epsilon, Epsilon(10, 1));
  EXPECT_EQ(narrowed.privacy.query.epsilon_max, Epsilon(4, 1));
  EXPECT_EQ(narrowed.server.answer_every_ms, 50);
  ASSERT_EQ(narrowed.analysts.size(), 2u);
  EXPECT_EQ(narrowed.analysts[1].budget.epsilon, Epsilon(3, 1));
}

}  // namespace
}  // namespace tacit::policy
