#include "wire/http/read/request_head.h"

#include <algorithm>
#include <charconv>

namespace tacit::wire::http {
namespace {

// Why 64: browsers send about twenty, proxies add a handful.
constexpr size_t kFieldsMax = 64;
// Why 18: no length of so many digits overflows 64 bits.
constexpr size_t kLengthDigitsMax = 18;

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool IsTokenCharacter(char c) {
  return IsAlphanumeric(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenCharacter);
}

// Visible ASCII; bytes above it are for values of fields only.
bool IsVisible(char c) { return c > 0x20 && c < 0x7f; }

bool MayStandInValue(char c) {
  return c == '\t' || c == ' ' || IsVisible(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// A name or an address, and a port; nothing that could end it, or be a user's name before it.
bool IsHost(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsAlphanumeric(c) || std::string_view(".-_~:[]%").find(c) != std::string_view::npos;
  });
}

std::string_view Trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

size_t TimesOf(const Request& request, std::string_view name) {
  return static_cast<size_t>(
      std::count_if(request.headers.begin(), request.headers.end(),
                    [&](const auto& field) { return SameIgnoringCase(field.first, name); }));
}

// Whether a list of words, which may come in several fields, has this one.
bool ListHas(const Request& request, std::string_view name, std::string_view word) {
  for (const auto& [field, value] : request.headers) {
    if (!SameIgnoringCase(field, name)) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      if (SameIgnoringCase(Trimmed(rest.substr(0, comma)), word)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

Refused ReadHost(const RequestHead& head) {
  const size_t times = TimesOf(head.request, "Host");
  if (times > 1 || (times == 0 && !head.is_1_0)) return NotHttp("Host must come exactly once");
  if (!IsHost(head.request.Header("Host"))) return NotHttp("Host is not a name and a port");
  return std::nullopt;
}

Refused ReadLength(uint64_t body_bytes_max, RequestHead& head) {
  const size_t lengths = TimesOf(head.request, "Content-Length");
  const size_t encodings = TimesOf(head.request, "Transfer-Encoding");
  if (lengths > 1 || encodings > 1 || lengths + encodings > 1) {
    return NotHttp("one Content-Length or one Transfer-Encoding may say where the body ends");
  }
  if (encodings == 1) {
    if (head.is_1_0) return NotHttp("HTTP/1.0 has no Transfer-Encoding");
    if (!SameIgnoringCase(head.request.Header("Transfer-Encoding"), "chunked")) {
      return Refusal{501, "Another encoding", "the only Transfer-Encoding taken is chunked"};
    }
    head.chunked = true;
  }
  if (lengths == 1) {
    const std::string_view text = head.request.Header("Content-Length");
    const char* const end = text.data() + text.size();
    const bool digits = !text.empty() && std::all_of(text.begin(), text.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return NotHttp("Content-Length is not a number");
    if (text.size() > kLengthDigitsMax) return TooLarge();
    (void)std::from_chars(text.data(), end, head.body_bytes);
  }
  if (head.body_bytes > body_bytes_max) return TooLarge();
  return std::nullopt;
}

}  // namespace

Refusal NotHttp(std::string_view detail) { return {400, "Not HTTP", detail}; }

Refusal TooLarge() { return {413, "Too large", "the body is larger than this server takes"}; }

Refused ReadRequestLine(std::string_view line, RequestHead& head) {
  const size_t method_end = line.find(' ');
  const size_t version_start = line.rfind(' ');
  if (method_end == std::string_view::npos || version_start == method_end) {
    return NotHttp("the first line is not METHOD /path HTTP/1.1");
  }
  const std::string_view method = line.substr(0, method_end);
  std::string_view target = line.substr(method_end + 1, version_start - method_end - 1);
  const std::string_view version = line.substr(version_start + 1);
  head.is_1_0 = version == "HTTP/1.0";
  if (!head.is_1_0 && version != "HTTP/1.1") {
    const bool other = version.size() == 8 && version.starts_with("HTTP/");
    if (!other) return NotHttp("the first line is not METHOD /path HTTP/1.1");
    return Refusal{505, "Another version", "this server speaks HTTP/1.1 and 1.0"};
  }
  if (!IsToken(method)) return NotHttp("the method is not a word");
  const bool visible = std::all_of(target.begin(), target.end(), IsVisible);
  if (!target.starts_with('/') || !visible || target.find('#') != std::string_view::npos) {
    return NotHttp("the address must be a path that begins with /");
  }
  head.request.method = method;
  head.request.path = target.substr(0, std::min(target.find('?'), target.size()));
  return std::nullopt;
}

Refused ReadField(std::string_view line, RequestHead& head) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    return NotHttp("a header field must stand on one line");
  }
  const size_t colon = line.find(':');
  // White space before the colon is no part of a token.
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return NotHttp("a header field is not Name: value");
  }
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (!std::all_of(value.begin(), value.end(), MayStandInValue)) {
    return NotHttp("a header field holds a control character");
  }
  if (head.request.headers.size() >= kFieldsMax) {
    return Refusal{431, "Headers too large", "there are more header fields than this server takes"};
  }
  head.request.headers.emplace_back(line.substr(0, colon), value);
  return std::nullopt;
}

Refused FinishHead(uint64_t body_bytes_max, RequestHead& head) {
  if (Refused refused = ReadHost(head)) return refused;
  if (Refused refused = ReadLength(body_bytes_max, head)) return refused;
  // HTTP/1.0 knows nothing of connections that stay, and old proxies hand its wish on blindly.
  head.keep_alive = !head.is_1_0 && !ListHas(head.request, "Connection", "close");
  if (head.is_1_0 || !head.request.Has("Expect")) return std::nullopt;
  if (!SameIgnoringCase(head.request.Header("Expect"), "100-continue")) {
    return Refusal{417, "Expectation failed", "the only expectation met is 100-continue"};
  }
  head.expects_continue = true;
  return std::nullopt;
}

}  // namespace tacit::wire::http
