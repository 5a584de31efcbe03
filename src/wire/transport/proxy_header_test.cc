#include "wire/transport/proxy_header.h"

#include <gtest/gtest.h>

#include "wire/transport/address.h"

namespace tacit::wire {
namespace {

std::string ProxyHeadBytes(uint8_t command, uint8_t family, uint16_t bytes) {
  std::string head("\r\n\r\n\0\r\nQUIT\n", 12);
  for (const unsigned byte :
       {unsigned{command}, unsigned{family}, unsigned{bytes} >> 8, unsigned{bytes} & 255}) {
    head += static_cast<char>(byte);
  }
  return head;
}

TEST(ProxyHeader, NamesTheClient) {
  const std::optional<ProxyHead> four = ReadProxyHead(ProxyHeadBytes(0x21, 0x11, 12));
  ASSERT_TRUE(four);
  EXPECT_EQ(ReadProxyAddress(*four, std::string("\xc0\x00\x02\x01"
                                                "aaaabbbb",
                                                12)),
            "192.0.2.1");
  const std::optional<ProxyHead> six = ReadProxyHead(ProxyHeadBytes(0x21, 0x21, 40));
  ASSERT_TRUE(six);
  std::string addresses(40, '\0');
  addresses[0] = '\x20', addresses[1] = '\x01', addresses[15] = '\x07';
  EXPECT_EQ(ReadProxyAddress(*six, addresses), "2001::7");
  // The proxy's own connection, and one of a kind it does not name.
  EXPECT_EQ(ReadProxyAddress(*ReadProxyHead(ProxyHeadBytes(0x20, 0x11, 3)), "abc"), "");
  EXPECT_EQ(ReadProxyAddress(*ReadProxyHead(ProxyHeadBytes(0x21, 0, 0)), ""), "");
}

TEST(ProxyHeader, WhatIsBrokenIsRefused) {
  EXPECT_FALSE(ReadProxyHead("PROXY TCP4 1.2.3"));
  EXPECT_FALSE(ReadProxyHead(ProxyHeadBytes(0x11, 0x11, 12)));
  EXPECT_FALSE(ReadProxyHead(ProxyHeadBytes(0x22, 0x11, 12)));
  EXPECT_FALSE(ReadProxyHead(ProxyHeadBytes(0x21, 0x11, 513)));
  EXPECT_FALSE(ReadProxyHead(ProxyHeadBytes(0x21, 0x11, 12).substr(0, 15)));
  EXPECT_FALSE(
      ReadProxyAddress(*ReadProxyHead(ProxyHeadBytes(0x21, 0x11, 11)), std::string(11, 'a')));
  EXPECT_FALSE(
      ReadProxyAddress(*ReadProxyHead(ProxyHeadBytes(0x21, 0x21, 35)), std::string(35, 'a')));
  EXPECT_FALSE(
      ReadProxyAddress(*ReadProxyHead(ProxyHeadBytes(0x21, 0x11, 12)), std::string(13, 'a')));
}

TEST(Address, LimitsCountSubscribers) {
  EXPECT_EQ(NetworkOf("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(NetworkOf("::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(NetworkOf("2001:db8:1:2:3:4:5:6"), NetworkOf("2001:db8:1:2::9"));
  EXPECT_NE(NetworkOf("2001:db8:1:2::1"), NetworkOf("2001:db8:1:3::1"));
  EXPECT_EQ(NetworkOf("_hidden"), "_hidden");
}

}  // namespace
}  // namespace tacit::wire
