// A library that is loaded before a program (LD_PRELOAD) and refuses it what the system gives:
// memory, threads, descriptors. A file that the test maps too says which call is the next to fail.
//
// Memory is refused where the program and the libraries ask for it that have to cope: its own
// operator new, SQLite, OpenSSL. libpg_query, GMP and MPFR have no way to fail.
// Nothing is refused to DuckDB's own code: some of it ends the process then, which only descriptors
// and memory to spare can prevent (engine/duckdb/database/database.cc); another test takes
// descriptors away by the process's limit.

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <exception>
#include <new>

namespace {

// In this order in the file, 8 bytes each; refusals_test.py writes and reads them.
struct Switch {
  std::atomic<int64_t> next;     // so many calls from now the call fails; 0: none does
  std::atomic<int64_t> count;    // how many fail then, one after another
  std::atomic<int64_t> calls;    // since the program started
  std::atomic<int64_t> refused;  // of those
};
enum Kind { kMemory, kThreads, kDescriptors, kKinds };
Switch nothing[kKinds];
Switch* switches = nothing;

// Whether DuckDB's code is among those who wait for this call. Looked up only when something is to
// be refused.
struct Code {
  uintptr_t begin = 0, end = 0;
};

int FindDuckdb(dl_phdr_info* info, size_t, void* found) {
  if (info->dlpi_name == nullptr || strstr(info->dlpi_name, "libduckdb") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    *static_cast<Code*>(found) = {begin, begin + part.p_memsz};
  }
  return 1;
}

struct Search {
  Code code;
  bool found = false;
};

_Unwind_Reason_Code LookAt(_Unwind_Context* frame, void* search) {
  auto& own = *static_cast<Search*>(search);
  const uintptr_t at = _Unwind_GetIP(frame);
  own.found = own.found || (at >= own.code.begin && at < own.code.end);
  return own.found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool IsForDuckdb() {
  Search search;
  dl_iterate_phdr(FindDuckdb, &search.code);
  if (search.code.end != 0) _Unwind_Backtrace(LookAt, &search);
  return search.found;
}

bool Refuses(Kind kind) {
  Switch& own = switches[kind];
  own.calls.fetch_add(1, std::memory_order_relaxed);
  if (own.next.load(std::memory_order_relaxed) <= 0) return false;
  const int64_t left = own.next.fetch_sub(1);
  if (left > 1) return false;
  if (left < 1) {
    own.next.store(0);
    return false;
  }
  if (IsForDuckdb()) {
    own.next.store(1);  // the next one, then
    return false;
  }
  // The last of the countdown fails; it stays at one while more are to fail.
  if (own.count.fetch_sub(1) > 1) own.next.store(1);
  own.refused.fetch_add(1);
  return true;
}

// ---- whose memory: the code of these libraries, by address

struct Range {
  uintptr_t begin, end;
};
constexpr size_t kRangesMax = 64;
Range ranges[kRangesMax];
std::atomic<size_t> range_count = 0;

int NoteLibrary(dl_phdr_info* info, size_t, void*) {
  static const char* const kNames[] = {"libstdc++.so", "libsqlite3.so", "libcrypto.so",
                                       "libssl.so"};
  for (const char* name : kNames) {
    if (info->dlpi_name == nullptr || strstr(info->dlpi_name, name) == nullptr) continue;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
      const size_t at = range_count.load();
      if (at == kRangesMax) return 0;
      const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
      ranges[at] = {begin, begin + part.p_memsz};
      range_count.store(at + 1);
    }
  }
  return 0;
}

bool IsTheirs(const void* caller) {
  const auto at = reinterpret_cast<uintptr_t>(caller);
  const size_t count = range_count.load(std::memory_order_acquire);
  for (size_t i = 0; i < count; ++i) {
    if (at >= ranges[i].begin && at < ranges[i].end) return true;
  }
  return false;
}

// What nobody caught ends the program: from where is what the test has to tell.
[[noreturn]] void TellWhere() {
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  abort();
}

__attribute__((constructor)) void Begin() {
  void* frame;
  backtrace(&frame, 1);  // loads what it needs, while nothing is refused
  std::set_terminate(TellWhere);
  dl_iterate_phdr(NoteLibrary, nullptr);
  const char* path = getenv("TACIT_REFUSALS");
  if (path == nullptr) return;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* shared =
      mmap(nullptr, sizeof(Switch) * kKinds, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared != MAP_FAILED) switches = static_cast<Switch*>(shared);
}

template <class Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  static const auto next = Next<decltype(&malloc)>("malloc");
  if (IsTheirs(__builtin_return_address(0)) && Refuses(kMemory)) {
    errno = ENOMEM;
    return nullptr;
  }
  return next(size);
}

void* calloc(size_t count, size_t size) {
  static const auto next = Next<decltype(&calloc)>("calloc");
  if (IsTheirs(__builtin_return_address(0)) && Refuses(kMemory)) {
    errno = ENOMEM;
    return nullptr;
  }
  return next(count, size);
}

void* realloc(void* old, size_t size) {
  static const auto next = Next<decltype(&realloc)>("realloc");
  if (IsTheirs(__builtin_return_address(0)) && Refuses(kMemory)) {
    errno = ENOMEM;
    return nullptr;
  }
  return next(old, size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*start)(void*),
                   void* argument) {
  static const auto next = Next<decltype(&pthread_create)>("pthread_create");
  return Refuses(kThreads) ? EAGAIN : next(thread, how, start, argument);
}

#define TACIT_REFUSED_DESCRIPTOR() \
  if (Refuses(kDescriptors)) {     \
    errno = EMFILE;                \
    return -1;                     \
  }

int open(const char* path, int flags, ...) {
  static const auto next = Next<int (*)(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  TACIT_REFUSED_DESCRIPTOR();
  return next(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  static const auto next = Next<int (*)(const char*, int, ...)>("open64");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  TACIT_REFUSED_DESCRIPTOR();
  return next(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  static const auto next = Next<int (*)(int, const char*, int, ...)>("openat");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  TACIT_REFUSED_DESCRIPTOR();
  return next(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  static const auto next = Next<FILE* (*)(const char*, const char*)>("fopen");
  if (Refuses(kDescriptors)) {
    errno = EMFILE;
    return nullptr;
  }
  return next(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  static const auto next = Next<FILE* (*)(const char*, const char*)>("fopen64");
  if (Refuses(kDescriptors)) {
    errno = EMFILE;
    return nullptr;
  }
  return next(path, mode);
}

int socket(int domain, int type, int protocol) {
  static const auto next = Next<decltype(&socket)>("socket");
  TACIT_REFUSED_DESCRIPTOR();
  return next(domain, type, protocol);
}

int accept(int listener, sockaddr* address, socklen_t* length) {
  static const auto next = Next<int (*)(int, sockaddr*, socklen_t*)>("accept");
  TACIT_REFUSED_DESCRIPTOR();
  return next(listener, address, length);
}

int accept4(int listener, sockaddr* address, socklen_t* length, int flags) {
  static const auto next = Next<int (*)(int, sockaddr*, socklen_t*, int)>("accept4");
  TACIT_REFUSED_DESCRIPTOR();
  return next(listener, address, length, flags);
}

}  // extern "C"

// As the library's own: whoever handles a lack of memory is asked each time.
void* operator new(size_t size) {
  static const auto next = Next<decltype(&malloc)>("malloc");
  while (true) {
    void* const given = Refuses(kMemory) ? nullptr : next(size);
    if (given != nullptr) return given;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
