#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include "ledger/testing/ledger_site.h"

namespace tacit::ledger {
namespace {

using testing::Kept;
using testing::LedgerSite;
using testing::Number;
using testing::Sample;
using testing::SampleBy;

ErrorCode CodeOf(const Result<Receipt>& result) {
  return result.ok() ? ErrorCode::kInternal : result.error().code;
}

// Charges and stores, as the gateway does.
Receipt Answer(Ledger& ledger, const ChargeRequest& request, const std::string& bytes) {
  Receipt receipt = ledger.Charge(request).value();
  for (size_t i = 0; i < receipt.releases.size(); ++i) {
    if (receipt.releases[i].bytes) continue;
    const Result<Done> stored = ledger.Store(receipt, i, bytes + std::to_string(i));
    EXPECT_TRUE(stored.ok()) << stored.error().public_message;
  }
  return receipt;
}

class LedgerOn : public ::testing::TestWithParam<Kept> {};
INSTANTIATE_TEST_SUITE_P(EveryStorage, LedgerOn, ::testing::ValuesIn(testing::KeptHere()));

TEST_P(LedgerOn, ChargesUntilTheBudgetIsSpentExactly) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  for (int i = 0; i < 30; ++i) {
    const Result<Receipt> receipt = ledger.Charge(Sample("q" + std::to_string(i)));
    ASSERT_TRUE(receipt.ok()) << receipt.error().public_message << receipt.error().private_detail;
    EXPECT_EQ(receipt->balance.left->epsilon, Number("3") - (i + 1) * Number("0.1"));
  }
  const Result<Receipt> refused = ledger.Charge(Sample("one more", "1e-9"));
  EXPECT_EQ(CodeOf(refused), ErrorCode::kBudgetExhausted);
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, IsNeverReplacedAndNeverInvented) {
  const LedgerSite site(GetParam());
  const Result<Ledger> missing = site.Open();
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kUnavailable);
  ASSERT_TRUE(site.Create().ok());
  EXPECT_FALSE(site.Create().ok());
  EXPECT_TRUE(site.Open().ok());
}

TEST_P(LedgerOn, ReplaysTheSameQuestionForNothing) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const Receipt first = Answer(ledger, Sample("q"), "answer");
  const Head head = ledger.ReadHead().value();
  const Receipt again = ledger.Charge(Sample("q")).value();
  EXPECT_FALSE(again.charged());
  EXPECT_EQ(again.releases[0].bytes, "answer0");
  EXPECT_EQ(again.name, first.name);
  EXPECT_EQ(ledger.ReadHead()->hash, head.hash) << "a free answer writes nothing";
}

TEST_P(LedgerOn, AnotherDataVersionIsAnotherQuestion) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, Sample("q"), "old");
  ChargeRequest request = Sample("q");
  request.data_version = 2;
  EXPECT_TRUE(Answer(ledger, request, "new").charged());
  EXPECT_EQ(ledger.Charge(request)->releases[0].bytes, "new0");
}

TEST_P(LedgerOn, AFinerStoredAnswerServesAndAFinerWishIsANewCharge) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, Sample("q", "0.5"), "fine");
  const Receipt coarse = ledger.Charge(Sample("q", "0.1")).value();
  EXPECT_FALSE(coarse.charged());
  EXPECT_EQ(coarse.releases[0].scales[0], Number("2"));
  const Receipt finer = ledger.Charge(Sample("q", "1")).value();
  EXPECT_EQ(finer.dataset_cost.epsilon, Number("1"));
}

TEST_P(LedgerOn, OfStoredAnswersTheFinestServesOrTheCoarsestWhereThatIsAskedFor) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, Sample("q", "0.1"), "coarse");
  Answer(ledger, Sample("q", "0.2"), "middle");
  Answer(ledger, Sample("q", "0.5"), "fine");
  EXPECT_EQ(ledger.Charge(Sample("q", "0.15"))->releases[0].bytes, "fine0");
  ChargeRequest request = Sample("q", "0.15");
  request.coarsest = true;
  const Receipt coarsest = ledger.Charge(request).value();
  EXPECT_FALSE(coarsest.charged());
  EXPECT_EQ(coarsest.releases[0].bytes, "middle0") << "the first is too coarse";
}

