#include "anonymize/partition/redact.h"

#include <gtest/gtest.h>

#include "anonymize/anonymize.h"
#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

TEST(RedactColumns, KeepsTheMostColumnsThatHold) {
  // a and b together have four classes of two; c is different in every row.
  const Table table =
      ParseCsv("a,b,c\nx,1,1\nx,1,2\nx,2,3\nx,2,4\ny,1,5\ny,1,6\ny,2,7\ny,2,8\n", "f").value();
  const std::vector<Domain> domains = MakeDomains(table, {"a", "b", "c"}, {}).value();
  const std::vector<uint32_t> rows = AllRows(table);
  const Classes two = RedactColumns(domains, rows, {.k = 2}, nullptr).value();
  EXPECT_EQ(two.size(), 4u);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_FALSE(two.BoundsOf(c)[0].suppressed());
    EXPECT_FALSE(two.BoundsOf(c)[1].suppressed());
    EXPECT_TRUE(two.BoundsOf(c)[2].suppressed());
  }
  EXPECT_EQ(RedactColumns(domains, rows, {.k = 3}, nullptr)->size(), 2u);
  EXPECT_EQ(RedactColumns(domains, rows, {.k = 5}, nullptr)->size(), 1u);
  EXPECT_EQ(RedactColumns(domains, rows, {.k = 1}, nullptr)->size(), 8u);
}

TEST(RedactColumns, LooksAtTheSensitiveColumnToo) {
  const Table table = ParseCsv("a,b,s\nx,1,u\nx,2,u\ny,1,v\ny,2,v\n", "f").value();
  const std::vector<Domain> domains = MakeDomains(table, {"a", "b"}, {}).value();
  const Domain values = MakeSensitiveDomain(table, "s", {}).value();
  const std::vector<uint32_t> rows = AllRows(table);
  SensitiveColumn sensitive(values.codes, values.size(), rows, Distance::kEqual);
  const Classes classes = RedactColumns(domains, rows, {.l = 2}, &sensitive).value();
  EXPECT_TRUE(classes.BoundsOf(0)[0].suppressed());
  EXPECT_FALSE(classes.BoundsOf(0)[1].suppressed());
}

}  // namespace
}  // namespace tacit::anonymize
