#include "wire/transport/proxy_header.h"

#include <arpa/inet.h>

namespace tacit::wire {
namespace {

constexpr std::string_view kSignature("\r\n\r\n\0\r\nQUIT\n", 12);
// Why 512: two addresses and their ports take 36, the rest are remarks that nobody reads here.
constexpr uint16_t kBytesMax = 512;
constexpr uint8_t kTcp4 = 0x11, kTcp6 = 0x21;

std::string AddressText(int family, std::string_view bytes) {
  char text[INET6_ADDRSTRLEN] = "";
  ::inet_ntop(family, bytes.data(), text, sizeof text);
  return text;
}

}  // namespace

std::optional<ProxyHead> ReadProxyHead(std::string_view bytes) {
  if (bytes.size() != kProxyHeadBytes || !bytes.starts_with(kSignature)) return std::nullopt;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t version_and_command = byte(12);
  if (version_and_command != 0x20 && version_and_command != 0x21) return std::nullopt;
  ProxyHead head{.passes_on = version_and_command == 0x21,
                 .family = byte(13),
                 .bytes = static_cast<uint16_t>(byte(14) << 8 | byte(15))};
  if (head.bytes > kBytesMax) return std::nullopt;
  return head;
}

std::optional<std::string> ReadProxyAddress(const ProxyHead& head, std::string_view bytes) {
  if (bytes.size() != head.bytes) return std::nullopt;
  if (!head.passes_on) return std::string();
  // The client's address first, then ours, then both ports.
  if (head.family == kTcp4) {
    if (bytes.size() < 12) return std::nullopt;
    return AddressText(AF_INET, bytes);
  }
  if (head.family == kTcp6) {
    if (bytes.size() < 36) return std::nullopt;
    return AddressText(AF_INET6, bytes);
  }
  return std::string();
}

}  // namespace tacit::wire