TEST_P(LedgerOn, AnAnswerFinerThanWhatIsWrittenDownIsFoundAgain) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const auto of_scale = [](const std::string& epsilon, const std::string& scale) {
    ChargeRequest request = Sample("q", epsilon);
    request.releases[0].scales = {Number(scale)};
    return request;
  };
  Answer(ledger, of_scale("0.1", "1e-304"), "fine");
  EXPECT_FALSE(ledger.Charge(of_scale("0.1", "1e-304"))->charged());
  EXPECT_TRUE(ledger.Charge(of_scale("0.2", "5e-305"))->charged());
}

TEST_P(LedgerOn, AnAnalystPaysOnceForWhatOthersHavePaid) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, SampleBy("ana", "q"), "answer");
  const Receipt second = ledger.Charge(SampleBy("bob", "q")).value();
  EXPECT_TRUE(second.dataset_cost.IsZero());
  EXPECT_EQ(second.analyst_cost.epsilon, Number("0.1"));
  EXPECT_EQ(second.releases[0].bytes, "answer0");
  EXPECT_FALSE(ledger.Charge(SampleBy("bob", "q"))->charged());
  EXPECT_FALSE(ledger.Charge(SampleBy("ana", "q"))->charged());
  EXPECT_FALSE(ledger.Charge(Sample("q"))->charged()) << "the owner has no budget of its own";
  EXPECT_EQ(ledger.BalanceOf("", Accounting::kPure, std::nullopt)->spent.epsilon, Number("0.1"));
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, AnAnalystWhoPaysGetsNothingFinerThanThePriceCovers) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Answer(ledger, Sample("q", "1"), "fine");
  const Receipt receipt = ledger.Charge(SampleBy("ana", "q", "0.1")).value();
  EXPECT_FALSE(receipt.releases[0].bytes.has_value());
  EXPECT_EQ(receipt.analyst_cost.epsilon, Number("0.1"));
}

TEST_P(LedgerOn, AnAnalystsBudgetEndsBeforeTheDatasets) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(SampleBy("ana", "q", "1")).ok());
  EXPECT_EQ(CodeOf(ledger.Charge(SampleBy("ana", "r"))), ErrorCode::kBudgetExhausted);
  EXPECT_TRUE(ledger.Charge(SampleBy("bob", "r")).ok());
}

TEST_P(LedgerOn, ARequestIdIsChargedOnceAndReplays) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ChargeRequest request = SampleBy("ana", "q");
  request.request_id = "key-1";
  const Receipt lost = ledger.Charge(request).value();
  EXPECT_TRUE(lost.charged());
  EXPECT_EQ(CodeOf(ledger.Charge(request)), ErrorCode::kUnavailable) << "no answer is stored yet";
  ASSERT_TRUE(ledger.Store(lost, 0, "answer").ok());
  request.data_version = 2;
  const Receipt again = ledger.Charge(request).value();
  EXPECT_FALSE(again.charged());
  EXPECT_EQ(again.releases[0].bytes, "answer");
  ChargeRequest other = SampleBy("ana", "another question");
  other.request_id = "key-1";
  EXPECT_EQ(CodeOf(ledger.Charge(other)), ErrorCode::kInvalidArgument);
  ChargeRequest elsewhere = SampleBy("bob", "another question");
  elsewhere.request_id = "key-1";
  EXPECT_TRUE(ledger.Charge(elsewhere).ok()) << "ids belong to their analyst";
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, AReleaseMadeFromAnotherReplaysOnlyWithIt) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ChargeRequest request = Sample("inner");
  request.releases.push_back(Sample("outer").releases[0]);
  request.releases[1].made_from = {0};
  Answer(ledger, request, "first ");
  EXPECT_FALSE(ledger.Charge(request)->charged());
  ChargeRequest finer = Sample("inner", "0.5");
  finer.releases.push_back(request.releases[1]);
  const Receipt receipt = ledger.Charge(finer).value();
  EXPECT_FALSE(receipt.releases[1].bytes.has_value()) << "its constant is another number now";
  EXPECT_EQ(receipt.dataset_cost.epsilon, Number("0.6"));
  EXPECT_TRUE(ledger.Charge(Sample("outer"))->charged()) << "made from nothing: another question";
}

