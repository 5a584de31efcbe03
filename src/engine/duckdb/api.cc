#include "engine/duckdb/api.h"

#include <dlfcn.h>

#include "base/assert.h"
#include "engine/duckdb/errors.h"

namespace tacit::engine::duckdb {
namespace {

// By name: found through the program's run path, then as the system finds libraries.
void* Library() {
  static void* const library = ::dlopen("libduckdb.so", RTLD_LAZY | RTLD_LOCAL);
  return library;
}

}  // namespace

Result<Done> LoadLibrary() {
  if (Library() != nullptr) return Done{};
  const char* reason = ::dlerror();
  return EngineUnavailable(reason != nullptr ? reason : "libduckdb.so cannot be loaded");
}

void* FunctionAt(const char* name) {
  TACIT_ASSERT(Library() != nullptr);
  void* const function = ::dlsym(Library(), name);
  TACIT_ASSERT(function != nullptr);
  return function;
}

}  // namespace tacit::engine::duckdb
