#include "local/design/hash_family.h"

#include <gtest/gtest.h>

#include <vector>

namespace tacit::local {
namespace {

TEST(HashFamily, AnyTwoValuesCollideUnderExactlyOneSeedInBuckets) {
  for (const uint32_t buckets : {2, 3, 4, 5, 7, 8, 11, 16}) {
    for (const uint32_t values : {2, 3, 17, 40}) {
      const HashFamily family(values, buckets);
      for (uint32_t u = 0; u < values; ++u) {
        for (uint32_t v = 0; v < u; ++v) {
          uint32_t collisions = 0;
          for (uint32_t seed = 0; seed < family.seeds(); ++seed) {
            collisions += family.Hash(seed, u) == family.Hash(seed, v);
          }
          ASSERT_EQ(collisions * buckets, family.seeds()) << u << " " << v << " " << buckets;
        }
      }
    }
  }
}

TEST(HashFamily, TheBucketsFormAField) {
  for (const uint32_t g : {2, 3, 4, 5, 8, 13, 16}) {
    const HashFamily f(2, g);
    for (uint32_t a = 0; a < g; ++a) {
      std::vector<bool> sums(g);
      std::vector<bool> products(g);
      for (uint32_t b = 0; b < g; ++b) {
        sums[f.Add(a, b)] = true;
        products[f.Multiply(a, b)] = true;
        EXPECT_EQ(f.Multiply(a, b), f.Multiply(b, a));
        for (uint32_t c = 0; c < g; ++c) {
          EXPECT_EQ(f.Multiply(a, f.Add(b, c)), f.Add(f.Multiply(a, b), f.Multiply(a, c)));
          EXPECT_EQ(f.Multiply(a, f.Multiply(b, c)), f.Multiply(f.Multiply(a, b), c));
        }
      }
      EXPECT_EQ(sums, std::vector<bool>(g, true));
      if (a == 0) continue;
      EXPECT_EQ(products, std::vector<bool>(g, true)) << "no zero divisors";
    }
  }
}

TEST(HashFamily, ExistsOnlyWhereThereIsAFieldAndRoom) {
  for (const uint32_t buckets : {0, 1, 6, 9, 10, 12, 32, 255, 256, 257}) {
    EXPECT_FALSE(HashFamily::Exists(10, buckets)) << buckets;
  }
  EXPECT_TRUE(HashFamily::Exists(10, 251));
  EXPECT_TRUE(HashFamily::Exists(65536, 2));
  EXPECT_FALSE(HashFamily::Exists(65536, 251));  // 251^4 counts
}

}  // namespace
}  // namespace tacit::local