TEST_P(LedgerOn, DeclarationsAreFixedByTheFirstChargeAndTablesMayBeAdded) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  ChargeRequest terms = Sample("r");
  terms.declarations.terms = "replace_one protects=1 pure";
  EXPECT_EQ(CodeOf(ledger.Charge(terms)), ErrorCode::kRefused);
  ChargeRequest unit = Sample("r");
  unit.declarations.units["patients"] = "row";
  EXPECT_EQ(CodeOf(ledger.Charge(unit)), ErrorCode::kRefused);
  ChargeRequest added = Sample("r");
  added.declarations.units["visits"] = "patient_ssn -> patients.ssn";
  EXPECT_TRUE(ledger.Charge(added).ok());
  EXPECT_TRUE(ledger.Charge(Sample("s")).ok()) << "a table may be left out";
  ChargeRequest again = Sample("t");
  again.declarations.units["visits"] = "row";
  EXPECT_EQ(CodeOf(ledger.Charge(again)), ErrorCode::kRefused)
      << "but it does not change meanwhile";
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, ATableThatWasChargedForCannotBecomePublic) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  ChargeRequest unpaid = Sample("r");
  unpaid.declarations.units.clear();
  unpaid.releases.clear();  // reads the public table only
  unpaid.public_tables = {"departments"};
  EXPECT_TRUE(ledger.Quote(unpaid).ok());
  unpaid.public_tables = {"departments", "patients"};
  EXPECT_EQ(CodeOf(ledger.Quote(unpaid)), ErrorCode::kRefused);
  EXPECT_EQ(CodeOf(ledger.Charge(unpaid)), ErrorCode::kRefused);
}

TEST_P(LedgerOn, AChangedBudgetIsRecordedAndALoweredOneHoldsAtOnce) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q", "1")).ok());
  ChargeRequest lowered = Sample("r", "1");
  lowered.limits.dataset.epsilon = Number("1.5");
  const Head before = ledger.ReadHead().value();
  EXPECT_EQ(CodeOf(ledger.Charge(lowered)), ErrorCode::kBudgetExhausted);
  EXPECT_EQ(ledger.ReadHead()->records, before.records);
  ChargeRequest raised = Sample("r", "1");
  raised.limits.dataset.epsilon = Number("5");
  ASSERT_TRUE(ledger.Charge(raised).ok());
  std::vector<std::string> budgets;
  for (const StoredRecord& record : site.Records()) {
    if (record.body.find("\"kind\":\"budget\"") != std::string::npos) {
      budgets.push_back(record.body);
    }
  }
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_NE(
      budgets[1].find(R"("before":{"epsilon":"3","delta":"0.000001"},"after":{"epsilon":"5")"),
      std::string::npos);
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, ZcdpSumsRhoAndKeepsHalfOfDeltaForTheConversion) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ChargeRequest request = Sample("q", "1");
  request.limits.accounting = Accounting::kZcdp;
  request.releases[0].cost.delta = Number("0.6e-6");
  EXPECT_EQ(CodeOf(ledger.Charge(request)), ErrorCode::kBudgetExhausted) << "thresholds have half";
  request.releases[0].cost.delta = 0;
  // (3, 0.5e-6) holds a rho of about 0.17: no room for 0.5.
  EXPECT_EQ(CodeOf(ledger.Charge(request)), ErrorCode::kBudgetExhausted);
  request.releases[0].cost.rho = Number("0.14");
  EXPECT_TRUE(ledger.Charge(request).ok());
  request.limits.dataset.delta = 0;
  EXPECT_EQ(CodeOf(ledger.Charge(request)), ErrorCode::kInvalidArgument);
}

TEST_P(LedgerOn, AQuoteChargesNothing) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  const Receipt quote = ledger.Quote(Sample("q")).value();
  EXPECT_EQ(quote.dataset_cost.epsilon, Number("0.1"));
  EXPECT_EQ(quote.balance.left->epsilon, Number("2.9"));
  EXPECT_EQ(ledger.ReadHead()->records, 1);
  EXPECT_FALSE(ledger.Store(quote, 0, "never drawn").ok());
}

