#include "base/process/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/mount.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/process/forbidden_calls.h"

namespace tacit {
namespace {

// Where the new root is put together: nothing below it is needed any more.
constexpr char kNewRoot[] = "/proc";
constexpr char kNewTmp[] = "/proc/tmp";
// What stands in it of the system.
constexpr const char* kSystemPaths[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"};
constexpr const char* kDevices[] = {"/dev/null", "/dev/zero", "/dev/urandom"};
constexpr uid_t kNobody = 65534;
// Exit codes of what is shut in, before the program is there.
constexpr int kNotShutIn = 126;
constexpr int kNotStarted = 127;
constexpr int kCanStart = 0;

Error CannotShutIn() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "programs cannot be shut in on this machine",
               .hint =
                   "run this as root, or let users have namespaces "
                   "(user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns); "
                   "Linux 5.12 or later is needed",
               .position = std::nullopt,
               .private_detail = ""};
}

std::optional<std::string> FoundProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  for (const char* folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return std::nullopt;
}

// Of a path that is known to be absolute and in order: all folders above it, the outermost first.
void AddFoldersAbove(const std::string& path, std::vector<std::string>& folders) {
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
    const std::string folder = path.substr(0, at);
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
}

bool WriteTo(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool good = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return good;
}

bool MakeReadOnly(const char* path, bool is_device) {
  struct mount_attr attributes = {};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  if (!is_device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  return syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, &attributes, sizeof attributes) ==
         0;
}

void Limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const struct rlimit limit = {most, most};
  setrlimit(what, &limit);
}

// All of it on a file in memory, at its beginning; -1 where there is no memory.
int FileWith(std::string_view text) {
  const int file = memfd_create("tacit-block", MFD_CLOEXEC);
  if (file < 0) return -1;
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t more = write(file, text.data() + written, text.size() - written);
    if (more <= 0) {
      close(file);
      return -1;
    }
    written += static_cast<size_t>(more);
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace

Result<Sandbox> Sandbox::Of(const std::vector<std::string>& command,
                            const std::vector<std::string>& visible, const Limits& limits) {
  if (command.empty()) return InvalidArgument("there is no program to run");
  Sandbox sandbox;
  sandbox.limits_ = limits;
  sandbox.command_ = command;
  sandbox.is_root_ = geteuid() == 0;
  sandbox.user_map_ = std::to_string(kNobody) + " " + std::to_string(geteuid()) + " 1\n";
  sandbox.group_map_ = std::to_string(kNobody) + " " + std::to_string(getegid()) + " 1\n";
  const std::optional<std::string> program = FoundProgram(command[0]);
  if (!program || access(program->c_str(), X_OK) != 0) {
    return InvalidArgument("there is no program " + command[0],
                           "give its path, and make it executable");
  }
  std::error_code ignored;
  sandbox.command_[0] = std::filesystem::absolute(*program, ignored).lexically_normal();
  sandbox.files_.push_back(sandbox.command_[0]);
  for (size_t i = 1; i < command.size(); ++i) {
    if (!std::filesystem::is_regular_file(command[i], ignored)) continue;
    sandbox.command_[i] = std::filesystem::absolute(command[i], ignored).lexically_normal();
    sandbox.files_.push_back(sandbox.command_[i]);
  }
  std::vector<std::string> paths = sandbox.files_;
  for (const std::string& path : visible) {
    if (!std::filesystem::exists(path, ignored)) {
      return InvalidArgument("there is no file or folder " + path);
    }
    paths.push_back(std::filesystem::absolute(path, ignored).lexically_normal());
  }
  paths.insert(paths.begin(), std::begin(kSystemPaths), std::end(kSystemPaths));
  std::vector<std::string> whole;  // folders that are there with all that is in them
  for (const std::string& path : paths) {
    const bool is_there = std::any_of(whole.begin(), whole.end(), [&](const std::string& folder) {
      return path == folder || path.starts_with(folder + "/");
    });
    struct stat status = {};
    if (is_there || lstat(path.c_str(), &status) != 0) continue;
    Mount mount{.from = path, .to = kNewRoot + path};
    if (S_ISLNK(status.st_mode)) {
      const std::string target = std::filesystem::read_symlink(path, ignored);
      const bool of_system = std::find(std::begin(kSystemPaths), std::end(kSystemPaths), path) !=
                             std::end(kSystemPaths);
      if (of_system) mount.link = target;
    }
    mount.is_file = mount.link.empty() && std::filesystem::is_regular_file(path, ignored);
    if (!mount.is_file) whole.push_back(path);
    AddFoldersAbove(path, sandbox.folders_);
    if (mount.link.empty() && !mount.is_file) sandbox.folders_.push_back(path);
    sandbox.mounts_.push_back(std::move(mount));
  }
  for (const char* device : kDevices) {
    sandbox.mounts_.push_back(
        {.from = device, .to = std::string(kNewRoot) + device, .is_file = true, .is_device = true});
    AddFoldersAbove(device, sandbox.folders_);
  }
  for (std::string& folder : sandbox.folders_) folder = kNewRoot + folder;
  return sandbox;
}

// proof: gateway/learning/aggregate.md#claim
// Only calls of the system from here on, on texts that were made before: other threads may have
// held any lock when this process was made.
bool Sandbox::ShutIn() const {
  if (!is_root_) {
    // Only who may be looked into may write these.
    if (prctl(PR_SET_DUMPABLE, 1) != 0 || !WriteTo("/proc/self/setgroups", "deny") ||
        !WriteTo("/proc/self/uid_map", user_map_) || !WriteTo("/proc/self/gid_map", group_map_)) {
      return false;
    }
  }
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  if (mount("tmpfs", kNewRoot, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755") != 0)
    return false;
  // First: what is named may stand in it.
  if (mkdir(kNewTmp, 0755) != 0 ||
      mount("tmpfs", kNewTmp, "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=1777") != 0) {
    return false;
  }
  for (const std::string& folder : folders_) {
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return false;
  }
  for (const Mount& each : mounts_) {
    if (!each.link.empty()) {
      if (symlink(each.link.c_str(), each.to.c_str()) != 0) return false;
      continue;
    }
    if (each.is_file) {
      const int file = open(each.to.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      if (file < 0) return false;
      close(file);
    }
    if (mount(each.from.c_str(), each.to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0 ||
        !MakeReadOnly(each.to.c_str(), each.is_device)) {
      return false;
    }
  }
  if (chdir(kNewRoot) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
      umount2(".", MNT_DETACH) != 0 || chdir("/") != 0) {
    return false;
  }
  struct mount_attr read_only = {};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &read_only, sizeof read_only) != 0) return false;
  if (is_root_ && (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
                   setresuid(kNobody, kNobody, kNobody) != 0)) {
    return false;
  }
  return ForbidKeys() && chdir("/tmp") == 0;
}

void Sandbox::Enter(int input, int output, bool only_check) const {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(nowhere, 2) < 0 ||
      syscall(SYS_close_range, 3U, ~0U, 0U) != 0 || !ShutIn()) {
    _exit(kNotShutIn);
  }
  char* arguments[256];
  size_t count = 0;
  for (const std::string& argument : command_) {
    if (count + 1 < std::size(arguments)) arguments[count++] = const_cast<char*>(argument.c_str());
  }
  arguments[count] = nullptr;
  const char* environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC",
                               "HOME=/tmp", nullptr};
  if (only_check) _exit(access(arguments[0], X_OK) == 0 ? kCanStart : kNotStarted);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.time).count() + 2;
  Limit(RLIMIT_CPU, static_cast<rlim_t>(seconds));
  Limit(RLIMIT_AS, limits_.memory_bytes_max);
  Limit(RLIMIT_NOFILE, 256);
  Limit(RLIMIT_CORE, 0);
  execve(arguments[0], arguments, const_cast<char**>(environment));
  _exit(kNotStarted);
}

