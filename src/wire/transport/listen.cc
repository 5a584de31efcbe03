#include "wire/transport/listen.h"

#include <charconv>

namespace tacit::wire {

Result<boost::asio::ip::tcp::acceptor> ListenOn(boost::asio::io_context& context,
                                                const std::string& endpoint) {
  using boost::asio::ip::tcp;
  const size_t colon = endpoint.rfind(':');
  std::string host = endpoint.substr(0, std::min(colon, endpoint.size()));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  uint16_t port = 0;
  boost::system::error_code error;
  const boost::asio::ip::address address = boost::asio::ip::make_address(host, error);
  const char* end = endpoint.data() + endpoint.size();
  if (error || colon == std::string::npos ||
      std::from_chars(endpoint.data() + colon + 1, end, port).ptr != end) {
    return InvalidArgument("\"" + endpoint + "\" is not an address and a port",
                           "127.0.0.1:5433, or [::1]:5433");
  }
  const tcp::endpoint wanted(address, port);
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
