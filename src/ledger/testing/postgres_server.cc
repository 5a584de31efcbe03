#include "ledger/testing/postgres_server.h"

#include <dirent.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "ledger/postgres/session.h"

namespace tacit::ledger::testing {
namespace {

constexpr char kPrograms[] = "/usr/lib/postgresql/15/bin/";

// The server refuses to run as root; root lends it another name.
const passwd* OtherUser() { return ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr; }

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const size_t end = text.rfind(") ");
    int its_parent = 0;
    if (end == std::string::npos || std::sscanf(text.c_str() + end, ") %*c %d", &its_parent) != 1) {
      continue;
    }
    if (its_parent == parent) children.push_back(std::atoi(name.c_str()));
  }
  return children;
}

}  // namespace

pid_t PostgresServer::Run(const std::string& command) const {
  // All that needs memory is done before: in a child of a program with threads whoever held the
  // allocator's lock is gone.
  const passwd* const user = OtherUser();
  const std::string quiet = "exec " + command + " >>" + folder_ + "/log 2>&1";
  const pid_t child = ::fork();
  TACIT_ASSERT(child >= 0);
  if (child != 0) return child;
  const bool lent = user == nullptr || (::setgroups(0, nullptr) == 0 &&
                                        ::setgid(user->pw_gid) == 0 && ::setuid(user->pw_uid) == 0);
  // Whatever becomes of the test, its server ends with it.
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (lent) ::execl("/bin/sh", "sh", "-c", quiet.c_str(), nullptr);
  ::_exit(127);
}

PostgresServer::PostgresServer(const std::string& options) : options_(options) {
  std::string pattern = "/tmp/tacit-ledger-XXXXXX";
  TACIT_ASSERT(::mkdtemp(pattern.data()) != nullptr && ::chmod(pattern.c_str(), 0755) == 0);
  folder_ = pattern;
  if (const passwd* const user = OtherUser()) {
    TACIT_ASSERT(::chown(folder_.c_str(), user->pw_uid, user->pw_gid) == 0);
  }
  const pid_t made = Run(std::string(kPrograms) + "initdb -D " + folder_ +
                         "/data -U tacit -A trust --locale=C -E UTF8 --no-sync");
  int status = 0;
  TACIT_ASSERT(::waitpid(made, &status, 0) == made && status == 0);
  Start();
  const std::string own = "host=" + folder_ + " port=5432 user=tacit dbname=postgres";
  const auto session = PostgresSession::Connect({.dsn = own}, 30'000).value();
  session->QueueText("CREATE DATABASE ledger");
  TACIT_ASSERT(session->Run().ok());
}

void PostgresServer::Start() {
  const std::string own = "host=" + folder_ + " port=5432 user=tacit dbname=postgres";
  // After a kill the shared memory of processes that are still ending may be in the way.
  for (int tries = 0; tries < 600; ++tries) {
    if (server_ == 0) {
      server_ = Run(std::string(kPrograms) + "postgres -D " + folder_ +
                    "/data -c listen_addresses= -c unix_socket_directories=" + folder_ +
                    " -c shared_buffers=32MB " + options_);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (::waitpid(server_, nullptr, WNOHANG) == server_) {
      server_ = 0;
      continue;
    }
    if (PostgresSession::Connect({.dsn = own}, 1000).ok()) return;
  }
  TACIT_ASSERT(false && "PostgreSQL did not start");
}

void PostgresServer::Kill() {
  if (server_ == 0) return;
  ::kill(server_, SIGSTOP);  // it must not clean up after the others
  for (const pid_t child : ChildrenOf(server_)) ::kill(child, SIGKILL);
  ::kill(server_, SIGKILL);
  ::waitpid(server_, nullptr, 0);
  server_ = 0;
}

PostgresServer::~PostgresServer() {
  Kill();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

PostgresServer& PostgresServer::Shared() {
  static PostgresServer server;
  return server;
}

Place PostgresServer::NewPlace(const std::string& beside) {
  return Place(PostgresPlace{.dsn = Dsn(), .schema = "ledger_" + std::to_string(++places_)},
               beside);
}

void PostgresServer::Sql(const std::string& statement) {
  const auto session = PostgresSession::Connect({.dsn = Dsn()}, 30'000).value();
  session->QueueText(statement);
  const auto done = session->Run();
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().private_detail.c_str());
  TACIT_ASSERT(done.ok());
}

}  // namespace tacit::ledger::testing
