#include <cstddef>
#include <cstdint>

#include "wire/http/read/request_reader.h"

// What a stranger sends over HTTP, in any pieces: the first two bytes of the input decide where the
// rest is cut. Requests that follow each other on the connection are read one after the other. In
// pieces as in one, and never more is held than the limits allow.

using namespace tacit::wire::http;

namespace {

constexpr RequestReader::Limits kLimits{.head_bytes_max = 1024, .body_bytes_max = 512};

void Check(bool holds) {
  if (!holds) __builtin_trap();
}

// A small generator: cuts must follow from the input alone.
class Cuts {
 public:
  explicit Cuts(uint32_t seed) : state_(seed * 2654435761u + 1) {}
  size_t Next() {
    state_ = state_ * 1664525u + 1013904223u;
    const uint32_t drawn = state_ >> 16;
    return (drawn & 3) != 0 ? 1 + (drawn >> 2) % 7 : 1 + (drawn >> 2) % 300;
  }

 private:
  uint32_t state_;
};

// Reads one request from the front of `rest`; how much was taken.
template <class PieceSize>
size_t Read(RequestReader& reader, std::string_view rest, PieceSize piece_size) {
  size_t taken = 0;
  while (taken < rest.size() && !reader.over()) {
    const std::string_view piece = rest.substr(taken, piece_size());
    const size_t used = reader.Put(piece);
    Check(used <= piece.size() && (used == piece.size() || reader.over()));
    Check(reader.bytes_held() <= kLimits.head_bytes_max + kLimits.body_bytes_max);
    Check(reader.head().request.body.capacity() <= 2 * kLimits.body_bytes_max);
    taken += used;
  }
  return taken;
}

bool HoldsControl(std::string_view text) {
  for (const char c : text) {
    if ((c >= 0 && c < 0x20 && c != '\t') || c == 0x7f) return true;
  }
  return false;
}

void CheckRequest(const Request& request, const RequestHead& head) {
  Check(!request.method.empty() && request.path.starts_with('/'));
  Check(!HoldsControl(request.method) && !HoldsControl(request.path));
  // Two ways to say how long the body is never come together.
  const bool by_length = request.Has("Content-Length");
  Check(!(by_length && request.Has("Transfer-Encoding")));
  Check(head.chunked == request.Has("Transfer-Encoding"));
  Check(head.is_1_0 || !request.Header("Host").empty() || request.Has("Host"));
  if (!by_length && !head.chunked) Check(request.body.empty());
  if (by_length) Check(request.body.size() == head.body_bytes);
  for (const auto& [name, value] : request.headers) {
    Check(!name.empty() && name.find_first_of(" \t:") == std::string::npos);
    Check(!HoldsControl(name) && !HoldsControl(value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size < 2) return 0;
  Cuts cuts(bytes[0] | static_cast<uint32_t>(bytes[1]) << 8);
  std::string_view rest(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  while (!rest.empty()) {
    RequestReader whole(kLimits), cut(kLimits);
    const size_t taken = Read(whole, rest, [&] { return rest.size(); });
    const size_t taken_cut = Read(cut, rest, [&] { return cuts.Next(); });
    Check(whole.over() == cut.over() && whole.refused() == cut.refused());
    Check(whole.awaits_continue() == cut.awaits_continue());
    if (!whole.over() || whole.refused()) return 0;
    Check(taken == taken_cut);
    Check(whole.head().keep_alive == cut.head().keep_alive);
    const Request one = whole.TakeRequest(), other = cut.TakeRequest();
    CheckRequest(one, whole.head());
    Check(one.method == other.method && one.path == other.path && one.body == other.body &&
          one.headers == other.headers);
    rest.remove_prefix(taken);
  }
  return 0;
}
