#include "engine/row_key.h"

#include "base/secrets/digest.h"

namespace tacit::engine {

std::string RowKey(std::string_view deployment_key) {
  return HmacSha256Hex(deployment_key, "tacit row order");
}

}  // namespace tacit::engine
