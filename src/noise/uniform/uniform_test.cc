#include "noise/uniform/uniform.h"

#include <gtest/gtest.h>

#include <map>

#include "base/testing/tape_entropy.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;
using ::tacit::testing::TapeEntropy;

// Every 8-bit tape: for each bound, the words that are not turned away fall on every result
// equally.
TEST(Uniform, EveryTapeOfOneByteIsSharedEqually) {
  for (int bound = 1; bound < 256; ++bound) {
    std::map<int, int> results;
    int turned_away = 0;
    for (int word = 0; word < 256; ++word) {
      int calls = 0;
      const auto next = [&] { return static_cast<uint8_t>(++calls == 1 ? word : 255); };
      const uint8_t result = UniformBelowFrom<uint8_t, uint16_t>(static_cast<uint8_t>(bound), next);
      if (calls == 1) {
        ++results[result];
      } else {
        ++turned_away;
      }
    }
    EXPECT_EQ(turned_away, 256 % bound);
    ASSERT_EQ(results.size(), static_cast<size_t>(bound));
    for (const auto& [result, count] : results) {
      EXPECT_LT(result, bound);
      EXPECT_EQ(count, 256 / bound) << "bound " << bound << " result " << result;
    }
  }
}

TEST(Uniform, LargeBoundsTakeJustEnoughBitsAndTurnAwayWhatIsTooLarge) {
  const Integer bound = (Integer(1) << 70) - 1;
  // 70 bits of ones are the bound itself: turned away; the next try is 3 * 2^6 + 1.
  TapeEntropy tape({~uint64_t{0}, ~uint64_t{0}, 3, uint64_t{1} << 58});
  EXPECT_EQ(UniformBelow(bound, tape), 3 * 64 + 1);
  EXPECT_EQ(tape.WordsRead(), 4u);
}

TEST(Uniform, BothFormsStayBelowTheBound) {
  SeededEntropy entropy(1);
  for (const uint64_t bound : {uint64_t{1}, uint64_t{7}, uint64_t{1} << 63, ~uint64_t{0}}) {
    for (int i = 0; i < 1000; ++i) {
      EXPECT_LT(UniformBelow(bound, entropy), bound);
      EXPECT_LT(UniformBelow(Integer(static_cast<unsigned long>(bound)), entropy),
                Integer(static_cast<unsigned long>(bound)));
    }
  }
}

TEST(UniformDeathTest, AnEmptyRangeEndsTheProgram) {
  SeededEntropy entropy(1);
  EXPECT_DEATH((void)UniformBelow(uint64_t{0}, entropy), "bound > 0");
}

}  // namespace
}  // namespace tacit::noise
