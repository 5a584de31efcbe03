#include "wire/pg/prepared/bind.h"

#include "wire/pg/state/testing.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire::pg {
namespace {

TEST(Bind, ReadsTextsAndBinariesAndTellsWhichIsWrong) {
  const std::vector<uint32_t> types = {oid::kInt4, oid::kText, oid::kInt8};
  BindMessage message;
  message.parameter_formats = {1, 0, 1};
  message.parameters = {BinaryOf(oid::kInt4, "7").value(), "x", std::nullopt};
  EXPECT_EQ(*BoundTexts(message, types), (Row{"7", "x", std::nullopt}));

  message.parameters = {"7", "x", "too short"};
  const Result<Row> wrong = BoundTexts(message, types);
  EXPECT_EQ(wrong.error().public_message, "parameter $1 is not a value of type integer");
  message.parameters = {std::nullopt, std::string("a\0b", 3), std::nullopt};
  EXPECT_EQ(BoundTexts(message, types).error().public_message, "parameter $2 contains a zero byte");
  message.parameters = {std::nullopt, "\xff", std::nullopt};
  EXPECT_EQ(RuleOf(BoundTexts(message, types)), "character_not_in_repertoire");
  message.parameters = {std::nullopt};
  EXPECT_EQ(RuleOf(BoundTexts(message, types)), "protocol_violation");
}

TEST(Bind, FormatsAreNoneOneOrOneForEach) {
  EXPECT_TRUE(CheckFormats({}, 3).ok());
  EXPECT_TRUE(CheckFormats({1}, 3).ok());
  EXPECT_TRUE(CheckFormats({1}, 0).ok());
  EXPECT_TRUE(CheckFormats({1, 0, 1}, 3).ok());
  EXPECT_EQ(RuleOf(CheckFormats({1, 0}, 3)), "protocol_violation");
}

}  // namespace
}  // namespace tacit::wire::pg
