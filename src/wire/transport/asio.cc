// The functions of Boost.Asio that need not be in headers (BOOST_ASIO_SEPARATE_COMPILATION, which
// CMake defines for all who use them).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
