#include "wire/pg/prepared/portals.h"

#include "wire/pg/state/testing.h"

namespace tacit::wire::pg {
namespace {

Portal WithRows(size_t rows, size_t bytes_each) {
  Portal portal = Cursor();
  portal.table = Table{.columns = {{.name = "x"}}, .rows = {}};
  for (size_t i = 0; i < rows; ++i) portal.table->rows.push_back({std::string(bytes_each, 'x')});
  return portal;
}

TEST(Portals, ANameIsTakenOnceAndTheNamelessOneIsReplaced) {
  Portals portals({});
  EXPECT_TRUE(portals.Add("c", Cursor()).ok());
  EXPECT_EQ(RuleOf(portals.Add("c", Cursor())), "duplicate_cursor");
  EXPECT_TRUE(portals.Add("", Cursor()).ok());
  EXPECT_TRUE(portals.Add("", Cursor(true)).ok());
  EXPECT_TRUE(portals.Find("")->hold);
  EXPECT_TRUE(portals.Erase("c"));
  EXPECT_FALSE(portals.Erase("c"));
}

TEST(Portals, AreLimitedInNumber) {
  Portals portals({.count_max = 2});
  EXPECT_TRUE(portals.Add("a", Cursor()).ok());
  EXPECT_TRUE(portals.Add("b", Cursor()).ok());
  EXPECT_EQ(RuleOf(portals.Add("c", Cursor())), "program_limit_exceeded");
}

TEST(Portals, OneThatIsPutBackKeepsItsPlaceInTime) {
  Portals portals({});
  ASSERT_TRUE(portals.Add("a", Cursor()).ok());
  const uint64_t between = portals.born();
  ASSERT_TRUE(portals.Add("b", Cursor()).ok());
  ASSERT_TRUE(portals.Add("a", *portals.Take("a")).ok());
  portals.EraseBornAfter(between);
  EXPECT_NE(portals.Find("a"), nullptr);
  EXPECT_EQ(portals.Find("b"), nullptr);
}

TEST(Portals, CountTheRowsThatWaitInThemAndAmongThoseOfTheAnalyst) {
  size_t of_analyst = 0;
  Portals portals({.count_max = 10, .bytes = {.of_session = 1'000'000, .of_analyst = 1'500'000}});
  portals.bytes().CountIn(&of_analyst);
  Portal large = WithRows(5'000, 100);
  ASSERT_TRUE(portals.CountRows(large).ok());
  ASSERT_TRUE(portals.Add("large", std::move(large)).ok());
  EXPECT_GT(of_analyst, 500'000u);
  Portal more = WithRows(5'000, 100);
  EXPECT_EQ(RuleOf(portals.CountRows(more)), "out_of_memory");
  Portal& fetched = *portals.Find("large");
  Values row;
  for (int i = 0; i < 4'900; ++i) ASSERT_TRUE(fetched.table->rows.Next(fetched.next, row));
  fetched.table->rows.LetGoBefore(fetched.next);
  portals.RecountRows(fetched);
  EXPECT_LT(of_analyst, 100'000u);
  EXPECT_TRUE(portals.CountRows(more).ok());
  portals.Clear();
  EXPECT_EQ(of_analyst, 0u);
  of_analyst = 1'490'000;  // other sessions of theirs
  EXPECT_EQ(RuleOf(portals.CountRows(more)), "out_of_memory");
}

TEST(Portals, CountTheParametersThatWaitInThem) {
  Portals portals({.count_max = 10, .bytes = {.of_session = 1'000, .of_analyst = 1'000}});
  Portal portal = Cursor();
  portal.parameters = {std::string(500, 'x'), std::nullopt};
  EXPECT_TRUE(portals.CountParameters(portal).ok());
  portal.parameters[0] = std::string(2'000, 'x');
  EXPECT_EQ(RuleOf(portals.CountParameters(portal)), "out_of_memory");
}

}  // namespace
}  // namespace tacit::wire::pg
