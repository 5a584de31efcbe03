#include "wire/http/message.h"

#include <gtest/gtest.h>

namespace tacit::wire::http {
namespace {

Request With(std::vector<std::pair<std::string, std::string>> headers) {
  return {.method = "POST", .path = "/", .remote = "", .body = "", .headers = std::move(headers)};
}

TEST(Message, APostFromAnotherSiteIsSeen) {
  EXPECT_FALSE(IsCrossSite(With({})));  // no browser
  EXPECT_FALSE(IsCrossSite(With({{"Host", "a:1"}, {"Origin", "https://a:1"}})));
  EXPECT_FALSE(IsCrossSite(With({{"Host", "a"}, {"Sec-Fetch-Site", "same-origin"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Host", "a"}, {"Origin", "https://b"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Host", "a"}, {"Origin", "null"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Host", "a:1"}, {"Origin", "https://a:2"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Host", "a"}, {"Origin", "https://a"}, {"Origin", "https://b"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Host", "a"}, {"Sec-Fetch-Site", "cross-site"}})));
  EXPECT_TRUE(IsCrossSite(With({{"Origin", "https://"}})));
}

TEST(Message, OnlyJsonIsJson) {
  for (const char* type : {"application/json", "Application/JSON",
                           "application/json; charset=utf-8", "application/json;charset=utf-8"}) {
    EXPECT_TRUE(HasJsonBody(With({{"Content-Type", type}}))) << type;
  }
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded",
                           "application/jsonp", "text/plain; application/json"}) {
    EXPECT_FALSE(HasJsonBody(With({{"Content-Type", type}}))) << type;
  }
  EXPECT_FALSE(
      HasJsonBody(With({{"Content-Type", "application/json"}, {"Content-Type", "text/plain"}})));
}

}  // namespace
}  // namespace tacit::wire::http
