#pragma once

#include "wire/http/message.h"
#include "wire/transport/transport.h"

namespace tacit::wire::http {

// How fast a client has to read: a whole answer within `grace` and the time that its bytes take at
// the slowest rate allowed, so that nobody holds an answer's memory by reading a byte now and then.
struct Pace {
  std::chrono::milliseconds grace{30'000};
  uint64_t bytes_per_second_min = 32 * 1024;
};

struct Manner {
  bool keep_alive = true;
  bool is_1_0 = false;   // knows no chunks: the end of the connection is the end of the body
  bool is_head = false;  // without the body, whose length is told all the same
};

// Sends the answer, a long one piece by piece: the next is made when the last was taken. False when
// the connection is gone, or has to go because the rest could not be made.
asio::awaitable<bool> Send(Transport& transport, const Response& response, const Manner& manner,
                           const Pace& pace);

}  // namespace tacit::wire::http
