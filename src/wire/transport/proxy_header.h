#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The PROXY protocol, version 2: what a proxy of raw connections sends before everything else, to
// say whose connection it passes on.

namespace tacit::wire {

// A byte that neither TLS nor PostgreSQL nor HTTP begins with.
inline constexpr unsigned char kProxyFirstByte = 0x0d;
inline constexpr size_t kProxyHeadBytes = 16;

struct ProxyHead {
  bool passes_on = false;  // false: the proxy's own connection, to see whether we live
  uint8_t family = 0;
  uint16_t bytes = 0;  // that follow
};

// Of exactly kProxyHeadBytes; nothing for what is no such header, or says too much.
std::optional<ProxyHead> ReadProxyHead(std::string_view bytes);
// The client's address in what follows; "" where the proxy names none, nothing when it is broken.
std::optional<std::string> ReadProxyAddress(const ProxyHead& head, std::string_view bytes);

}  // namespace tacit::wire
