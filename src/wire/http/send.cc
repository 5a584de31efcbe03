#include "wire/http/send.h"

#include <charconv>

namespace tacit::wire::http {
namespace {

using Clock = std::chrono::steady_clock;

const char* ReasonOf(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "";  // RFC 9112: the phrase may be absent
  }
}

std::string HeadOf(const Response& response, const Manner& manner) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     ReasonOf(response.status) + "\r\nContent-Type: " + response.content_type +
                     "\r\n";
  if (!response.more) {
    head += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  } else if (!manner.is_1_0) {
    head += "Transfer-Encoding: chunked\r\n";
  }
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  const bool stays = manner.keep_alive && !(response.more && manner.is_1_0);
  if (!stays) head += "Connection: close\r\n";
  return head + "\r\n";
}

void AddChunk(std::string& out, std::string_view piece) {
  char size[20];
  const auto end = std::to_chars(size, size + sizeof size, piece.size(), 16);
  out.append(size, end.ptr).append("\r\n").append(piece).append("\r\n");
}

class Writer {
 public:
  Writer(Transport& transport, const Pace& pace) : transport_(transport), pace_(pace) {}

  asio::awaitable<bool> Write(const std::string& bytes) {
    sent_ += bytes.size();
    const auto allowed = std::chrono::milliseconds(sent_ * 1000 / pace_.bytes_per_second_min);
    const auto until = start_ + pace_.grace + allowed;
    transport_.CloseAfter(
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()));
    const bool written = co_await transport_.Write(bytes);
    co_return written;
  }

 private:
  Transport& transport_;
  const Pace pace_;
  const Clock::time_point start_ = Clock::now();
  uint64_t sent_ = 0;
};

}  // namespace

asio::awaitable<bool> Send(Transport& transport, const Response& response, const Manner& manner,
                           const Pace& pace) {
  Writer writer(transport, pace);
  std::string out = HeadOf(response, manner);
  if (manner.is_head || !response.more) {
    if (!manner.is_head) out += response.body;
    const bool written = co_await writer.Write(out);
    co_return written;
  }
  const bool chunked = !manner.is_1_0;
  std::string piece = response.body;
  bool goes_on = true;
  while (true) {
    // An empty chunk would be the end.
    if (chunked && !piece.empty()) AddChunk(out, piece);
    if (!chunked) out += piece;
    if (!goes_on) break;
    const bool written = co_await writer.Write(out);
    if (!written) co_return false;
    out.clear();
    piece.clear();
    goes_on = response.more(piece);
  }
  if (chunked) out += "0\r\n\r\n";
  const bool written = co_await writer.Write(out);
  co_return written;
}

}  // namespace tacit::wire::http
