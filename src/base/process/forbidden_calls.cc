#include "base/process/forbidden_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <vector>

namespace tacit {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMakesProcesses = true;
#else
constexpr bool kMakesProcesses = false;
#endif

#if defined(__x86_64__)
constexpr uint32_t kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kMachine = 0;
#endif

// The second set of numbers of x86-64 (x32) would go around every comparison.
constexpr uint32_t kOtherNumbers = 0x40000000;

#define CALL(name) {SYS_##name, #name},
// clang-format off
constexpr ForbiddenCall kCalls[] = {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // Other programs and other processes.
    CALL(execve) CALL(execveat) CALL(ptrace)
#ifdef SYS_fork
    CALL(fork) CALL(vfork)
#endif
#endif
    CALL(process_vm_readv) CALL(process_vm_writev) CALL(process_madvise) CALL(kcmp)
    CALL(pidfd_open) CALL(pidfd_getfd) CALL(pidfd_send_signal)
    CALL(kill) CALL(tkill) CALL(rt_sigqueueinfo) CALL(rt_tgsigqueueinfo)
    // Another view of the system, other rights, another user.
    CALL(mount) CALL(umount2) CALL(pivot_root) CALL(chroot) CALL(unshare) CALL(setns)
    CALL(fsopen) CALL(fsconfig) CALL(fsmount) CALL(fspick) CALL(open_tree) CALL(move_mount)
    CALL(mount_setattr) CALL(open_by_handle_at) CALL(name_to_handle_at)
    CALL(setuid) CALL(setgid) CALL(setreuid) CALL(setregid) CALL(setresuid) CALL(setresgid)
    CALL(setfsuid) CALL(setfsgid) CALL(setgroups) CALL(capset) CALL(personality)
    // The kernel and the machine.
    CALL(init_module) CALL(finit_module) CALL(delete_module) CALL(kexec_load)
#ifdef SYS_kexec_file_load
    CALL(kexec_file_load)
#endif
#ifdef SYS_iopl
    CALL(iopl) CALL(ioperm) CALL(modify_ldt)
#endif
    CALL(reboot) CALL(swapon) CALL(swapoff) CALL(acct) CALL(syslog) CALL(quotactl)
    CALL(settimeofday) CALL(clock_settime) CALL(adjtimex) CALL(clock_adjtime)
    CALL(sethostname) CALL(setdomainname)
    // Large parts of the kernel that are taken over through, and that nothing here needs.
    CALL(bpf) CALL(perf_event_open) CALL(userfaultfd)
    CALL(io_uring_setup) CALL(io_uring_enter) CALL(io_uring_register)
    CALL(keyctl) CALL(add_key) CALL(request_key) CALL(lookup_dcookie)
    CALL(fanotify_init) CALL(fanotify_mark)
};
// clang-format on
#undef CALL

// A program of the kernel's little machine, which sees the number of a call and its arguments.
class FilterProgram {
 public:
  FilterProgram() {
    Load(offsetof(seccomp_data, arch));
    // The numbers of another kind of call (32-bit) mean something else.
    Unless(BPF_JEQ, kMachine, SECCOMP_RET_KILL_PROCESS);
    Load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
    When(BPF_JGE, kOtherNumbers, SECCOMP_RET_KILL_PROCESS);
#endif
  }

  // The number of the call is loaded before and after each of these.
  void Forbid(long call, uint32_t action = SECCOMP_RET_KILL_PROCESS) {
    When(BPF_JEQ, static_cast<uint32_t>(call), action);
  }
  // When argument & mask == value.
  void ForbidWhen(long call, size_t argument, uint32_t mask, uint32_t value) {
    OnCall(call, [&] {
      LoadArgument(argument);
      Add(BPF_ALU | BPF_AND | BPF_K, mask);
      When(BPF_JEQ, value, SECCOMP_RET_KILL_PROCESS);
    });
  }
  // When the argument is none of these.
  void AllowOnly(long call, size_t argument, std::initializer_list<uint32_t> values,
                 uint32_t action) {
    OnCall(call, [&] {
      LoadArgument(argument);
      for (const uint32_t value : values) When(BPF_JEQ, value, SECCOMP_RET_ALLOW);
      Add(BPF_RET | BPF_K, action);
    });
  }

  bool Install() {
    Add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{.len = static_cast<unsigned short>(code_.size()),
                             .filter = code_.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) ==
               0;
  }

 private:
  void Add(int what, uint32_t value, uint8_t skip_if = 0, uint8_t skip_unless = 0) {
    code_.push_back(
        {.code = static_cast<uint16_t>(what), .jt = skip_if, .jf = skip_unless, .k = value});
  }
  void Load(size_t offset) { Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  // Flags, protections and families are in the lower half, which comes first on both machines.
  void LoadArgument(size_t i) { Load(offsetof(seccomp_data, args) + i * sizeof(uint64_t)); }
  void When(int comparison, uint32_t value, uint32_t action) {
    Add(BPF_JMP | comparison | BPF_K, value, 0, 1);
    Add(BPF_RET | BPF_K, action);
  }
  void Unless(int comparison, uint32_t value, uint32_t action) {
    Add(BPF_JMP | comparison | BPF_K, value, 1, 0);
    Add(BPF_RET | BPF_K, action);
  }
  template <class Body>
  void OnCall(long call, Body body) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call));
    const size_t jump = code_.size() - 1;
    body();
    Load(offsetof(seccomp_data, nr));
    code_[jump].jf = static_cast<uint8_t>(code_.size() - 1 - jump);
  }

  std::vector<sock_filter> code_;
};

FilterProgram MakeProgram(CallsUp calls_up) {
  FilterProgram program;
  for (const ForbiddenCall& call : kCalls) program.Forbid(call.number);
  if (!kMakesProcesses) program.ForbidWhen(SYS_clone, 0, CLONE_THREAD, 0);
  // Its flags are behind a pointer, which a filter does not follow; threads are made without it.
  program.Forbid(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
  constexpr uint32_t kBoth = PROT_WRITE | PROT_EXEC;
  program.ForbidWhen(SYS_mmap, 2, kBoth, kBoth);
  program.ForbidWhen(SYS_mprotect, 2, PROT_EXEC, PROT_EXEC);
  program.ForbidWhen(SYS_pkey_mprotect, 2, PROT_EXEC, PROT_EXEC);
  program.AllowOnly(SYS_socket, 0, {AF_INET, AF_INET6, AF_UNIX}, SECCOMP_RET_ERRNO | EAFNOSUPPORT);
  if (calls_up == CallsUp::kNobody) program.Forbid(SYS_connect, SECCOMP_RET_ERRNO | EACCES);
  return program;
}

// clang-format off
constexpr sock_filter kWithoutKeys[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kMachine, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#ifdef __x86_64__
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kOtherNumbers, 3, 0),
#endif
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_add_key, 2, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_request_key, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
// clang-format on

}  // namespace

bool ForbidKeys() {
  const sock_fprog program{.len = static_cast<unsigned short>(std::size(kWithoutKeys)),
                           .filter = const_cast<sock_filter*>(kWithoutKeys)};
  return kMachine != 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

std::span<const ForbiddenCall> ForbiddenCalls() { return kCalls; }

Result<Done> ForbidCalls(CallsUp calls_up) {
  errno = ENOSYS;
  if (kMachine != 0 && MakeProgram(calls_up).Install()) return Done{};
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::string("the system does not filter calls of this process: ") +
                                 std::strerror(errno),
               .hint = "use a kernel with seccomp filters, and let the container have them",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace tacit
