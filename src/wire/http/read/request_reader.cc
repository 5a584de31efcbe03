#include "wire/http/read/request_reader.h"

#include <algorithm>
#include <charconv>

namespace tacit::wire::http {
namespace {

// Why 8 digits: more than any body that is taken; and CR LF.
constexpr size_t kChunkDigitsMax = 8;
constexpr size_t kChunkLineBytesMax = kChunkDigitsMax + 2;

}  // namespace

size_t RequestReader::Put(std::string_view bytes) {
  size_t taken = 0;
  while (taken < bytes.size() && !over()) {
    const std::string_view rest = bytes.substr(taken);
    if (!InHead()) body_begun_ = true;
    const bool in_body = state_ == State::kBody || state_ == State::kChunk;
    taken += in_body ? PutBody(rest) : PutLine(rest);
  }
  return taken;
}

bool RequestReader::awaits_continue() const {
  return head_.expects_continue && !InHead() && !over() && !body_begun_;
}

// The limit is looked at before the line: how a line that is too long goes on does not matter.
size_t RequestReader::PutLine(std::string_view bytes) {
  const size_t room = InHead() ? limits_.head_bytes_max - head_bytes_
                               : kChunkLineBytesMax - std::min(line_.size(), kChunkLineBytesMax);
  const size_t newline = bytes.find('\n');
  const bool whole = newline != std::string_view::npos;
  const size_t count = whole ? newline + 1 : bytes.size();
  if (count > room) {
    RefuseLine();
    return count;
  }
  if (InHead()) head_bytes_ += count;
  line_.append(bytes.substr(0, count));
  if (!whole) return count;
  if (!line_.ends_with("\r\n")) {
    Refuse(NotHttp("a line does not end with CR LF"));
    return count;
  }
  const std::string line = std::move(line_);
  line_.clear();
  TakeLine(std::string_view(line).substr(0, line.size() - 2));
  return count;
}

size_t RequestReader::PutBody(std::string_view bytes) {
  const size_t count = static_cast<size_t>(std::min<uint64_t>(bytes.size(), body_left_));
  head_.request.body.append(bytes.substr(0, count));
  body_left_ -= count;
  if (body_left_ == 0) state_ = state_ == State::kBody ? State::kDone : State::kChunkEnd;
  return count;
}

void RequestReader::TakeLine(std::string_view line) {
  switch (state_) {
    case State::kRequestLine:
      state_ = State::kFields;
      if (const Refused refused = ReadRequestLine(line, head_)) Refuse(*refused);
      return;
    case State::kFields:
      if (line.empty()) return TakeHead();
      if (const Refused refused = ReadField(line, head_)) Refuse(*refused);
      return;
    case State::kChunkSize:
      return TakeChunkSize(line);
    case State::kChunkEnd:
      if (!line.empty()) return RefuseLine();
      state_ = State::kChunkSize;
      return;
    default:  // kBodyEnd
      if (!line.empty()) return RefuseLine();
      state_ = State::kDone;
  }
}

void RequestReader::TakeHead() {
  if (const Refused refused = FinishHead(limits_.body_bytes_max, head_)) return Refuse(*refused);
  body_left_ = head_.body_bytes;
  state_ = head_.chunked ? State::kChunkSize : body_left_ > 0 ? State::kBody : State::kDone;
}

// Extensions are refused: nobody sends them, and readers disagree about where they end.
void RequestReader::TakeChunkSize(std::string_view line) {
  uint32_t size = 0;
  const char* const end = line.data() + line.size();
  const auto read = std::from_chars(line.data(), end, size, 16);
  if (line.empty() || read.ec != std::errc() || read.ptr != end) {
    return RefuseLine();
  }
  if (size > limits_.body_bytes_max - head_.request.body.size()) return Refuse(TooLarge());
  body_left_ = size;
  state_ = size == 0 ? State::kBodyEnd : State::kChunk;
}

// For what is in a line, or for its length: the state says what it should have been.
void RequestReader::RefuseLine() {
  switch (state_) {
    case State::kRequestLine:
    case State::kFields:
      return Refuse({431, "Headers too large", "the headers are larger than this server takes"});
    case State::kChunkSize:
      return Refuse(NotHttp("a chunk's size is not a short hexadecimal number"));
    case State::kChunkEnd:
      return Refuse(NotHttp("a chunk is longer than it says"));
    default:
      return Refuse(NotHttp("header fields behind the body are not taken"));
  }
}

void RequestReader::Refuse(const Refusal& refusal) {
  refused_ = refusal;
  state_ = State::kRefused;
}

}  // namespace tacit::wire::http
