#include "policy/read/address_range.h"

#include <gtest/gtest.h>

namespace tacit::policy {
namespace {

TEST(AddressRange, HoldsItsNetworkAndNothingBeside) {
  const AddressRange ten = *AddressRange::Of("10.0.0.0/8");
  EXPECT_TRUE(ten.Contains("10.255.0.1"));
  EXPECT_TRUE(ten.Contains("::ffff:10.1.2.3"));
  for (const char* other : {"11.0.0.0", "9.255.255.255", "::1", "a00::", "", "10", "10.0.0.1 "}) {
    EXPECT_FALSE(ten.Contains(other)) << other;
  }
  EXPECT_TRUE(AddressRange::Of("10.0.0.1")->Contains("10.0.0.1"));
  EXPECT_FALSE(AddressRange::Of("10.0.0.1")->Contains("10.0.0.2"));
  EXPECT_TRUE(AddressRange::Of("fd00::/8")->Contains("fdff::1"));
  EXPECT_FALSE(AddressRange::Of("fd00::/8")->Contains("fe00::1"));
  EXPECT_TRUE(AddressRange::Of("0.0.0.0/0")->Contains("1.2.3.4"));
  EXPECT_FALSE(AddressRange::Of("0.0.0.0/0")->Contains("2001:db8::1"));
  EXPECT_TRUE(AddressRange::Of("192.168.4.0/23")->Contains("192.168.5.255"));
  EXPECT_FALSE(AddressRange::Of("192.168.4.0/23")->Contains("192.168.6.0"));
}

TEST(AddressRange, WhatIsNoNetworkIsNone) {
  for (const char* text :
       {"", "localhost", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0.1/8",
        "10.0.0", "fd00::/129", "fd00::1/8", "/8", "10.0.0.0/ 8"}) {
    EXPECT_FALSE(AddressRange::Of(text)) << text;
  }
}

}  // namespace
}  // namespace tacit::policy
