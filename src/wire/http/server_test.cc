#include "wire/http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

// The server over real sockets on the loopback, in the clear.

namespace tacit::wire::http {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Response Echo(const Request& request) {
  if (request.path == "/throw") throw std::runtime_error("a secret");
  if (request.path == "/no_memory") throw std::bad_alloc();
  if (request.path == "/seven") throw 7;
  return {.content_type = "text/plain", .body = request.path + "=" + request.body};
}

class Running {
 public:
  template <class Handling>
  Running(const Limits& limits, Handling handling) {
    Options options{.limits = limits, .stops_on_signals = false};
    auto server = Server::Listen("127.0.0.1:0", options, std::move(handling));
    TACIT_ASSERT(server.ok());
    server_ = std::move(server).value();
    thread_ = std::thread([this] { server_->Run(); });
  }
  Running() : Running(Limits(), Handler(Echo)) {}
  ~Running() {
    server_->Stop();
    thread_.join();
  }
  uint16_t port() const { return server_->port(); }

 private:
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

class Client {
 public:
  explicit Client(const Running& server) {
    socket_.connect({asio::ip::address_v4::loopback(), server.port()});
  }
  Client& Send(std::string_view bytes) {
    boost::system::error_code ignored;  // a refusal may come before the end
    asio::write(socket_, asio::buffer(bytes.data(), bytes.size()), ignored);
    return *this;
  }
  // Until the server closes.
  std::string ReadAll() {
    std::string all;
    boost::system::error_code error;
    asio::read(socket_, asio::dynamic_buffer(all), error);
    return all;
  }
  std::string ReadUntil(std::string_view end) {
    std::string all;
    boost::system::error_code error;
    asio::read_until(socket_, asio::dynamic_buffer(all), std::string(end), error);
    return all;
  }

