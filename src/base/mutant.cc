#include "base/mutant.h"

#ifdef TACIT_MUTANTS

#include <string>

namespace tacit {
namespace {

std::string& Current() {
  static std::string name;
  return name;
}

}  // namespace

void SetMutant(std::string_view name) { Current() = name; }
bool IsMutant(std::string_view name) {
  return ("+" + Current() + "+").find("+" + std::string(name) + "+") != std::string::npos;
}

}  // namespace tacit

#endif
