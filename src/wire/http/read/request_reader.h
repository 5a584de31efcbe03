#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/http/read/request_head.h"

namespace tacit::wire::http {

// Reads one request from bytes that come in any pieces: the outcome depends on the bytes alone,
// never on where they were cut. Every line and length is bounded before it is stored, and what is
// held never exceeds twice the limits. docs/decisions/http_parser.md says why it is our own.
class RequestReader {
 public:
  struct Limits {
    uint32_t head_bytes_max = 8 * 1024;
    uint32_t body_bytes_max = 64 * 1024;
  };

  explicit RequestReader(const Limits& limits) : limits_(limits) {}

  // Takes what belongs to this request off the front of `bytes` and returns how much that was: all
  // of it, unless the request is over. After a refusal the connection is good for nothing more.
  size_t Put(std::string_view bytes);

  bool over() const { return state_ == State::kDone || state_ == State::kRefused; }
  const Refused& refused() const { return refused_; }
  bool begun() const { return head_bytes_ > 0; }
  // The client waits for a sign before it sends the body.
  bool awaits_continue() const;
  // How much of the request is held.
  size_t bytes_held() const { return head_bytes_ + head_.request.body.size(); }

  // When it is over and not refused.
  const RequestHead& head() const { return head_; }
  Request TakeRequest() { return std::move(head_.request); }

 private:
  enum class State {
    kRequestLine,
    kFields,
    kBody,       // of a declared length
    kChunkSize,  // the line before a chunk
    kChunk,
    kChunkEnd,  // the empty line behind it
    kBodyEnd,   // the empty line behind the last one
    kDone,
    kRefused
  };

  size_t PutLine(std::string_view bytes);
  size_t PutBody(std::string_view bytes);
  void TakeLine(std::string_view line);
  void TakeHead();
  void TakeChunkSize(std::string_view line);
  void RefuseLine();
  void Refuse(const Refusal& refusal);
  bool InHead() const { return state_ == State::kRequestLine || state_ == State::kFields; }

  const Limits limits_;
  State state_ = State::kRequestLine;
  RequestHead head_;
  std::string line_;         // as far as it has come
  size_t head_bytes_ = 0;    // of the lines before the body
  uint64_t body_left_ = 0;   // of the body, or of the chunk
  bool body_begun_ = false;  // a byte after the head has come
  Refused refused_;
};

}  // namespace tacit::wire::http
