#include "wire/http/read/request_reader.h"

#include <gtest/gtest.h>

#include <random>

namespace tacit::wire::http {
namespace {

constexpr RequestReader::Limits kLimits{.head_bytes_max = 512, .body_bytes_max = 64};

// What is left of reading, so that two ways can be compared.
struct Outcome {
  bool over = false;
  Refused refused;
  Request request;
  bool keep_alive = false;
  size_t used = 0;  // where the next request begins; nowhere after a refusal

  friend bool operator==(const Outcome& a, const Outcome& b) {
    return a.over == b.over && a.refused == b.refused && a.request.method == b.request.method &&
           a.request.path == b.request.path && a.request.body == b.request.body &&
           a.request.headers == b.request.headers && a.keep_alive == b.keep_alive &&
           a.used == b.used;
  }
};

Outcome OutcomeOf(RequestReader& reader, size_t used) {
  Outcome outcome{.over = reader.over(), .refused = reader.refused(), .request = {}};
  if (!reader.over() || reader.refused()) return outcome;
  outcome.keep_alive = reader.head().keep_alive;
  outcome.request = reader.TakeRequest();
  outcome.used = used;
  return outcome;
}

// `cuts` are places in the text, in order.
Outcome ReadCut(std::string_view text, const std::vector<size_t>& cuts) {
  RequestReader reader(kLimits);
  size_t used = 0;
  size_t from = 0;
  for (size_t i = 0; i <= cuts.size() && !reader.over(); ++i) {
    const size_t to = i < cuts.size() ? cuts[i] : text.size();
    used += reader.Put(text.substr(from, to - from));
    EXPECT_LE(reader.bytes_held(), kLimits.head_bytes_max + kLimits.body_bytes_max);
    from = to;
  }
  return OutcomeOf(reader, used);
}

Outcome ReadWhole(std::string_view text) { return ReadCut(text, {}); }

std::string Get(const std::string& fields) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}
std::string Chunked(const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
}

const std::string kGood[] = {
    Get(""),
    "GET /a/b?c=d HTTP/1.0\r\n\r\n",
    Get("Content-Length: 0\r\n"),
    Get("Content-Length: 5\r\n") + "hello",
    Get("content-length:\t 5 \t\r\nConnection: keep-alive, Close\r\n") + "hello",
    Get("Expect: 100-continue\r\nContent-Length: 3\r\n") + "abc",
    Get("X-Text: \x80\xff any \ttext\r\n"),
    Chunked("0\r\n\r\n"),
    Chunked("5\r\nhello\r\n00a\r\n0123456789\r\n0\r\n\r\n"),
    Chunked("0000001F\r\n0123456789012345678901234567890\r\n0\r\n\r\n"),
};

struct Bad {
  unsigned status;
  std::string text;
};
const Bad kBad[] = {
    {400, Get("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "hello"},
    {400, Get("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n")},
    {400, Get("Content-Length: 5\r\nContent-Length: 5\r\n") + "hello"},
    {400, Get("Content-Length: 5, 5\r\n") + "hello"},
    {400, Get("Content-Length: +5\r\n") + "hello"},
    {400, Get("Content-Length: -1\r\n")},
    {400, Get("Content-Length: 0x5\r\n")},
    {400, Get("Content-Length: 5 5\r\n")},
    {400, Get("Content-Length:\r\n")},
    {413, Get("Content-Length: 65\r\n")},
    {413, Get("Content-Length: 18446744073709551616\r\n")},
    {413, Get("Content-Length: 99999999999999999999999999999999\r\n")},
    {501, Get("Transfer-Encoding: xchunked\r\n")},
    {501, Get("Transfer-Encoding: gzip, chunked\r\n")},
    {501, Get("Transfer-Encoding: chunked, chunked\r\n")},
    {501, Get("Transfer-Encoding: identity\r\n")},
    {501, Get("Transfer-Encoding:\r\n")},
    {501, Get("Transfer-Encoding: \"chunked\"\r\n")},
    {400, Get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")},
    {400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
    {400, "GET / HTTP/1.1\nHost: a\n\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a\r\n\n"},
    {400, Get("X: a\r\n b\r\n")},
    {400, Get("X: a\r\n\tb\r\n")},
    {400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
    {400, Get("X : a\r\n")},
    {400, Get("Content-Length : 5\r\n") + "hello"},
    {400, Get("X\t: a\r\n")},
    {400, Get(": a\r\n")},
    {400, Get("X\r\n")},
    {400, Get("X: a\rb\r\n")},
    {400, Get(std::string("X: a\0b\r\n", 8))},
    {400, Get(std::string("X\0: ab\r\n", 8))},
    {400, Get("X: a\x7f\r\n")},
    {400, Get("X: a\x1b\r\n")},
    {400, Get("X\x80: a\r\n")},
    {400, "GET / HTTP/1.1\r\n\r\n"},
    {400, Get("Host: b\r\n")},
    {400, "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n"},
    {400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
    {505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"},
    {505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"},
    {505, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"},
    {400, "GET / http/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.10\r\nHost: a\r\n\r\n"},
    {400, "GET /\r\nHost: a\r\n\r\n"},
    {400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},
    {400, "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, " GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"},
    {400, "GET /\xc3\xa4 HTTP/1.1\r\nHost: a\r\n\r\n"},
    {417, Get("Expect: something\r\n")},
    {431, Get("X: " + std::string(600, 'x') + "\r\n")},
    {431, "GET /" + std::string(600, 'x')},
    {400, Chunked("\r\n")},
    {400, Chunked("5;a=b\r\nhello\r\n0\r\n\r\n")},
    {400, Chunked("5 \r\nhello\r\n0\r\n\r\n")},
    {400, Chunked(" 5\r\nhello\r\n0\r\n\r\n")},
    {400, Chunked("0x5\r\nhello\r\n0\r\n\r\n")},
    {400, Chunked("-5\r\nhello\r\n0\r\n\r\n")},
    {400, Chunked("g\r\n")},
    {400, Chunked("5\nhello\r\n0\r\n\r\n")},
    {400, Chunked("5\r\nhellooo\r\n0\r\n\r\n")},
    {400, Chunked("5\r\nhello0\r\n\r\n")},
    {400, Chunked("5\r\nhello\n0\r\n\r\n")},
    {400, Chunked("000000005\r\nhello\r\n0\r\n\r\n")},
    {400, Chunked("5;" + std::string(100, 'x'))},
    {400, Chunked("0\r\nX: y\r\n\r\n")},
    {400, Chunked("0\r\n" + std::string(100, 'x'))},
    {413, Chunked("41\r\n")},
    {413, Chunked("ffffffff\r\n")},
    {413, Chunked("40\r\n" + std::string(64, 'x') + "\r\n1\r\nx\r\n0\r\n\r\n")},
};

TEST(RequestReader, ReadsWhatClientsSend) {
  for (const std::string& text : kGood) {
    const Outcome outcome = ReadWhole(text);
    EXPECT_TRUE(outcome.over && !outcome.refused) << text;
    EXPECT_EQ(outcome.used, text.size()) << text;
  }
  EXPECT_EQ(ReadWhole(kGood[1]).request.path, "/a/b");
  EXPECT_FALSE(ReadWhole(kGood[1]).keep_alive);
  EXPECT_TRUE(ReadWhole(kGood[3]).keep_alive);
  EXPECT_FALSE(ReadWhole(kGood[4]).keep_alive);
  EXPECT_EQ(ReadWhole(kGood[4]).request.body, "hello");
  EXPECT_EQ(ReadWhole(kGood[4]).request.Header("Content-Length"), "5");
  EXPECT_EQ(ReadWhole(kGood[8]).request.body, "hello0123456789");
}

TEST(RequestReader, RefusesWhatTwoReadersCouldUnderstandDifferently) {
  for (const Bad& bad : kBad) {
    const Outcome outcome = ReadWhole(bad.text);
    ASSERT_TRUE(outcome.refused) << bad.text;
    EXPECT_EQ(outcome.refused->status, bad.status) << bad.text << outcome.refused->detail;
  }
}

// Such a line is no field either, and without this rule it would be refused by the next one: what
// is said tells them apart.
TEST(RequestReader, AFieldThatGoesOnInTheNextLineIsToldSo) {
  for (const char* line : {"X: a\r\n b\r\n", "X: a\r\n\tb\r\n", "X: a\r\n Y: b\r\n", " X: a\r\n"}) {
    const Outcome outcome = ReadWhole(Get(line));
    ASSERT_TRUE(outcome.refused) << line;
    EXPECT_EQ(outcome.refused->detail, "a header field must stand on one line") << line;
  }
}

TEST(RequestReader, EveryRequestCutAnywhereReadsTheSame) {
  std::vector<std::string> texts(std::begin(kGood), std::end(kGood));
  for (const Bad& bad : kBad) texts.push_back(bad.text);
  std::mt19937 draw(17);
  for (std::string text : texts) {
    text += "GET /next HTTP/1.1\r\n";  // whatever comes behind is left alone
    const Outcome whole = ReadWhole(text);
    std::vector<size_t> every;
    for (size_t i = 0; i <= text.size(); ++i) {
      EXPECT_EQ(ReadCut(text, {i}), whole) << text << " cut at " << i;
      every.push_back(i);
    }
    EXPECT_EQ(ReadCut(text, every), whole) << text << " byte by byte";
    for (int round = 0; round < 20; ++round) {
      std::vector<size_t> some;
      for (const size_t place : every) {
        if (draw() % 5 == 0) some.push_back(place);
      }
      EXPECT_EQ(ReadCut(text, some), whole) << text;
    }
  }
}

TEST(RequestReader, AnUnfinishedRequestIsNotOver) {
  for (const std::string& text : kGood) {
    for (size_t i = 0; i < text.size(); ++i) {
      EXPECT_FALSE(ReadWhole(std::string_view(text).substr(0, i)).over) << text << i;
    }
  }
}

TEST(RequestReader, PipelinedRequestsComeOneByOne) {
  const std::string text = kGood[3] + kGood[8] + kGood[0];
  std::string_view rest = text;
  for (const std::string& one : {kGood[3], kGood[8], kGood[0]}) {
    const Outcome outcome = ReadWhole(rest);
    EXPECT_EQ(outcome, ReadWhole(one));
    rest.remove_prefix(outcome.used);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(RequestReader, TheSignIsAwaitedBetweenHeadAndBodyOnly) {
  const std::string& text = kGood[5];
  const size_t head = text.size() - 3;
  for (size_t i = 0; i <= text.size(); ++i) {
    RequestReader reader(kLimits);
    reader.Put(std::string_view(text).substr(0, i));
    EXPECT_EQ(reader.awaits_continue(), i == head) << i;
  }
}

// Every single byte changed, left out or doubled, in every request: read or refused, and the same
// in one piece and byte by byte.
TEST(RequestReader, EveryRequestWithOneByteWrongReadsTheSameInPieces) {
  for (const std::string& text : kGood) {
    std::vector<size_t> every;
    for (size_t i = 0; i <= text.size(); ++i) every.push_back(i);
    for (size_t i = 0; i < text.size(); ++i) {
      for (const char wrong : {'\0', '\n', '\r', ' ', '\t', ':', ',', '0', '9', 'f', ';', '\x80'}) {
        std::string changed = text;
        changed[i] = wrong;
        EXPECT_EQ(ReadCut(changed, every), ReadWhole(changed)) << changed;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::wire::http
