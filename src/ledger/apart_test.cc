// What one analyst sees does not depend on what another asked.

#include <gtest/gtest.h>

#include "ledger/inspect.h"
#include "ledger/record/record.h"
#include "ledger/testing/ledger_site.h"

namespace tacit::ledger {
namespace {

using testing::Kept;
using testing::LedgerSite;
using testing::Number;
using testing::Sample;
using testing::SampleBy;

std::string TextOf(const Cost& cost) {
  return ToString(cost.epsilon) + "/" + ToString(cost.delta) + "/" + ToString(cost.rho);
}

// All that reaches an analyst, but for the values and the digits of the receipt.
std::string SeenOf(const Result<Receipt>& result) {
  if (!result.ok()) return result.error().public_message + " | " + result.error().hint;
  std::string seen = TextOf(result->analyst_cost) + " spent " + TextOf(result->balance.spent) +
                     " left " + TextOf(result->balance.left.value()) + " receipt " +
                     std::to_string(result->name.size());
  for (const GrantedRelease& release : result->releases) {
    for (const Rational& scale : release.scales) seen += " " + ToString(scale);
  }
  return seen;
}

void Answer(Ledger& ledger, const Result<Receipt>& receipt) {
  if (!receipt.ok()) return;
  for (size_t i = 0; i < receipt->releases.size(); ++i) {
    if (!receipt->releases[i].bytes) TACIT_ASSERT(ledger.Store(*receipt, i, "answer").ok());
  }
}

// A query of two parts, the second made from the first, and one that wishes the same twice.
std::vector<ChargeRequest> QuestionsOf(const std::string& analyst) {
  std::vector<ChargeRequest> questions;
  for (const char* price : {"0.1", "0.05", "0.1", "0.02"}) {
    questions.push_back(SampleBy(analyst, "q", price));
  }
  ChargeRequest nested = SampleBy(analyst, "inner");
  nested.releases.push_back(Sample("outer").releases[0]);
  nested.releases[1].made_from = {0};
  questions.push_back(nested);
  ChargeRequest twice = SampleBy(analyst, "twice");
  twice.releases.push_back(twice.releases[0]);
  questions.push_back(twice);
  questions.push_back(twice);
  ChargeRequest with_id = SampleBy(analyst, "by id", "0.03");
  with_id.request_id = "key";
  questions.push_back(with_id);
  questions.push_back(with_id);
  questions.push_back(SampleBy(analyst, "too much", "0.9"));
  return questions;
}

std::vector<std::string> SessionOf(Ledger& ledger, const std::string& analyst) {
  std::vector<std::string> seen;
  for (const ChargeRequest& question : QuestionsOf(analyst)) {
    seen.push_back("quote " + SeenOf(ledger.Quote(question)));
    const Result<Receipt> receipt = ledger.Charge(question);
    seen.push_back("charge " + SeenOf(receipt));
    Answer(ledger, receipt);
  }
  return seen;
}

class AnalystsApart : public ::testing::TestWithParam<Kept> {};
INSTANTIATE_TEST_SUITE_P(EveryStorage, AnalystsApart, ::testing::ValuesIn(testing::KeptHere()));

TEST_P(AnalystsApart, ASessionIsTheSameAfterAnotherAskedTheSame) {
  const LedgerSite alone(GetParam());
  Ledger quiet = alone.Make();
  const std::vector<std::string> expected = SessionOf(quiet, "bob");
  const LedgerSite shared(GetParam());
  Ledger busy = shared.Make();
  SessionOf(busy, "ana");
  SessionOf(busy, "ana");
  EXPECT_EQ(SessionOf(busy, "bob"), expected);
  EXPECT_LT(busy.BalanceOf("", Accounting::kPure, std::nullopt)->spent.epsilon,
            2 * quiet.BalanceOf("", Accounting::kPure, std::nullopt)->spent.epsilon)
      << "stored answers serve, and cost the dataset nothing";
  EXPECT_EQ(shared.Verify()->fault, "");
}

using Charges = std::vector<std::pair<int64_t, int64_t>>;  // the analyst's number, the ledger's

Charges ReadCharges(const LedgerSite& site, const std::string& analyst, int64_t newest_max) {
  Charges charges;
  const Result<Done> read = site.ForEachChargeOf(
      analyst, newest_max, [&](int64_t number, const StoredRecord& stored) -> Result<Done> {
        const Record record = ReadRecord(stored.body).value();
        const auto* charge = std::get_if<ChargeAct>(&record.act);
        EXPECT_TRUE(charge != nullptr && charge->analyst == analyst) << "somebody else's is read";
        charges.emplace_back(number, stored.sequence);
        return Done{};
      });
  EXPECT_TRUE(read.ok());
  return charges;
}

TEST_P(AnalystsApart, OwnChargesAreReadWithoutAnybodyElses) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  for (const char* analyst : {"ana", "bob", "ana"}) SessionOf(ledger, analyst);
  Charges all;
  for (const StoredRecord& stored : site.Records()) {
    const Record record = ReadRecord(stored.body).value();
    const auto* charge = std::get_if<ChargeAct>(&record.act);
    if (charge == nullptr || charge->analyst != "bob") continue;
    all.emplace_back(static_cast<int64_t>(all.size()) + 1, stored.sequence);
  }
  ASSERT_GT(all.size(), 3u);
  EXPECT_EQ(ReadCharges(site, "bob", 1000), all);
  EXPECT_EQ(ReadCharges(site, "bob", 2), Charges(all.end() - 2, all.end()));
  EXPECT_TRUE(ReadCharges(site, "nobody", 1000).empty());
}

// Who has read a part reads on from there: together it is the whole.
TEST_P(AnalystsApart, WhatAnAskerPaidForIsReadOnFromAnyRecord) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  for (const char* analyst : {"ana", "bob", "ana", "bob"}) {
    for (ChargeRequest question : QuestionsOf(analyst)) {
      for (ReleaseWish& wish : question.releases) wish.shape = analyst;
      Answer(ledger, ledger.Charge(question));
    }
  }
  for (const char* analyst : {"ana", "bob", ""}) {
    const std::vector<OwnCharge> all = ledger.OwnChargesAfter(analyst, 1, 0)->charges;
    ASSERT_GT(all.size(), 3u) << analyst;
    size_t releases = 0;
    for (const OwnCharge& charge : all) {
      releases += charge.releases.size();
      for (const OwnRelease& release : charge.releases) {
        EXPECT_TRUE(*analyst == '\0' || release.shape == analyst) << analyst;
      }
    }
    EXPECT_GT(releases, 4u) << analyst;
    for (size_t seen = 0; seen < all.size(); ++seen) {
      const std::vector<OwnCharge> since =
          ledger.OwnChargesAfter(analyst, 1, all[seen].sequence)->charges;
      ASSERT_EQ(since.size(), all.size() - seen - 1) << analyst;
      for (size_t i = 0; i < since.size(); ++i) {
        EXPECT_EQ(since[i].sequence, all[seen + 1 + i].sequence);
        EXPECT_EQ(since[i].releases.size(), all[seen + 1 + i].releases.size());
      }
    }
    const std::vector<OwnCharge> of_another_version =
        ledger.OwnChargesAfter(analyst, 2, 0)->charges;
    for (const OwnCharge& charge : of_another_version) {
      EXPECT_TRUE(charge.releases.empty()) << analyst;
    }
  }
}

