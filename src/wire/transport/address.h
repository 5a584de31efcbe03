#pragma once

#include <string>

namespace tacit::wire {

// An address as limits count it: one subscriber has a whole /64 of IPv6, and an IPv4 address inside
// IPv6 is that address. What is no address comes back as it is.
std::string NetworkOf(const std::string& address);

}  // namespace tacit::wire
