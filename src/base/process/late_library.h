#pragma once

#include "base/result.h"

// A shared library that is loaded when it is first needed. Linking a large one adds its loading,
// and that of everything it links in turn, to every command, also to those that never call it.
//
// What uses such a library includes a small header of its own instead of the library's, which
// names each function it may call: `#define PQexec TACIT_LATE(LibPq(), PQexec)`. A function that is
// not listed does not link.

namespace tacit {

class LateLibrary {
 public:
  // By name: found through the program's run path, then as the system finds libraries. Never
  // unloaded: pointers into it live as long as the program.
  explicit LateLibrary(const char* name);

  // kUnavailable, with the loader's own words in private_detail, when it cannot be found.
  Result<Done> Loaded() const;

  // The address of a function. Loaded() has succeeded before.
  void* FunctionAt(const char* name) const;

 private:
  const char* name_;
  void* library_;
  std::string loader_said_;
};

}  // namespace tacit

// `library` is an expression for the LateLibrary; it is evaluated at the first call of each place.
#define TACIT_LATE(library, function)                                             \
  (*[] {                                                                          \
    static auto* const found =                                                    \
        reinterpret_cast<decltype(&::function)>((library).FunctionAt(#function)); \
    return found;                                                                 \
  }())
