// A program with what the shipped one must not have. The check has to find it here.
#include "base/testing/tape_entropy.h"

int main(int argc, char**) {
  tacit::testing::TapeEntropy tape({1, 2, 3});
  tacit::testing::SeededEntropy seeded(static_cast<uint64_t>(argc));
  tacit::Entropy& either = argc > 1 ? static_cast<tacit::Entropy&>(tape) : seeded;
  return static_cast<int>(either.NextWord() & 1);
}
