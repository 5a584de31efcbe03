#include "policy/read/dsn.h"

namespace tacit::policy::read {

bool HoldsPassword(std::string_view dsn) {
  if (dsn.find("password") != std::string_view::npos) return true;
  const size_t scheme = dsn.find("://");
  if (scheme == std::string_view::npos) return false;
  const size_t start = scheme + 3;
  const std::string_view authority = dsn.substr(start, dsn.find('/', start) - start);
  const size_t at = authority.rfind('@');
  return at != std::string_view::npos &&
         authority.substr(0, at).find(':') != std::string_view::npos;
}

}  // namespace tacit::policy::read
