#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tacit::policy {

// The addresses of a network, IPv4 or IPv6. An IPv4 address is the same written inside IPv6
// (::ffff:10.0.0.1).
class AddressRange {
 public:
  // "10.0.0.1", "10.0.0.0/8", "fd00::/8"; nothing for what is none, or has bits beyond the network.
  static std::optional<AddressRange> Of(const std::string& text);

  // False for what is no address.
  bool Contains(const std::string& address) const;

 private:
  using Bytes = std::array<uint8_t, 16>;  // of the IPv6 address
  AddressRange(const Bytes& network, unsigned bits) : network_(network), bits_(bits) {}
  static std::optional<Bytes> BytesOf(const std::string& address);

  Bytes network_;
  unsigned bits_;
};

}  // namespace tacit::policy
