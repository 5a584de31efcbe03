#include "wire/http/message.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/process/memory_reserve.h"

namespace tacit::wire::http {
namespace {

const char* TypeOf(unsigned status) {
  switch (status) {
    case 400:
      return "urn:tacit:bad-request";
    case 401:
      return "urn:tacit:unauthorized";
    case 404:
      return "urn:tacit:not-found";
    case 405:
      return "urn:tacit:wrong-method";
    case 413:
      return "urn:tacit:too-large";
    case 415:
      return "urn:tacit:wrong-type";
    case 429:
      return "urn:tacit:too-many";
    case 431:
      return "urn:tacit:headers-too-large";
    case 500:
      return "urn:tacit:internal";
    case 503:
      return "urn:tacit:unavailable";
    default:
      return "about:blank";  // RFC 9457: no more than the status says
  }
}

}  // namespace

bool SameIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool IsCrossSite(const Request& request) {
  const std::string_view site = request.Header("Sec-Fetch-Site");
  if (request.Has("Sec-Fetch-Site") && site != "same-origin" && site != "none") return true;
  if (!request.Has("Origin")) return false;
  const std::string_view origin = request.Header("Origin");
  const std::string host(request.Header("Host"));
  return host.empty() || (origin != "http://" + host && origin != "https://" + host);
}

bool HasJsonBody(const Request& request) {
  const std::string_view type = request.Header("Content-Type");
  const size_t end = std::min(type.find_first_of("; \t"), type.size());
  return SameIgnoringCase(type.substr(0, end), "application/json");
}

bool Request::Has(std::string_view name) const {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const auto& header) { return SameIgnoringCase(header.first, name); });
}

std::string_view Request::Header(std::string_view name) const {
  std::string_view value;
  int times = 0;
  for (const auto& [key, text] : headers) {
    if (!SameIgnoringCase(key, name)) continue;
    value = text;
    ++times;
  }
  return times == 1 ? value : std::string_view();
}

Response Problem(unsigned status, std::string_view title, std::string_view detail) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  const nlohmann::ordered_json body = {
      {"type", TypeOf(status)}, {"title", title}, {"status", status}, {"detail", detail}};
  return {.status = status,
          .content_type = "application/problem+json",
          .body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

Response ProgramFailed() {
  return Problem(500, "An error of the gateway",
                 "the program failed; what was charged stays charged");
}

}  // namespace tacit::wire::http