TEST_P(LedgerOn, AMomentLastsUntilSomebodyWrites) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Ledger other = site.Open().value();
  const Moment start = ledger.Now().value();
  ASSERT_TRUE(ledger.Quote(Sample("question")).ok());
  ASSERT_TRUE(ledger.BalanceOf("", Accounting::kPure, std::nullopt).ok());
  EXPECT_EQ(ledger.Now().value(), start);

  const Receipt receipt = ledger.Charge(Sample("question")).value();
  const Moment charged = ledger.Now().value();
  EXPECT_NE(charged, start);
  ASSERT_TRUE(ledger.Store(receipt, 0, "answer").ok());
  const Moment stored = ledger.Now().value();
  EXPECT_NE(stored, charged);
  ASSERT_TRUE(ledger.Charge(Sample("question")).ok());  // free: nothing is written
  EXPECT_EQ(ledger.Now().value(), stored);

  ASSERT_TRUE(other.Charge(Sample("another question")).ok());
  EXPECT_NE(ledger.Now().value(), stored);
}

TEST_P(LedgerOn, AnAnswerIsStoredOnceAndOnlyForItsOwnReceipt) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Receipt receipt = ledger.Charge(Sample("q")).value();
  ASSERT_TRUE(ledger.Store(receipt, 0, "").ok()) << "an empty table is an answer too";
  EXPECT_FALSE(ledger.Store(receipt, 0, "second").ok());
  EXPECT_FALSE(ledger.Store(receipt, 1, "no such release").ok());
  EXPECT_EQ(ledger.Charge(Sample("q"))->releases[0].bytes, "");
  Receipt forged = ledger.Charge(Sample("r")).value();
  forged.hash = receipt.hash;
  EXPECT_FALSE(ledger.Store(forged, 0, "forged").ok());
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, MalformedRequestsAreRefusedBeforeAnythingIsWritten) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ChargeRequest negative = Sample("q");
  negative.releases[0].cost.epsilon = Number("-0.1");
  ChargeRequest nothing = Sample("q");
  nothing.releases[0].cost.epsilon = 0;
  ChargeRequest bytes = Sample("q");
  bytes.analyst = "\xff\xfe";
  ChargeRequest later = Sample("q");
  later.releases[0].made_from = {0};
  ChargeRequest digits = Sample("q");
  digits.releases[0].cost.rho = Number("1e1000");
  for (const ChargeRequest& request : {negative, nothing, bytes, later, digits}) {
    EXPECT_EQ(CodeOf(ledger.Charge(request)), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(ledger.ReadHead()->records, 1);
}

TEST_P(LedgerOn, AClockThatGoesBackwardsChangesNothing) {
  const LedgerSite site(GetParam());
  int64_t now = 2'000'000'000;
  OpenOptions options;
  options.clock = [&now] { return now -= 86'400 * 365; };
  Ledger ledger = site.Make(options);
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(ledger.Charge(Sample("q" + std::to_string(i))).ok());
  }
  EXPECT_EQ(CodeOf(ledger.Charge(Sample("more"))), ErrorCode::kBudgetExhausted);
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(LedgerOn, PricesWithEverNewDenominatorsKeepTheTotalsShort) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  Rational sum = 0;
  int n = 1000;
  for (int i = 0; i < 120; ++i) {
    n += 2;
    const std::string price = "1/" + std::to_string(n);
    ChargeRequest request = Sample(price, "0.1");
    request.releases[0].cost.epsilon = Number(price);
    ASSERT_TRUE(ledger.Charge(request).ok());
    sum += Number(price);
  }
  const Rational spent = ledger.BalanceOf("", Accounting::kPure, std::nullopt)->spent.epsilon;
  EXPECT_GE(spent, sum);
  EXPECT_LE(spent, sum + Number("1e-57"));
  EXPECT_LE(ToString(spent).size(), 200u);
  EXPECT_EQ(site.Fault(), "");
}

}  // namespace
}  // namespace tacit::ledger
