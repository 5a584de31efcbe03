#include "wire/auth/scram.h"

#include <gtest/gtest.h>

namespace tacit::wire {
namespace {

std::string Xor(const std::string& a, const std::string& b) {
  std::string out = a;
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(out[i] ^ b[i]);
  return out;
}

// A client that knows the client key; `flag` and `binding` are its view of the channel.
struct Client {
  std::string client_key;
  std::string flag = "n";
  std::string bound = "";

  std::string First() const { return flag + ",,n=,r=abcdefghijkl"; }
  std::string Final(const std::string& server_first) const {
    const std::string nonce = server_first.substr(2, server_first.find(',') - 2);
    const std::string without = "c=" + Base64(flag + ",," + bound) + ",r=" + nonce;
    const std::string text = "n=,r=abcdefghijkl," + server_first + "," + without;
    const std::string proof = Xor(client_key, HmacSha256(Sha256(client_key), text));
    return without + ",p=" + Base64(proof);
  }
};

const std::string kClientKey(32, 'k');

Verifier Known() {
  return {.iterations = 4096,
          .salt = std::string(16, 's'),
          .stored_key = Sha256(kClientKey),
          .server_key = std::string(32, 'v')};
}

Result<std::string> Talk(const Client& client, const std::string& mechanism,
                         const std::string& certificate_hash) {
  ScramExchange exchange(Known(), mechanism, certificate_hash);
  TACIT_TRY(const std::string first, exchange.First(client.First()));
  return exchange.Final(client.Final(first));
}

TEST(Scram, WhoKnowsThePasswordGetsIn) {
  const auto final_message = Talk({.client_key = kClientKey}, kScramSha256, "");
  ASSERT_TRUE(final_message.ok());
  EXPECT_TRUE(final_message->starts_with("v="));
}

TEST(Scram, WhoDoesNotStaysOut) {
  const auto refused = Talk({.client_key = std::string(32, 'x')}, kScramSha256, "");
  EXPECT_EQ(refused.error().rule, "invalid_password");
}

TEST(Scram, TheChannelIsTheOneOfTheCertificate) {
  const Client client{.client_key = kClientKey, .flag = "p=tls-server-end-point", .bound = "hash"};
  EXPECT_TRUE(Talk(client, kScramSha256Plus, "hash").ok());
  EXPECT_FALSE(Talk(client, kScramSha256Plus, "another").ok());
  EXPECT_FALSE(Talk(client, kScramSha256Plus, "").ok());
  EXPECT_FALSE(Talk(client, kScramSha256, "hash").ok());
  // A client that could have bound the channel and was told that we cannot.
  EXPECT_FALSE(Talk({.client_key = kClientKey, .flag = "y"}, kScramSha256, "hash").ok());
  EXPECT_TRUE(Talk({.client_key = kClientKey, .flag = "y"}, kScramSha256, "").ok());
}

TEST(Scram, MalformedMessagesAreRefused) {
  for (const char* first :
       {"", "n", "n,,", "n,a=bob,n=,r=x", "x,,n=,r=x", "n,,r=x", "n,,n=,r=", "n,,n=,r=a\x01"}) {
    EXPECT_FALSE(ScramExchange(Known(), kScramSha256, "").First(first).ok()) << first;
  }
  for (const char* last : {"", "p=", "c=biws,r=x,p=", "c=biws,r=,p=AAAA"}) {
    ScramExchange exchange(Known(), kScramSha256, "");
    ASSERT_TRUE(exchange.First("n,,n=,r=abc").ok());
    EXPECT_FALSE(exchange.Final(last).ok()) << last;
  }
}

TEST(Verifier, APasswordFitsItsVerifierOnly) {
  const auto text = MakeVerifier("pencil");
  ASSERT_TRUE(text.ok());
  const auto verifier = ParseVerifier(*text);
  ASSERT_TRUE(verifier.ok());
  EXPECT_TRUE(Matches(*verifier, "pencil"));
  EXPECT_FALSE(Matches(*verifier, "Pencil"));
  EXPECT_FALSE(MakeVerifier("").ok());
  // RFC 4013: a no-break space is a space, a soft hyphen is nothing.
  EXPECT_TRUE(Matches(*ParseVerifier(*MakeVerifier("a\xc2\xa0z")), "a z"));
  EXPECT_TRUE(Matches(*ParseVerifier(*MakeVerifier("I\xc2\xadX")), "IX"));
}

TEST(Verifier, KnowsTheVectorOfRfc7677) {
  // Password "pencil", the salt and the count of the RFC; its client proof and server signature
  // follow from these two keys.
  Verifier verifier{.iterations = 4096,
                    .salt = *FromBase64("W22ZaJ0SNY7soEsUEjb6gQ=="),
                    .stored_key = *FromBase64("WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY="),
                    .server_key = *FromBase64("wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=")};
  EXPECT_TRUE(Matches(verifier, "pencil"));
}

TEST(Verifier, AMockIsAlwaysTheSameAndLooksLikeTheOthers) {
  const Verifier a = MockVerifier("eve", "secret", Known()),
                 b = MockVerifier("eve", "secret", Known());
  EXPECT_EQ(a.salt, b.salt);
  EXPECT_EQ(a.salt.size(), Known().salt.size());
  EXPECT_EQ(a.iterations, Known().iterations);
  EXPECT_NE(a.salt, MockVerifier("mallory", "secret", Known()).salt);
  EXPECT_NE(a.salt, MockVerifier("eve", "another", Known()).salt);
}

TEST(Base64, ReadsOnlyWhatItWrites) {
  for (const char* text : {"", "a", "ab==c", "====", "YQ=", "Y Q==", "YQ==\n"}) {
    EXPECT_FALSE(FromBase64(text).ok()) << text;
  }
  EXPECT_EQ(*FromBase64("YQ=="), "a");
  EXPECT_EQ(*FromBase64(Base64(std::string("\0\xff\x10", 3))), std::string("\0\xff\x10", 3));
}

}  // namespace
}  // namespace tacit::wire