 private:
  static asio::io_context& Context() {
    static asio::io_context context;
    return context;
  }
  asio::ip::tcp::socket socket_{Context()};
};

std::string Asking(const std::string& path, const std::string& fields = "Connection: close\r\n") {
  return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

TEST(HttpServer, TheRequestThatEndedItIsAnsweredInAnyPieces) {
  const Running server;
  const std::string head =
      "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  for (const std::vector<std::string>& pieces :
       std::vector<std::vector<std::string>>{{head + "0\r\n", "\r\n"},
                                             {head + "0\r\n\r\n"},
                                             {head, "0", "\r", "\n", "\r", "\n"},
                                             {head + "3\r\nabc\r\n0", "\r\n\r", "\n"}}) {
    Client client(server);
    for (const std::string& piece : pieces) {
      client.Send(piece);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInTheirOrder) {
  const Running server;
  std::string many;
  for (int i = 0; i < 50; ++i) many += Asking("/" + std::to_string(i), "");
  const std::string all = Client(server).Send(many + Asking("/last")).ReadAll();
  size_t at = 0;
  for (int i = 0; i < 50; ++i) {
    at = all.find("/" + std::to_string(i) + "=", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
  EXPECT_THAT(all, EndsWith("/last="));
}

TEST(HttpServer, WhateverIsThrownIsAFixedTextAndTheNextIsAnswered) {
  const Running server;
  for (const char* path : {"/throw", "/no_memory", "/seven"}) {
    const std::string all = Client(server).Send(Asking(path, "") + Asking("/next")).ReadAll();
    EXPECT_THAT(all, AllOf(StartsWith("HTTP/1.1 500 "), HasSubstr("application/problem+json"),
                           HasSubstr("/next="), ::testing::Not(HasSubstr("secret"))));
  }
}

TEST(HttpServer, AReplyThatIsLostIsToldAndOneFromAnotherThreadArrives) {
  std::vector<std::thread> threads;
  {
    const Running server(
        Limits(), Dispatcher([&](const std::shared_ptr<const Request>& request, Reply reply) {
          if (request->path == "/lost") return;
          threads.emplace_back([request, reply = std::move(reply)] { reply(Echo(*request)); });
        }));
    EXPECT_THAT(Client(server).Send(Asking("/lost")).ReadAll(), StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(Client(server).Send(Asking("/kept")).ReadAll(), EndsWith("/kept="));
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, TheSignToGoOnIsGiven) {
  const Running server;
  Client client(server);
  client.Send(
      "POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
      "Connection: close\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_THAT(client.Send("ok").ReadAll(), EndsWith("/x=ok"));
  // Not before a body that is refused anyway.
  EXPECT_THAT(Client(server)
                  .Send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                        "Content-Length: 99999999\r\n\r\n")
                  .ReadAll(),
              StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServer, ALongBodyGoesInPiecesAndTwoClientsDoNotWaitForEachOther) {
  const Running server(Limits(), Handler([](const Request& request) {
                         Response response = Echo(request);
                         if (request.path != "/long") return response;
                         const auto left = std::make_shared<int>(1000);
                         response.more = [left](std::string& piece) {
                           piece = std::string(1000, 'z');
                           return --*left > 0;
                         };
                         return response;
                       }));
  Client reader(server);
  reader.Send(Asking("/long"));
  EXPECT_THAT(Client(server).Send(Asking("/short")).ReadAll(), EndsWith("/short="));
  const std::string all = reader.ReadAll();
  EXPECT_THAT(all, AllOf(HasSubstr("Transfer-Encoding: chunked\r\n"),
                         ::testing::Not(HasSubstr("Content-Length")),
                         HasSubstr("\r\n\r\n6\r\n/long=\r\n3e8\r\nzzz"), EndsWith("0\r\n\r\n")));
  EXPECT_EQ(std::count(all.begin(), all.end(), 'z'), 1'000'000);
  // HTTP/1.0 knows no chunks.
  const std::string old = Client(server).Send("GET /long HTTP/1.0\r\n\r\n").ReadAll();
  EXPECT_THAT(old, AllOf(::testing::Not(HasSubstr("chunked")), HasSubstr("Connection: close\r\n"),
                         HasSubstr("\r\n\r\n/long=zzz"), EndsWith("zzz")));
}

TEST(HttpServer, LongAnswersThatNobodyReadsAreBounded) {
  const Running server({.long_answers_of_owner_max = 2}, Handler([](const Request& request) {
                         Response response = Echo(request);
                         response.owner = request.body;
                         response.more = [](std::string& piece) {
                           piece = std::string(100'000, 'x');
                           return true;  // without end: it is never read to it
                         };
                         return response;
                       }));
  const auto ask = [](const std::string& owner) {
    return "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n" + owner;
  };
  Client first(server), second(server), third(server), other(server);
  first.Send(ask("ana")).ReadUntil("\r\n\r\n");
  second.Send(ask("ana")).ReadUntil("\r\n\r\n");
  EXPECT_THAT(third.Send(ask("ana")).ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(other.Send(ask("bob")).ReadUntil("\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, ABodyThatFailsOnItsWayEndsWithoutItsEnd) {
  const Running server(Limits(), Handler([](const Request& request) {
                         Response response = Echo(request);
                         response.more = [](std::string&) -> bool { throw std::bad_alloc(); };
                         return response;
                       }));
  const std::string all = Client(server).Send(Asking("/x")).ReadAll();
  EXPECT_THAT(all, AllOf(StartsWith("HTTP/1.1 200 "), ::testing::Not(EndsWith("0\r\n\r\n"))));
  EXPECT_THAT(Client(server).Send("x\r\n\r\n").ReadAll(), StartsWith("HTTP/1.1 400 "));
}

TEST(HttpServer, ARequestThatNeverEndsIsClosedHoweverItsBytesCome) {
  const Running server({.request_seconds_max = 1}, Handler(Echo));
  Client slow(server);
  std::thread drip([&] {
    for (int i = 0; i < 150; ++i) {
      slow.Send(i == 0 ? "GET / HTTP/1.1\r\nX: " : "x");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    slow.Send("\r\nHost: a\r\nConnection: close\r\n\r\n");  // too late to be answered
  });
  EXPECT_EQ(slow.ReadAll(), "");  // returns when the server closes
  drip.join();
}

TEST(HttpServer, RequestsTogetherHoldABoundedAmount) {
  const Running server({.bytes_held_max = 100'000, .request_seconds_max = 2}, Handler(Echo));
  const std::string half =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(50'000, 'x');
  Client clients[] = {Client(server), Client(server), Client(server)};
  for (Client& client : clients) client.Send(half);
  EXPECT_THAT(Client(server).Send(Asking("/small")).ReadAll(), EndsWith("/small="));
  int refused = 0;
  for (Client& client : clients) refused += client.ReadAll().starts_with("HTTP/1.1 503 ");
  EXPECT_GE(refused, 1);  // the others hold what they hold until their time is over
  EXPECT_LE(refused, 2);
}

TEST(HttpServer, OneTooManyShowsOutWhoWaitsLongestAndIsToldWhereNobodyCanGo) {
  std::mutex mutex;
  std::vector<Reply> hanging;
  Limits limits;
  limits.guests.strangers_of_address_max = 2;
  const Running server(
      limits, Dispatcher([&](const std::shared_ptr<const Request>& request, const Reply& reply) {
        if (request->path != "/hang") return reply(Echo(*request));
        const std::lock_guard lock(mutex);
        hanging.push_back(reply);
      }));
  Client first(server), second(server), third(server);
  EXPECT_THAT(third.Send(Asking("/3", "")).ReadUntil("/3="), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(first.ReadAll(), "");  // shown out
  second.Send(Asking("/hang"));
  third.Send(Asking("/hang"));
  const auto both_hang = [&] {
    const std::lock_guard lock(mutex);
    return hanging.size() == 2;
  };
  while (!both_hang()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THAT(Client(server).ReadAll(), StartsWith("HTTP/1.1 429 "));
  const std::lock_guard lock(mutex);
  hanging.clear();
}

}  // namespace
}  // namespace tacit::wire::http
