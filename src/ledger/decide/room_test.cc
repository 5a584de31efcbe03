#include "ledger/decide/room.h"

#include <gtest/gtest.h>

#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::Number;
using testing::Sample;
using testing::SampleBy;

std::string Said(ChargeRequest request, const Books& books, const ChargeAct& charge) {
  request.limits.dataset.delta = 0;
  if (request.limits.analyst) request.limits.analyst->delta = 0;
  const Balance own = BalanceIn(books, request.analyst, request.limits).value();
  const Result<Done> room = CheckRoom(request, books, charge, own, /*is_quote=*/false);
  return room.ok() ? "" : room.error().public_message;
}

TEST(Room, WhatItCostsIsShownRoundedUpAndWhatIsLeftRoundedDown) {
  Books books;
  books.entries[""].spent.epsilon = Number("7/3");  // of 3
  ChargeAct charge;
  for (const auto& [cost, shown] : {std::pair("0.70000000000001", "0.700001"),
                                    {"2/3", ""},
                                    {"5/7", "0.714286"},
                                    {"0.66666667", "0.66666667"},
                                    {"1234567890123.5", "1.23457e12"}}) {
    charge.dataset_cost.epsilon = Number(cost);
    const std::string expected =
        std::string("the dataset's budget does not cover this query: it costs epsilon ") + shown +
        ", and epsilon 0.666666 is left";
    EXPECT_EQ(Said(Sample("q"), books, charge), *shown == '\0' ? "" : expected) << cost;
  }
}

TEST(Room, AnAnalystIsToldTheOwnFiguresAndNothingOfTheDatasets) {
  Books books;
  books.entries[""].spent.epsilon = Number("2.9");
  books.entries["ana"].spent.epsilon = Number("0.25");  // of 1
  ChargeAct charge;
  charge.analyst_cost.epsilon = Number("0.8");
  EXPECT_EQ(Said(SampleBy("ana", "q"), books, charge),
            "the budget of analyst 'ana' does not cover this query: it costs epsilon 0.8, and "
            "epsilon 0.75 is left");
  charge.analyst_cost.epsilon = Number("0.5");
  EXPECT_EQ(Said(SampleBy("ana", "q"), books, charge),
            "the dataset's budget does not cover this query");
  charge.analyst_cost.epsilon = Number("0.1");
  EXPECT_EQ(Said(SampleBy("ana", "q"), books, charge), "");
}

TEST(Room, WhoPaysNothingIsNotAskedForRoom) {
  Books books;
  books.entries[""].spent.epsilon = Number("5");  // the budget was lowered since
  EXPECT_EQ(Said(Sample("q"), books, ChargeAct{}), "");
}

}  // namespace
}  // namespace tacit::ledger
