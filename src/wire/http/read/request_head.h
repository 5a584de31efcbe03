#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wire/http/message.h"

// The head of a request, line by line, as RFC 9110 and 9112 write it and no wider: what two readers
// could understand differently is refused, so that nothing can be smuggled past a proxy in front.

namespace tacit::wire::http {

// Why a request was not read. The texts are fixed: they repeat nothing that was sent.
struct Refusal {
  unsigned status = 400;
  std::string_view title;
  std::string_view detail;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};
using Refused = std::optional<Refusal>;  // nothing: go on

struct RequestHead {
  Request request;
  bool is_1_0 = false;
  bool keep_alive = true;
  bool chunked = false;
  bool expects_continue = false;
  uint64_t body_bytes = 0;  // as declared; 0 when chunked
};

// Lines come without their CR LF.
Refused ReadRequestLine(std::string_view line, RequestHead& head);
Refused ReadField(std::string_view line, RequestHead& head);
// After the empty line: what the fields say together about the host, the body and the connection.
Refused FinishHead(uint64_t body_bytes_max, RequestHead& head);

Refusal NotHttp(std::string_view detail);
Refusal TooLarge();

}  // namespace tacit::wire::http
