#include "wire/pg/login/registry.h"

#include <cstring>
#include <string>
#include <string_view>

#include "wire/auth/verifier.h"

namespace tacit::wire::pg {
namespace {

int32_t RandomNumber() {
  const std::string bytes = RandomBytes(4);
  int32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

std::string_view BytesOf(const int32_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

Registry::Key Registry::Add(std::function<void()> cancel) {
  Key key{.process = 0, .secret = RandomNumber()};
  do {
    key.process = RandomNumber() & 0x7fffffff;
  } while (key.process == 0 || sessions_.contains(key.process));
  sessions_[key.process] = {.secret = key.secret, .cancel = std::move(cancel)};
  return key;
}

void Registry::Cancel(int32_t process, int32_t secret) {
  const auto found = sessions_.find(process);
  if (found == sessions_.end() || !SameSecret(BytesOf(found->second.secret), BytesOf(secret))) {
    return;
  }
  found->second.cancel();
}

}  // namespace tacit::wire::pg
