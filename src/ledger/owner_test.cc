// Whose ledger it is, wherever it is kept.

#include <gtest/gtest.h>

#include "ledger/testing/ledger_site.h"

namespace tacit::ledger {
namespace {

using testing::Kept;
using testing::LedgerSite;
using testing::Sample;
using testing::SampleBy;

class LedgerOwner : public ::testing::TestWithParam<Kept> {};
INSTANTIATE_TEST_SUITE_P(EveryStorage, LedgerOwner, ::testing::ValuesIn(testing::KeptHere()));

const char kOurKey[] = "our key";
const char kTheirKey[] = "their key";

OpenOptions Keyed(const std::string& key) {
  OpenOptions options;
  options.key = key;
  return options;
}

void ChargeAndKeep(Ledger& ledger, const std::string& question, const std::string& answer) {
  const Receipt receipt = ledger.Charge(SampleBy("ana", question)).value();
  TACIT_ASSERT(ledger.Store(receipt, 0, answer).ok());
}

TEST_P(LedgerOwner, OpensWithItsOwnKeyAlone) {
  const LedgerSite site(GetParam());
  ASSERT_TRUE(site.Create(Keyed(kOurKey)).ok());
  EXPECT_TRUE(site.Open(Keyed(kOurKey)).ok());
  const Result<Ledger> theirs = site.Open(Keyed(kTheirKey));
  ASSERT_FALSE(theirs.ok());
  EXPECT_EQ(theirs.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(theirs.error().public_message.find("not this deployment's"), std::string::npos);
  EXPECT_FALSE(site.Open().ok());
  EXPECT_FALSE(site.Verify(kTheirKey).ok());
  EXPECT_EQ(site.Fault(kOurKey), "");
  EXPECT_FALSE(site.Accept("mine now", kTheirKey).ok());
}

TEST_P(LedgerOwner, NothingIsAcceptedWhileAnybodyHasTheLedgerOpen) {
  const LedgerSite site(GetParam());
  {
    Ledger ledger = site.Make(Keyed(kOurKey));
    ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
    const Result<Head> accepted = site.Accept("beside", kOurKey);
    ASSERT_FALSE(accepted.ok());
    EXPECT_NE(accepted.error().public_message.find("another program"), std::string::npos)
        << accepted.error().public_message;
    EXPECT_NE(accepted.error().hint.find("stop the server"), std::string::npos);
    EXPECT_TRUE(ledger.Charge(Sample("next")).ok()) << "the open one goes on";
  }
  EXPECT_TRUE(site.Accept("alone", kOurKey).ok());
  EXPECT_TRUE(site.Open(Keyed(kOurKey)).ok());
  EXPECT_NE(site.Records().back().body.find("alone"), std::string::npos) << "it is recorded";
}

TEST_P(LedgerOwner, ALedgerOfNobodyBecomesTheOwnersAndItsAnswersStayBelieved) {
  const LedgerSite site(GetParam());
  {
    Ledger old = site.Make();
    ChargeAndKeep(old, "q0", "answer 0");
    ChargeAndKeep(old, "q1", "answer 1");
  }
  EXPECT_FALSE(site.Open(Keyed(kOurKey)).ok());
  ASSERT_TRUE(site.Accept("made by an older version", kOurKey).ok());
  EXPECT_FALSE(site.Open().ok());
  EXPECT_EQ(site.Fault(kOurKey), "");
  Ledger ledger = site.Open(Keyed(kOurKey)).value();
  EXPECT_EQ(ledger.Charge(SampleBy("ana", "q0"))->releases[0].bytes, "answer 0");
  EXPECT_EQ(ledger.Charge(SampleBy("ana", "q1"))->releases[0].bytes, "answer 1");
  ChargeAndKeep(ledger, "q2", "answer 2");
  EXPECT_EQ(site.Fault(kOurKey), "");
}

}  // namespace
}  // namespace tacit::ledger