// However large the tables are that somebody asks for, what is told of them has an end: the newest.
TEST_P(AnalystsApart, WhatIsToldOfChargesIsBounded) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const size_t fit = kOwnShapeBytesMax / kShapeBytesMax;
  for (int i = 0; i < 6; ++i) {
    ChargeRequest many = SampleBy("ana", "first of " + std::to_string(i), "0.0001");
    while (many.releases.size() < fit / 4) {
      many.releases.push_back(
          Sample(std::to_string(i) + "/" + std::to_string(many.releases.size()), "0.0001")
              .releases[0]);
    }
    for (ReleaseWish& wish : many.releases) wish.shape = std::string(kShapeBytesMax, 's');
    ASSERT_TRUE(ledger.Charge(many).ok());
  }
  const OwnCharges told = ledger.OwnChargesAfter("ana", 1, 0).value();
  EXPECT_FALSE(told.whole);
  size_t releases = 0;
  for (const OwnCharge& charge : told.charges) releases += charge.releases.size();
  EXPECT_EQ(releases, fit);
  EXPECT_EQ(told.charges.back().releases.size(), fit / 4) << "the newest";
  EXPECT_TRUE(ledger.OwnChargesAfter("ana", 1, told.charges.back().sequence)->whole);
}

TEST_P(AnalystsApart, WhatWasPaidForIsFoundHoweverOftenOthersAskTheSame) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, ledger.Charge(SampleBy("bob", "q")));
  for (int i = 1; i <= 70; ++i) {
    const std::string price = "0.00" + std::string(i < 10 ? "0" : "") + std::to_string(i);
    Answer(ledger, ledger.Charge(SampleBy("ana", "q", price)));
  }
  EXPECT_FALSE(ledger.Charge(SampleBy("bob", "q"))->charged());
}

