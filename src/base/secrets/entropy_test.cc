#include "base/secrets/entropy.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <set>
#include <thread>
#include <vector>

#include "base/testing/tape_entropy.h"

namespace tacit {
namespace {

TEST(Entropy, NoWordComesTwice) {
  // 64-bit words repeat by chance with probability below 1e-8 over 400,000 draws.
  Entropy& entropy = Entropy::ForThisThread();
  std::set<uint64_t> seen;
  for (int i = 0; i < 400'000; ++i) seen.insert(entropy.NextWord());
  EXPECT_EQ(seen.size(), 400'000u);
}

TEST(Entropy, EveryBitIsFair) {
  // 64 counts of a fair coin thrown a million times: six standard deviations, false alarm below
  // 2e-7.
  Entropy& entropy = Entropy::ForThisThread();
  std::vector<int> ones(64);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t word = entropy.NextWord();
    for (size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>(word >> bit & 1);
  }
  for (const int count : ones) EXPECT_NEAR(count, 500'000, 3'000);
}

TEST(Entropy, ThreadsHaveStreamsOfTheirOwn) {
  uint64_t theirs = 0;
  std::thread([&] { theirs = Entropy::ForThisThread().NextWord(); }).join();
  EXPECT_NE(theirs, Entropy::ForThisThread().NextWord());
}

TEST(Entropy, AForkedChildNeverSharesAWordWithItsParent) {
  Entropy& entropy = Entropy::ForThisThread();
  (void)
      entropy.NextWord();  // the buffer is filled before the fork: the child inherits unread words
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    for (int i = 0; i < 600; ++i) {
      const uint64_t word = entropy.NextWord();
      if (write(pipe_ends[1], &word, sizeof(word)) != sizeof(word)) _exit(1);
    }
    _exit(0);
  }
  close(pipe_ends[1]);
  std::set<uint64_t> mine;
  for (int i = 0; i < 600; ++i) mine.insert(entropy.NextWord());
  uint64_t word = 0;
  int received = 0;
  while (read(pipe_ends[0], &word, sizeof(word)) == sizeof(word)) {
    EXPECT_FALSE(mine.contains(word));
    ++received;
  }
  close(pipe_ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(received, 600);
}

TEST(Entropy, ATapeIsReadInOrderAndKnowsHowMuchWasRead) {
  testing::TapeEntropy tape({7, 8, 9});
  EXPECT_EQ(tape.WordsRead(), 0u);
  EXPECT_EQ(tape.NextWord(), 7u);
  EXPECT_EQ(tape.NextWord(), 8u);
  EXPECT_EQ(tape.WordsRead(), 2u);
}

TEST(EntropyDeathTest, ATapeThatEndsEndsTheProgram) {
  testing::TapeEntropy tape({7});
  (void)tape.NextWord();
  EXPECT_DEATH((void)tape.NextWord(), "assertion failed");
}

}  // namespace
}  // namespace tacit
