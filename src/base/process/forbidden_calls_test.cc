#include "base/process/forbidden_calls.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

namespace tacit {
namespace {

constexpr int kPassed = 0, kFailed = 1;

// How a child ended that does this: the exit code, or minus the signal.
int EndOf(const std::function<int()>& act) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(act());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int ConfinedEndOf(const std::function<int()>& act) {
  return EndOf([&] { return ForbidCalls().ok() ? act() : kFailed; });
}

// With arguments that no call takes, so that nothing happens where the filter is missing.
int Call(long number) {
  return ::syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1 ? kPassed : kFailed;
}

TEST(ForbiddenCalls, EachEndsTheProcess) {
  for (const ForbiddenCall& call : ForbiddenCalls()) {
    EXPECT_EQ(ConfinedEndOf([&] { return Call(call.number); }), -SIGSYS) << call.name;
  }
  EXPECT_GT(ForbiddenCalls().size(), 60u);
}

TEST(ForbiddenCalls, AreAllowedBefore) {
  EXPECT_EQ(EndOf([] { return Call(SYS_keyctl); }), kPassed);
  EXPECT_EQ(EndOf([] { return Call(SYS_kill); }), kPassed);
}

TEST(ForbiddenCalls, EndTheProcessFromAThreadThatRanBefore) {
  EXPECT_EQ(EndOf([] {
              std::atomic<bool> confined = false;
              std::thread early([&] {
                confined.wait(false);
                Call(SYS_keyctl);
              });
              if (!ForbidCalls().ok()) ::_exit(kFailed);
              confined = true;
              confined.notify_all();
              early.join();
              return kFailed;
            }),
            -SIGSYS);
}

TEST(ForbiddenCalls, MemoryBecomesNoCode) {
  constexpr size_t kPage = 4096;
  const auto map = [](int protection) {
    return ::mmap(nullptr, kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  EXPECT_EQ(ConfinedEndOf([&] {
              map(PROT_READ | PROT_WRITE | PROT_EXEC);
              return kFailed;
            }),
            -SIGSYS);
  EXPECT_EQ(ConfinedEndOf([&] {
              ::mprotect(map(PROT_READ | PROT_WRITE), kPage, PROT_READ | PROT_EXEC);
              return kFailed;
            }),
            -SIGSYS);
  EXPECT_EQ(ConfinedEndOf([&] {
              void* page = map(PROT_READ | PROT_WRITE);
              return ::mprotect(page, kPage, PROT_READ) == 0 ? kPassed : kFailed;
            }),
            kPassed);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ForbiddenCalls, NoProcessIsMade) {
  EXPECT_EQ(ConfinedEndOf([] {
              if (::fork() == 0) ::_exit(kPassed);
              return kFailed;
            }),
            -SIGSYS);
}
#endif

TEST(ForbiddenCalls, NobodyIsCalledUpAndOtherSocketsAreNotThere) {
  EXPECT_EQ(ConfinedEndOf([] {
              const int client = ::socket(AF_INET, SOCK_STREAM, 0);
              sockaddr_in address{};
              address.sin_family = AF_INET;
              address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
              address.sin_port = htons(9);
              const bool refused =
                  ::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == -1 &&
                  errno == EACCES;
              const bool absent = ::socket(AF_NETLINK, SOCK_RAW, 0) == -1 && errno == EAFNOSUPPORT;
              return client >= 0 && refused && absent ? kPassed : kFailed;
            }),
            kPassed);
}

TEST(ForbiddenCalls, WhoHasServersOfItsOwnCallsThemUpAndStartsNothing) {
  EXPECT_EQ(EndOf([] {
              if (!ForbidCalls(CallsUp::kServers).ok()) return kFailed;
              const int client = ::socket(AF_INET, SOCK_STREAM, 0);
              sockaddr_in address{};
              address.sin_family = AF_INET;
              address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
              address.sin_port = htons(9);
              const bool refused =
                  ::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == -1;
              return refused && errno == ECONNREFUSED && ::socket(AF_NETLINK, SOCK_RAW, 0) == -1
                         ? kPassed
                         : kFailed;
            }),
            kPassed);
}

// What the gateway does all day.
TEST(ForbiddenCalls, LeaveFilesThreadsAndListeners) {
  EXPECT_EQ(ConfinedEndOf([] {
              bool opened = false;
              std::thread([&] {
                const int file = ::open("/dev/null", O_RDWR | O_CLOEXEC);
                opened = file >= 0 && ::write(file, "x", 1) == 1 && ::close(file) == 0;
              }).join();
              const int door = ::socket(AF_INET, SOCK_STREAM, 0);
              return opened && door >= 0 && ::listen(door, 1) == 0 ? kPassed : kFailed;
            }),
            kPassed);
}

}  // namespace
}  // namespace tacit
