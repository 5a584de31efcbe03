#include "ledger/record/record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "accounting/zcdp.h"
#include "base/secrets/digest.h"
#include "ledger/chain/books.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::Number;

Record SampleRecord() {
  ChargeAct charge;
  charge.analyst = "ana";
  charge.request_id = "key \"1\"\n";
  charge.query_fingerprint = "q";
  charge.policy_version = "p";
  charge.data_version = 3;
  charge.accounting = Accounting::kZcdp;
  charge.dataset_cost = {.epsilon = Number("1/3"), .delta = Number("1e-9"), .rho = Number("1/18")};
  charge.releases.push_back({.id = {.sequence = 5, .ordinal = 0},
                             .fingerprint = "count",
                             .scales = {Number("3"), Number("25")},
                             .cost = charge.dataset_cost,
                             .analyst_pays = true,
                             .made_from = {{.sequence = 2, .ordinal = 1}}});
  charge.seal = {.count = 0, .hash = Sha256Hex("")};
  Record record;
  record.sequence = 5;
  record.time = "2026-01-02T03:04:05Z";
  record.state = Sha256Hex("books");
  record.act = charge;
  return record;
}

TEST(Record, ReadsBackWhatItWrote) {
  const std::string body = WriteRecord(SampleRecord());
  const Result<Record> read = ReadRecord(body);
  ASSERT_TRUE(read.ok()) << read.error().private_detail;
  EXPECT_EQ(WriteRecord(*read), body);
  EXPECT_EQ(std::get<ChargeAct>(read->act).dataset_cost.epsilon, Number("1/3"));
  EXPECT_EQ(body.find('\n'), std::string::npos) << "one line";
}

// Ledgers that were written before must read as they did.
TEST(Record, IsWrittenAsTheLibraryWould) {
  Record record = SampleRecord();
  auto& charge = std::get<ChargeAct>(record.act);
  for (const char* text :
       {"plain", "", "a\"b\\c/d", "\x01\x1f\x7f\n\t\b", "\u00e9\u4e16\U0001f600", ",:{}[]"}) {
    charge.analyst = text;
    record.time = text;
    const std::string body = WriteRecord(record);
    EXPECT_EQ(nlohmann::ordered_json::parse(body).dump(), body);
    EXPECT_TRUE(ReadRecord(body).ok());
    EXPECT_EQ(std::get<ChargeAct>(ReadRecord(body)->act).analyst, text);
  }
  charge.analyst = "\xff";
  EXPECT_ANY_THROW(WriteRecord(record));
}

TEST(Record, RefusesEveryOtherSpelling) {
  const std::string body = WriteRecord(SampleRecord());
  EXPECT_FALSE(ReadRecord(body + " ").ok());
  EXPECT_FALSE(ReadRecord("{ " + body.substr(1)).ok());
  EXPECT_FALSE(ReadRecord("").ok());
  EXPECT_FALSE(ReadRecord("[]").ok());
  EXPECT_FALSE(ReadRecord("{\"seq\":5}").ok());
  std::string spelled = body;
  spelled.replace(spelled.find("\"1/3\""), 5, "\"2/6\"");
  EXPECT_FALSE(ReadRecord(spelled).ok()) << "one number, one text";
  for (size_t i = 0; i < body.size(); ++i) {
    EXPECT_FALSE(ReadRecord(body.substr(0, i)).ok());
  }
}

// The library would cut a fraction off, and what a large number becomes is not defined.
TEST(Record, CountsAreWholeAndFit) {
  const std::string body = WriteRecord(SampleRecord());
  for (const char* name : {"\"seq\":", "\"count\":", "\"data_version\":", "\"id\":["}) {
    const size_t start = body.find(name) + std::string(name).size();
    const size_t end = body.find_first_of(",]}", start);
    ASSERT_LT(end, body.size()) << name;
    for (const char* number :
         {"1.5", "7.7e114", "1e2", "18446744073709551615", "9223372036854775808",
          "99999999999999999999999", "null", "\"5\"", "[]"}) {
      std::string changed = body;
      EXPECT_FALSE(ReadRecord(changed.replace(start, end - start, number)).ok()) << name << number;
    }
  }
  std::string negative = body;
  EXPECT_FALSE(ReadRecord(negative.replace(negative.find("\"seq\":") + 6, 0, "-")).ok());
}

TEST(Record, TheChainIsPlainSha256) {
  // printf '%064d\n{}\n' 0 | sha256sum
  EXPECT_EQ(ChainHash(kNoHash, "{}"), Sha256Hex(std::string(64, '0') + "\n{}\n"));
}

TEST(Books, RefuseARecordThatBreaksARule) {
  Books books;
  Record create;
  create.sequence = 1;
  create.act = CreateAct{"id"};
  ASSERT_TRUE(Post(create, books).ok());
  Record gap = SampleRecord();
  EXPECT_FALSE(Post(gap, books).ok()) << "records 2 to 4 are missing";
  Record wrong_sum = SampleRecord();
  wrong_sum.sequence = 2;
  Books copy = books;
  EXPECT_FALSE(Post(wrong_sum, copy).ok()) << "release 5.0 is not this record's";
  Record second = create;
  second.sequence = 2;
  copy = books;
  EXPECT_FALSE(Post(second, copy).ok());
}

TEST(Limits, TheRhoOfABudgetConvertsBackToIt) {
  const Budget budget{.epsilon = Number("3"), .delta = Number("1e-6")};
  const Cost capacity = CapacityOf(Accounting::kZcdp, budget).value();
  EXPECT_EQ(capacity.delta, Number("0.5e-6"));
  const double back = accounting::ZcdpEpsilonUp(Rho(capacity.rho), Delta(capacity.delta));
  EXPECT_LE(back, 3.0000001);
  EXPECT_GT(back, 2.99);
}

}  // namespace
}  // namespace tacit::ledger
