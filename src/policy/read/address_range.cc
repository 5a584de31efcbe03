#include "policy/read/address_range.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace tacit::policy {
namespace {

constexpr unsigned kBits = 128;
constexpr unsigned kBitsBeforeIpv4 = 96;

bool BitOf(const std::array<uint8_t, 16>& bytes, unsigned bit) {
  return ((bytes[bit / 8] >> (7 - bit % 8)) & 1) != 0;
}

}  // namespace

std::optional<AddressRange::Bytes> AddressRange::BytesOf(const std::string& address) {
  Bytes bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
  bytes[10] = bytes[11] = 0xff;
  if (::inet_pton(AF_INET, address.c_str(), bytes.data() + 12) == 1) return bytes;
  return std::nullopt;
}

std::optional<AddressRange> AddressRange::Of(const std::string& text) {
  const size_t slash = std::min(text.find('/'), text.size());
  const std::string address = text.substr(0, slash);
  const std::optional<Bytes> bytes = BytesOf(address);
  if (!bytes) return std::nullopt;
  const bool is_ipv4 = address.find(':') == std::string::npos;
  const unsigned before = is_ipv4 ? kBitsBeforeIpv4 : 0;
  unsigned bits = kBits;
  if (slash < text.size()) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + slash + 1, end, bits);
    if (read.ec != std::errc() || read.ptr != end || bits > kBits - before) return std::nullopt;
    bits += before;
  }
  for (unsigned bit = bits; bit < kBits; ++bit) {
    if (BitOf(*bytes, bit)) return std::nullopt;
  }
  return AddressRange(*bytes, bits);
}

bool AddressRange::Contains(const std::string& address) const {
  const std::optional<Bytes> bytes = BytesOf(address);
  if (!bytes) return false;
  for (unsigned bit = 0; bit < bits_; ++bit) {
    if (BitOf(*bytes, bit) != BitOf(network_, bit)) return false;
  }
  return true;
}

}  // namespace tacit::policy
