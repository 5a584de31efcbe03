#include "wire/transport/listen.h"

#include <charconv>
#include <optional>

namespace tacit::wire {
namespace {

using boost::asio::ip::tcp;

std::optional<tcp::endpoint> Parsed(const std::string& endpoint) {
  const size_t colon = endpoint.rfind(':');
  std::string host = endpoint.substr(0, std::min(colon, endpoint.size()));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  uint16_t port = 0;
  boost::system::error_code error;
  const boost::asio::ip::address address = boost::asio::ip::make_address(host, error);
  const char* end = endpoint.data() + endpoint.size();
  if (error || colon == std::string::npos ||
      std::from_chars(endpoint.data() + colon + 1, end, port).ptr != end ||
      std::from_chars(endpoint.data() + colon + 1, end, port).ec != std::errc()) {
    return std::nullopt;
  }
  return tcp::endpoint(address, port);
}

}  // namespace

Result<Done> CheckEndpoint(const std::string& flag, const std::string& endpoint,
                           bool this_machine_only) {
  const std::optional<tcp::endpoint> parsed = Parsed(endpoint);
  if (!parsed) {
    return InvalidArgument(
        flag + ": \"" + endpoint + "\" is not an address and a port from 0 to 65535",
        "for example " + flag + " 127.0.0.1:5433, or [::1]:5433");
  }
  if (this_machine_only && !parsed->address().is_loopback()) {
    return InvalidArgument(
        flag + ": \"" + endpoint + "\" can be reached from other machines",
        "it speaks in the clear and asks for no password: give a loopback address, as " + flag +
            " 127.0.0.1:9433, and put a proxy before it if others must read it");
  }
  return Done{};
}

Result<tcp::acceptor> ListenOn(boost::asio::io_context& context, const std::string& endpoint) {
  const std::optional<tcp::endpoint> parsed = Parsed(endpoint);
  if (!parsed) {
    return InvalidArgument("\"" + endpoint + "\" is not an address and a port from 0 to 65535",
                           "127.0.0.1:5433, or [::1]:5433");
  }
  const tcp::endpoint wanted = *parsed;
  boost::system::error_code error;
  tcp::acceptor acceptor(context);
  acceptor.open(wanted.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(wanted, error);
  if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
  if (error) {
    Error failed = InvalidArgument("cannot listen on " + endpoint + ": " + error.message());
    failed.code = ErrorCode::kUnavailable;
    return failed;
  }
  return acceptor;
}

}  // namespace tacit::wire
