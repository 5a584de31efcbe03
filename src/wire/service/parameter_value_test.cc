#include "wire/service/parameter_value.h"

#include <gtest/gtest.h>

#include "wire/pg/types/codec.h"

namespace tacit::wire {
namespace {

struct Case {
  uint32_t type;
  const char* wrong;
  const char* said;
};

TEST(ParameterValue, NamesTheParameterAndItsTypeInWords) {
  const Case cases[] = {
      {oid::kInt2, "70000", "parameter $2 is not a value of type smallint"},
      {oid::kInt4, "abc", "parameter $2 is not a value of type integer"},
      {oid::kInt8, "1.5", "parameter $2 is not a value of type bigint"},
      {oid::kFloat8, "abc", "parameter $2 is not a value of type double precision"},
      {oid::kNumeric, "1,5", "parameter $2 is not a value of type numeric"},
      {oid::kBool, "perhaps", "parameter $2 is not a value of type boolean"},
      {oid::kDate, "soon", "parameter $2 is not a value of type date"},
      {oid::kTimestamp, "x", "parameter $2 is not a value of type timestamp without time zone"},
      {oid::kInterval, "long", "parameter $2 is not a value of type interval"},
      {oid::kJsonb, "{}", "parameter $2 is of type jsonb, which is not taken here"},
      {99999, "x", "parameter $2 is of type number 99999, which is not taken here"}};
  for (const Case& wrong : cases) {
    const Result<sql::Expression> value = ParameterValue(2, wrong.type, wrong.wrong);
    ASSERT_FALSE(value.ok()) << wrong.said;
    EXPECT_EQ(value.error().public_message, wrong.said);
  }
}

TEST(ParameterValue, TakesWhatIsOneOfItsType) {
  const std::pair<uint32_t, const char*> cases[] = {{oid::kInt4, "-5"},
                                                    {oid::kInt4Array, "{1,2}"},
                                                    {oid::kNumeric, "1e9"},
                                                    {oid::kBool, "t"},
                                                    {oid::kDate, "2024-1-31"},
                                                    {oid::kTimestamp, "2024-1-31"},
                                                    {oid::kInterval, "2 weeks"},
                                                    {oid::kText, ""},
                                                    {0, "anything"},
                                                    {oid::kUuid, "x"}};
  for (const auto& [type, text] : cases) {
    EXPECT_TRUE(ParameterValue(1, type, text).ok()) << text;
    EXPECT_TRUE(ParameterValue(1, type, std::nullopt).ok()) << text;
  }
  EXPECT_TRUE(
      ParameterValue(1, oid::kInt4Array, std::nullopt).ok());  // NULL is a value of every type
}

}  // namespace
}  // namespace tacit::wire
