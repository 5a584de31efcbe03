#include "gateway/carry_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

namespace tacit::gateway {
namespace {

using ledger::testing::Folder;
using ::testing::ElementsAre;

// Something else than SQL, with a mechanism of its own: whether a person said yes is told as it is
// in three of four cases.
struct RandomisedResponse {
  std::string Apply(bool yes, Entropy& entropy) const {
    const bool truthful = (entropy.NextWord() & 3) != 0;
    return yes == truthful ? "yes" : "no";
  }
};

class Interview {
 public:
  explicit Interview(std::string path) : path_(std::move(path)) {}

  Result<Done> Prepare(const ledger::Receipt& quote) {
    Note("prepare " + std::to_string(quote.releases.size()));
    if (fails_at == "prepare") return InvalidArgument("nobody is at home");
    return Done{};
  }
  Error Unfinished() const { return InvalidArgument("the interview was not finished"); }
  Result<Done> Replay(size_t i, std::string bytes) {
    Note("replay " + std::to_string(i) + " " + bytes);
    said_.push_back(std::move(bytes));
    return Done{};
  }
  Result<Sensitive<bool>> Exact(size_t i) {
    Note("exact " + std::to_string(i));
    if (fails_at == "exact") throw std::runtime_error("Ann said yes");
    return Sensitive<bool>(true);
  }
  RandomisedResponse MechanismOf(size_t) const { return {}; }
  Result<const std::string*> Take(size_t i, std::string released) {
    Note("take " + std::to_string(i));
    said_.push_back(std::move(released));
    return &said_.back();
  }
  Result<std::string> Finish(const ledger::Receipt& receipt) {
    Note("finish");
    return receipt.name + ":" + said_[0];
  }

  std::string fails_at;
  std::vector<std::string> notes;

 private:
  // With what the ledger holds at that moment.
  void Note(const std::string& what) {
    const ledger::Verification now = ledger::Verify(path_).value();
    notes.push_back(what + ": " + std::to_string(now.charges) + " charges, " +
                    std::to_string(now.releases) + " stored");
  }

  std::string path_;
  std::vector<std::string> said_;
};

class CarryOutTest : public ::testing::Test {
 protected:
  Result<std::string> Ask(Interview& interview, const std::string& epsilon = "0.1") {
    return CarryOut(ledger::testing::Sample("did they", epsilon), interview, ledger_, entropy_);
  }
  Interview NewInterview() { return Interview(folder_.ledger()); }

  const Folder folder_{};
  ledger::Ledger ledger_ = ledger::testing::MakeLedger(folder_);
  tacit::testing::SeededEntropy entropy_{7};
};

TEST_F(CarryOutTest, ChargesBeforeItLooksAndStoresBeforeItTells) {
  Interview first = NewInterview();
  const Result<std::string> answer = Ask(first);
  ASSERT_TRUE(answer.ok()) << answer.error().public_message;
  EXPECT_THAT(first.notes,
              ElementsAre("prepare 1: 0 charges, 0 stored", "exact 0: 1 charges, 0 stored",
                          "take 0: 1 charges, 0 stored", "finish: 1 charges, 1 stored"));
  // Asked again it is the same, for nothing, and nobody looks.
  Interview second = NewInterview();
  const Result<std::string> again = Ask(second);
  ASSERT_TRUE(again.ok());
  const std::string said = answer->substr(answer->rfind(':') + 1);
  EXPECT_EQ(*again, *answer);  // with the receipt of the charge that paid for it
  EXPECT_THAT(second.notes, ElementsAre("prepare 1: 1 charges, 1 stored",
                                        "replay 0 " + said + ": 1 charges, 1 stored",
                                        "finish: 1 charges, 1 stored"));
}

TEST_F(CarryOutTest, WhatFailsBeforeTheChargeCostsNothing) {
  Interview interview = NewInterview();
  interview.fails_at = "prepare";
  EXPECT_EQ(Ask(interview).error().public_message, "nobody is at home");
  EXPECT_EQ(ledger::Verify(folder_.ledger())->charges, 0);
  Interview dear = NewInterview();
  EXPECT_EQ(Ask(dear, "1000").error().code, ErrorCode::kBudgetExhausted);
  EXPECT_THAT(dear.notes, ::testing::IsEmpty());
}

TEST_F(CarryOutTest, WhatIsThrownAfterTheChargeSaysNothingAndTheChargeStands) {
  Interview interview = NewInterview();
  interview.fails_at = "exact";
  const Result<std::string> answer = Ask(interview);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().public_message, "the interview was not finished");
  EXPECT_EQ(answer.error().private_detail.find("Ann"), std::string::npos);
  EXPECT_EQ(ledger::Verify(folder_.ledger())->charges, 1);
}

}  // namespace
}  // namespace tacit::gateway