// The same is spent, on the same question or on another: the room for it must look the same.
TEST_P(AnalystsApart, WhetherTheDatasetHasRoomDoesNotTellThatAnAnswerIsStored) {
  std::vector<std::string> seen;
  for (const char* asked : {"q", "another"}) {
    const LedgerSite site(GetParam());
    Ledger ledger = site.Make();
    Answer(ledger, ledger.Charge(Sample(asked, "0.5")));
    Answer(ledger, ledger.Charge(Sample("the rest", "2.4")));
    seen.push_back(SeenOf(ledger.Quote(SampleBy("bob", "q", "0.5"))));
    const Result<Receipt> refused = ledger.Charge(SampleBy("bob", "q", "0.5"));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kBudgetExhausted);
    seen.back() += SeenOf(refused);
    EXPECT_EQ(seen.back().find("2.9"), std::string::npos);
    EXPECT_EQ(refused.error().public_message, "the dataset's budget does not cover this query");
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST_P(AnalystsApart, AQuoteSaysNothingOfTheDatasetsRoom) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const std::string before = SeenOf(ledger.Quote(SampleBy("bob", "q", "0.5")));
  Answer(ledger, ledger.Charge(Sample("the rest", "3")));
  EXPECT_EQ(SeenOf(ledger.Quote(SampleBy("bob", "q", "0.5"))), before);
  EXPECT_FALSE(ledger.Charge(SampleBy("bob", "q", "0.5")).ok());
  EXPECT_FALSE(ledger.Quote(Sample("q", "0.5")).ok()) << "the owner is told";
}

TEST_P(AnalystsApart, AReceiptNamesTheChargeAndNotItsPlace) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const Receipt first = ledger.Charge(SampleBy("bob", "q")).value();
  ASSERT_TRUE(ledger.Store(first, 0, "answer").ok());
  EXPECT_EQ(first.name.size(), 32u);
  EXPECT_EQ(first.name.find(':'), std::string::npos);
  EXPECT_NE(first.hash.find(first.name), 0u);
  EXPECT_EQ(ledger.Charge(SampleBy("bob", "q"))->name, first.name) << "the charge that paid";
  EXPECT_EQ(ledger.ReceiptName("bob", first.sequence, first.hash), first.name);
  const Receipt owners = ledger.Charge(Sample("q")).value();
  EXPECT_EQ(owners.name, std::to_string(owners.sequence) + ":" + owners.hash);
}

}  // namespace
}  // namespace tacit::ledger
