#pragma once

#include <boost/asio.hpp>
#include <string>

#include "base/result.h"

namespace tacit::wire {

// Listens on "127.0.0.1:5433", "[::1]:5433", "localhost:0" (any free port). kInvalidArgument for
// what is no address and port; kUnavailable when it is taken.
Result<boost::asio::ip::tcp::acceptor> ListenOn(boost::asio::io_context& context,
                                                const std::string& endpoint);

}  // namespace tacit::wire
