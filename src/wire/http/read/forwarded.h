#pragma once

#include <functional>
#include <string>

#include "wire/http/message.h"

namespace tacit::wire::http {

// Where a request comes from: the peer, or, where that is a proxy of the owner's, whom it names in
// Forwarded (RFC 7239), and so on through all of them. A client's own words in the field stand
// before those of the first proxy that is trusted, and are not looked at. What is broken, or names
// no address, leaves the proxy itself.
std::string ClientOf(const Request& request, const std::string& peer,
                     const std::function<bool(const std::string& address)>& is_proxy);

}  // namespace tacit::wire::http
