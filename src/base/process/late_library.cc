#include "base/process/late_library.h"

#include <dlfcn.h>

#include "base/assert.h"

namespace tacit {

LateLibrary::LateLibrary(const char* name)
    : name_(name), library_(::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
  if (library_ != nullptr) return;
  const char* reason = ::dlerror();
  if (reason != nullptr) loader_said_ = reason;
}

Result<Done> LateLibrary::Loaded() const {
  if (library_ != nullptr) return Done{};
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::string("the library ") + name_ + " cannot be loaded",
               .hint = "./scripts/setup installs it",
               .position = std::nullopt,
               .private_detail = loader_said_};
}

void* LateLibrary::FunctionAt(const char* name) const {
  TACIT_ASSERT(library_ != nullptr);
  void* const function = ::dlsym(library_, name);
  TACIT_ASSERT(function != nullptr);
  return function;
}

}  // namespace tacit