int Sandbox::Start(int input, int output, bool only_check) const {
  unsigned long spaces =
      CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | SIGCHLD;
  if (!is_root_) spaces |= CLONE_NEWUSER;
  // A fork into namespaces of its own, of which the child is the first process: with it all end.
  const long child = syscall(SYS_clone, spaces, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) Enter(input, output, only_check);
  return static_cast<int>(child);
}

Result<Done> Sandbox::Check() const {
  if (command_.size() > 200) return InvalidArgument("a program takes at most 200 arguments here");
  const int nothing = FileWith("");
  if (nothing < 0) return CannotShutIn();
  const int child = Start(nothing, nothing, true);
  close(nothing);
  if (child < 0) return CannotShutIn();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCanStart) return Done{};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kNotStarted) return CannotShutIn();
  return InvalidArgument(
      command_[0] + " cannot be started where it is shut in",
      "it is a link, or its folder is closed to others: give the program itself, "
      "in a folder that everybody may read");
}

std::optional<std::string> Sandbox::Run(std::string_view input) const {
  const auto end = std::chrono::steady_clock::now() + limits_.time;
  int pipes[2];
  if (pipe2(pipes, O_CLOEXEC) != 0) return std::nullopt;
  const int given = FileWith(input);
  const int child = given < 0 ? -1 : Start(given, pipes[1], false);
  if (given >= 0) close(given);
  close(pipes[1]);
  std::string printed;
  bool all = false;
  while (child > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || printed.size() > limits_.output_bytes_max) break;
    struct pollfd ready = {.fd = pipes[0], .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    char bytes[4096];
    const ssize_t more = read(pipes[0], bytes, sizeof bytes);
    if (more > 0) printed.append(bytes, static_cast<size_t>(more));
    all = more == 0;
    if (more <= 0) break;
  }
  close(pipes[0]);
  if (child <= 0) return std::nullopt;
  // It has closed its output: it may still be ending.
  int status = -1;
  bool ended = false;
  while (all && !ended && std::chrono::steady_clock::now() < end) {
    ended = waitpid(child, &status, WNOHANG) == child;
    if (!ended) usleep(500);
  }
  if (!ended) {
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  const bool good = ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                    printed.size() <= limits_.output_bytes_max;
  return good ? std::optional(printed) : std::nullopt;
}

}  // namespace tacit
