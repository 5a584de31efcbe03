#include "base/secrets/secret_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process/core_dumps.h"

namespace tacit {
namespace {

// The flags of the pages around an address, as the kernel tells them: "rd wr mr mw me ac dd ".
std::string PageFlags(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      const auto place = reinterpret_cast<uintptr_t>(address);
      inside = begin <= place && place < end;
    }
    constexpr std::string_view kName = "VmFlags:";
    if (inside && line.starts_with(kName)) return line.substr(kName.size()) + " ";
  }
  return "";
}

TEST(SecretBytes, HoldsWhatItWasGivenAndMovesIt) {
  SecretBytes secret("correct horse");
  EXPECT_EQ(secret.view(), "correct horse");
  SecretBytes moved = std::move(secret);
  EXPECT_EQ(moved.view(), "correct horse");
  SecretBytes assigned("something else");
  assigned = std::move(moved);
  EXPECT_EQ(assigned.view(), "correct horse");
  EXPECT_EQ(SecretBytes("").size(), 0u);
  EXPECT_EQ(SecretBytes().view(), "");
  const std::string large(100'000, 'x');
  EXPECT_EQ(SecretBytes(large).view(), large);
}

TEST(SecretBytes, LivesInPagesThatNoCoreDumpHolds) {
  const SecretBytes secret("correct horse");
  EXPECT_THAT(PageFlags(secret.view().data()), ::testing::HasSubstr(" dd "));
  const std::string ordinary(10'000, 'x');  // the same look sees that other memory is dumped
  ASSERT_THAT(PageFlags(ordinary.data()), ::testing::HasSubstr(" rd "));
  EXPECT_THAT(PageFlags(ordinary.data()), ::testing::Not(::testing::HasSubstr(" dd ")));
}

TEST(SecretBytes, IsOverwrittenWhenItGoes) {
  char buffer[] = "correct horse";
  Wipe(buffer, sizeof buffer);
  for (const char byte : buffer) EXPECT_EQ(byte, 0);
}

// A dump under AddressSanitizer would hold its shadow: terabytes.
#ifndef __SANITIZE_ADDRESS__
// A real core dump of a child that holds two texts, made as the kernel makes it.
class CoreDump {
 public:
  // Whether the child was dumped, and the bytes of the dump where it is a file of its own.
  explicit CoreDump(void (*before_the_end)()) {
    char folder[] = "/tmp/tacit-core-XXXXXX";
    folder_ = ::mkdtemp(folder);
    const pid_t child = ::fork();
    if (child == 0) {
      rlimit limit{};
      (void)::getrlimit(RLIMIT_CORE, &limit);
      limit.rlim_cur = limit.rlim_max;
      (void)::setrlimit(RLIMIT_CORE, &limit);
      (void)::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
      if (::chdir(folder_.c_str()) != 0) ::_exit(1);
      before_the_end();
      (void)::signal(SIGSEGV, SIG_DFL);
      (void)::raise(SIGSEGV);
      ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    was_dumped_ = WIFSIGNALED(status) && WCOREDUMP(status);
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::ifstream file(entry.path(), std::ios::binary);
      std::ostringstream bytes;
      bytes << file.rdbuf();
      bytes_ += bytes.str();
    }
  }
  CoreDump(const CoreDump&) = delete;
  CoreDump& operator=(const CoreDump&) = delete;
  ~CoreDump() { std::filesystem::remove_all(folder_); }

  bool was_dumped() const { return was_dumped_; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string folder_;
  bool was_dumped_ = false;
  std::string bytes_;
};

// Made from halves, so that neither the program's constants nor its stack hold the whole text.
std::string Joined(const char* half) { return std::string(half) + "|" + half; }

TEST(SecretBytes, IsNotInACoreDumpThatHoldsOtherMemory) {
  const CoreDump dump([] {
    static auto* const ordinary = new std::string(Joined("nothing-special"));
    static auto* const secret = new SecretBytes;
    std::string text = Joined("correct-horse");
    *secret = SecretBytes(text);
    Wipe(text.data(), text.size());
    if (ordinary->empty() || secret->size() == 0) ::_exit(1);
  });
  if (dump.bytes().empty()) GTEST_SKIP() << "this system writes no core files into the folder";
  EXPECT_NE(dump.bytes().find(Joined("nothing-special")), std::string::npos);
  EXPECT_EQ(dump.bytes().find(Joined("correct-horse")), std::string::npos);
}

TEST(CoreDumps, AreNotMadeOnceForbidden) {
  if (!CoreDump([] {}).was_dumped()) GTEST_SKIP() << "this system dumps no process";
  EXPECT_FALSE(CoreDump([] { ForbidCoreDumps(); }).was_dumped());
}
#endif

TEST(CoreDumps, CannotBeAllowedAgainByALimit) {
  const pid_t child = ::fork();
  if (child == 0) {
    ForbidCoreDumps();
    rlimit limit{};
    const bool none = ::getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0;
    ::_exit(none && ::prctl(PR_GET_DUMPABLE) == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace tacit
