#include "base/process/sandbox.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <fstream>

#include "base/testing/folder.h"

namespace tacit {
namespace {

using std::chrono::milliseconds;

std::optional<std::string> Shell(const std::string& script, const std::string& input = "",
                                 const Sandbox::Limits& limits = {.time = milliseconds(5000)}) {
  const Result<Sandbox> sandbox = Sandbox::Of({"sh", "-c", script}, {}, limits);
  EXPECT_TRUE(sandbox.ok());
  return sandbox->Run(input);
}

bool CanShutIn() {
  const Result<Sandbox> sandbox = Sandbox::Of({"true"}, {}, {});
  return sandbox.ok() && sandbox->Check().ok();
}

TEST(Sandbox, RunsAProgramOnItsInput) {
  if (!CanShutIn()) GTEST_SKIP() << "programs cannot be shut in here";
  EXPECT_EQ(Shell("cat", "a,b\n1,2\n"), "a,b\n1,2\n");
  EXPECT_EQ(Shell("wc -c", std::string(3'000'000, 'x')), "3000000\n");
}

TEST(Sandbox, GivesNothingOfAFailure) {
  if (!CanShutIn()) GTEST_SKIP() << "programs cannot be shut in here";
  EXPECT_FALSE(Shell("echo 3; exit 1"));
  EXPECT_FALSE(Shell("yes", "", {.time = milliseconds(300)}));
  EXPECT_FALSE(Shell("echo 3; sleep 60", "", {.time = milliseconds(300)}));
  EXPECT_FALSE(Shell("exec >&-; sleep 60", "", {.time = milliseconds(300)}));
}

TEST(Sandbox, HasNoNetworkNoFilesAndNobodyBesideIt) {
  if (!CanShutIn()) GTEST_SKIP() << "programs cannot be shut in here";
  testing::Folder folder;
  std::ofstream(folder.File("secret")) << "secret";
  EXPECT_FALSE(Shell("cat " + folder.File("secret")));
  EXPECT_EQ(Shell("ls -A /tmp /home /root /etc/passwd 2>/dev/null; echo done"), "/tmp:\ndone\n");
  EXPECT_EQ(Shell("touch /usr/x /x /etc/x /dev/x 2>/dev/null; echo $?"), "1\n");
  EXPECT_EQ(Shell("echo $$ $(id -u)"), "1 65534\n");
  EXPECT_EQ(Shell("ls /proc /sys 2>/dev/null | wc -l"), "0\n");
  EXPECT_EQ(Shell("env | grep -cE 'USER|PWD=/work|SSH'"), std::nullopt);  // none: grep fails
  // Nothing stays from one to the next.
  EXPECT_EQ(Shell("echo x > /tmp/kept && cat /tmp/kept"), "x\n");
  EXPECT_FALSE(Shell("cat /tmp/kept"));
  EXPECT_FALSE(Shell("mount -t tmpfs none /usr"));
}

// The kernel keeps a user's keys when all of the user's processes have ended.
TEST(Sandbox, LeavesNoKeysForTheNextRun) {
  if (!CanShutIn()) GTEST_SKIP() << "programs cannot be shut in here";
  for (const char* ring : {"-3", "-4"}) {  // of the session, of the user
    EXPECT_EQ(
        Shell("python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(" +
              std::to_string(SYS_add_key) + ", b\"user\", b\"tacit\", b\"1\", 1, " + ring + "))'"),
        "-1\n");
  }
}

TEST(Sandbox, SeesTheFilesThatAreNamed) {
  if (!CanShutIn()) GTEST_SKIP() << "programs cannot be shut in here";
  testing::Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  const std::string script = folder.File("script.sh");
  std::ofstream(script) << "echo from a file";
  const Result<Sandbox> sandbox = Sandbox::Of({"sh", script}, {}, {.time = milliseconds(5000)});
  ASSERT_TRUE(sandbox.ok());
  EXPECT_EQ(sandbox->Run(""), "from a file\n");
  EXPECT_EQ(sandbox->files().size(), 2u);
  EXPECT_FALSE(Sandbox::Of({"no-such-program"}, {}, {}).ok());
  EXPECT_FALSE(Sandbox::Of({"sh"}, {"/no/such/file"}, {}).ok());
}

}  // namespace
}  // namespace tacit
