#include "local/design/hash_family.h"

#include "base/assert.h"

namespace tacit::local {
namespace {

// The polynomial that makes the bit strings a field of 2^n elements; 0 where we have none. From 32
// on a prime is always near.
uint32_t BinaryPolynomial(uint32_t size) {
  switch (size) {
    case 4:
      return 0b111;
    case 8:
      return 0b1011;
    case 16:
      return 0b10011;
    default:
      return 0;
  }
}

bool IsPrime(uint32_t n) {
  if (n < 2) return false;
  for (uint32_t divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) return false;
  }
  return true;
}

uint32_t MultiplyBinary(uint32_t a, uint32_t b, uint32_t size) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if (a & size) a ^= BinaryPolynomial(size);
  }
  return product;
}

struct Shape {
  uint32_t digits = 1;
  uint64_t seeds = 0;
};

Shape ShapeOf(uint32_t values, uint32_t buckets) {
  Shape shape{.digits = 1, .seeds = buckets};
  while (shape.seeds < values) {
    shape.seeds *= buckets;
    ++shape.digits;
  }
  return shape;
}

}  // namespace

bool HashFamily::Exists(uint32_t values, uint32_t buckets) {
  if (values < 2 || buckets < 2 || buckets > kBucketsMax) return false;
  if (!IsPrime(buckets) && BinaryPolynomial(buckets) == 0) return false;
  return ShapeOf(values, buckets).seeds * buckets <= kCellsMax;
}

HashFamily::HashFamily(uint32_t values, uint32_t buckets) : values_(values), buckets_(buckets) {
  TACIT_ASSERT(Exists(values, buckets));
  const Shape shape = ShapeOf(values, buckets);
  digits_ = shape.digits;
  seeds_ = static_cast<uint32_t>(shape.seeds);
  const bool binary = BinaryPolynomial(buckets) != 0;
  for (uint32_t a = 0; a < buckets; ++a) {
    for (uint32_t b = 0; b < buckets; ++b) {
      add_.push_back(static_cast<uint16_t>(binary ? a ^ b : (a + b) % buckets));
      multiply_.push_back(
          static_cast<uint16_t>(binary ? MultiplyBinary(a, b, buckets) : a * b % buckets));
    }
  }
}

}  // namespace tacit::local
