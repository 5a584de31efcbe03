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
      {pg::kInt2, "70000", "parameter $2 is not a value of type smallint"},
      {pg::kInt4, "abc", "parameter $2 is not a value of type integer"},
      {pg::kInt8, "1.5", "parameter $2 is not a value of type bigint"},
      {pg::kFloat8, "abc", "parameter $2 is not a value of type double precision"},
      {pg::kNumeric, "1,5", "parameter $2 is not a value of type numeric"},
      {pg::kBool, "perhaps", "parameter $2 is not a value of type boolean"},
      {pg::kDate, "soon", "parameter $2 is not a value of type date"},
      {pg::kTimestamp, "x", "parameter $2 is not a value of type timestamp without time zone"},
      {pg::kInterval, "long", "parameter $2 is not a value of type interval"},
      {1007, "{1,2}", "parameter $2 is of type integer[], which is not taken here"},
      {pg::kJsonb, "{}", "parameter $2 is of type jsonb, which is not taken here"},
      {99999, "x", "parameter $2 is of type number 99999, which is not taken here"}};
  for (const Case& wrong : cases) {
    const Result<sql::Expression> value = ParameterValue(2, wrong.type, wrong.wrong);
    ASSERT_FALSE(value.ok()) << wrong.said;
    EXPECT_EQ(value.error().public_message, wrong.said);
  }
}

TEST(ParameterValue, TakesWhatIsOneOfItsType) {
  const std::pair<uint32_t, const char*> cases[] = {{pg::kInt4, "-5"},
                                                    {pg::kNumeric, "1e9"},
                                                    {pg::kBool, "t"},
                                                    {pg::kDate, "2024-1-31"},
                                                    {pg::kTimestamp, "2024-1-31"},
                                                    {pg::kInterval, "2 weeks"},
                                                    {pg::kText, ""},
                                                    {0, "anything"},
                                                    {pg::kUuid, "x"}};
  for (const auto& [type, text] : cases) {
    EXPECT_TRUE(ParameterValue(1, type, text).ok()) << text;
    EXPECT_TRUE(ParameterValue(1, type, std::nullopt).ok()) << text;
  }
  EXPECT_TRUE(ParameterValue(1, 1007, std::nullopt).ok());  // NULL is a value of every type
}

}  // namespace
}  // namespace tacit::wire
