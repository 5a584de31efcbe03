#include "wire/http/read/forwarded.h"

#include <arpa/inet.h>

#include <optional>

namespace tacit::wire::http {
namespace {

std::string_view TrimmedForwarded(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The part of `text` before the next `end` outside quotes; takes it and the end away. Nothing when
// a quote does not close. Backslashes have no place in an address.
std::optional<std::string_view> Split(std::string_view& text, char end) {
  bool quoted = false;
  size_t i = 0;
  for (; i < text.size() && (quoted || text[i] != end); ++i) {
    if (text[i] == '\\') return std::nullopt;
    if (text[i] == '"') quoted = !quoted;
  }
  if (quoted) return std::nullopt;
  const std::string_view part = text.substr(0, i);
  text.remove_prefix(std::min(i + 1, text.size()));
  return part;
}

// "192.0.2.1", "192.0.2.1:47011", "[2001:db8::1]:80": the address without port and brackets.
std::optional<std::string> AddressOf(std::string_view node) {
  if (node.starts_with('"') && node.ends_with('"') && node.size() >= 2) {
    node = node.substr(1, node.size() - 2);
  }
  unsigned char bytes[16];
  if (node.starts_with('[')) {
    const size_t end = node.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string address(node.substr(1, end - 1));
    if (::inet_pton(AF_INET6, address.c_str(), bytes) != 1) return std::nullopt;
    return address;
  }
  const std::string address(node.substr(0, std::min(node.find(':'), node.size())));
  if (::inet_pton(AF_INET, address.c_str(), bytes) != 1) return std::nullopt;
  return address;
}

// for= of one element; nothing where there is none, or no address.
std::optional<std::string> ForOf(std::string_view element) {
  std::optional<std::string> address;
  while (!element.empty()) {
    const std::optional<std::string_view> pair = Split(element, ';');
    if (!pair) return std::nullopt;
    const std::string_view text = TrimmedForwarded(*pair);
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    if (!SameIgnoringCase(text.substr(0, equals), "for")) continue;
    if (address) return std::nullopt;
    address = AddressOf(text.substr(equals + 1));
    if (!address) return std::nullopt;
  }
  return address;
}

}  // namespace

std::string ClientOf(const Request& request, const std::string& peer,
                     const std::function<bool(const std::string& address)>& is_proxy) {
  if (!is_proxy || !is_proxy(peer)) return peer;
  // Every proxy wrote its line behind those it received.
  std::vector<std::optional<std::string>> named;
  for (const auto& [name, value] : request.headers) {
    if (!SameIgnoringCase(name, "Forwarded")) continue;
    std::string_view rest = value;
    while (!rest.empty()) {
      const std::optional<std::string_view> element = Split(rest, ',');
      if (!element) return peer;
      named.push_back(ForOf(*element));
    }
  }
  std::string client = peer;
  while (!named.empty() && named.back() && is_proxy(client)) {
    client = *named.back();
    named.pop_back();
  }
  return client;
}

}  // namespace tacit::wire::http
