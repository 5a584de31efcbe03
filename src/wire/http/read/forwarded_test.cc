#include "wire/http/read/forwarded.h"

#include <gtest/gtest.h>

namespace tacit::wire::http {
namespace {

bool IsOurs(const std::string& address) { return address.starts_with("10."); }

std::string NamedBehind(const std::string& peer, const std::vector<std::string>& fields) {
  Request request;
  for (const std::string& value : fields) request.headers.emplace_back("forwarded", value);
  return ClientOf(request, peer, IsOurs);
}

TEST(Forwarded, AProxyOfOursNamesTheClient) {
  EXPECT_EQ(NamedBehind("10.0.0.1", {"for=192.0.2.1"}), "192.0.2.1");
  EXPECT_EQ(NamedBehind("10.0.0.1", {"For=\"192.0.2.1:4711\";proto=https;by=10.0.0.1"}),
            "192.0.2.1");
  EXPECT_EQ(NamedBehind("10.0.0.1", {"proto=https; for=\"[2001:db8::7]:80\""}), "2001:db8::7");
  EXPECT_EQ(NamedBehind("10.0.0.1", {"for=192.0.2.1, for=10.0.0.2"}), "192.0.2.1");
  EXPECT_EQ(NamedBehind("10.0.0.1", {"for=192.0.2.1", "for=10.0.0.2"}), "192.0.2.1");
}

TEST(Forwarded, NobodyElsesWordIsTaken) {
  EXPECT_EQ(NamedBehind("192.0.2.9", {"for=192.0.2.1"}), "192.0.2.9");
  // What a client wrote itself stands before what the proxy added.
  EXPECT_EQ(NamedBehind("10.0.0.1", {"for=1.1.1.1, for=192.0.2.1"}), "192.0.2.1");
  EXPECT_EQ(NamedBehind("10.0.0.1", {"for=10.0.0.5", "for=192.0.2.1"}), "192.0.2.1");
  Request request;
  request.headers.emplace_back("Forwarded", "for=192.0.2.1");
  EXPECT_EQ(ClientOf(request, "10.0.0.1", nullptr), "10.0.0.1");
}

TEST(Forwarded, WhatNamesNoAddressLeavesTheProxy) {
  for (const char* value : {"", "for=unknown", "for=_hidden", "proto=https", "for=\"192.0.2.1",
                            "for=192.0.2.1;for=192.0.2.2", "for=1.2.3", "for", "for=[::1",
                            "for=192.0.2.1,", "for=\"192\\.0.2.1\"", "for=192.0.2.1, x"}) {
    const bool trailing_comma = std::string_view(value) == "for=192.0.2.1,";
    EXPECT_EQ(NamedBehind("10.0.0.1", {value}), trailing_comma ? "192.0.2.1" : "10.0.0.1") << value;
  }
}

}  // namespace
}  // namespace tacit::wire::http
