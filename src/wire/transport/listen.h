#pragma once

#include <boost/asio.hpp>
#include <string>

#include "base/result.h"

namespace tacit::wire {

// kInvalidArgument when `endpoint`, the value of the flag, is no address with a port from 0 to
// 65535, or none of this machine alone where only such a one may be.
Result<Done> CheckEndpoint(const std::string& flag, const std::string& endpoint,
                           bool this_machine_only);

// Listens on "127.0.0.1:5433", "[::1]:5433", "localhost:0" (any free port). kInvalidArgument for
// what is no address and port; kUnavailable when it is taken.
Result<boost::asio::ip::tcp::acceptor> ListenOn(boost::asio::io_context& context,
                                                const std::string& endpoint);

}  // namespace tacit::wire
