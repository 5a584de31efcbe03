#include <vector>

#include "wire/pg/protocol/frame.h"
#include "wire/pg/types/parts.h"

// Arrays of one dimension: {a,"b c",NULL} as text; in binary the number of dimensions, whether
// there are NULLs, the element's type, the length, the lower bound, then each element with its
// length.

namespace tacit::wire::pg {
namespace {

using Elements = std::vector<std::optional<std::string>>;

// Why 64 Ki: an IN list of a driver; a frame holds no more anyway.
constexpr int32_t kElementsMax = 64 * 1024;

std::optional<Elements> Split(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Elements elements;
  size_t i = 0;
  while (i < text.size()) {
    std::string element;
    const bool quoted = text[i] == '"';
    if (quoted) {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && ++i == text.size()) return std::nullopt;
        element += text[i];
      }
      if (i == text.size()) return std::nullopt;
      ++i;
    } else {
      for (; i < text.size() && text[i] != ','; ++i) {
        if (text[i] == '{' || text[i] == '}') return std::nullopt;  // more than one dimension
        element += text[i];
      }
    }
    if (!quoted && element == "NULL") {
      elements.emplace_back();
    } else {
      elements.emplace_back(std::move(element));
    }
    if (i == text.size()) break;
    if (text[i] != ',' || ++i == text.size()) return std::nullopt;
  }
  return elements;
}

std::string Quoted(std::string_view element) {
  const bool plain = !element.empty() && element != "NULL" &&
                     element.find_first_of("{}\",\\ \t\n\r\v\f") == std::string_view::npos;
  if (plain) return std::string(element);
  std::string out = "\"";
  for (const char c : element) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

Result<std::string> ArrayBinary(Oid element, std::string_view text) {
  const std::optional<Elements> elements = Split(text);
  if (!elements) return NotAValue(element);
  std::string body;
  bool nulls = false;
  for (const std::optional<std::string>& value : *elements) {
    nulls = nulls || !value;
    if (!value) {
      body += BytesOf(-1, 4);
      continue;
    }
    TACIT_TRY(const std::string binary, BinaryOf(element, *value));
    body += BytesOf(static_cast<int64_t>(binary.size()), 4) + binary;
  }
  const std::string head =
      BytesOf(elements->empty() ? 0 : 1, 4) + BytesOf(nulls ? 1 : 0, 4) + BytesOf(element, 4);
  if (elements->empty()) return head;
  return head + BytesOf(static_cast<int64_t>(elements->size()), 4) + BytesOf(1, 4) + body;
}

Result<std::string> ArrayText(Oid element, std::string_view binary) {
  FieldReader fields(binary);
  const int32_t dimensions = fields.Int32();
  (void)fields.Int32();
  const auto sent = static_cast<Oid>(fields.Int32());
  if (!fields.good() || dimensions < 0 || dimensions > 1 || sent != element) {
    return NotAValue(element);
  }
  if (dimensions == 0) return std::string("{}");
  const int32_t count = fields.Int32();
  (void)fields.Int32();
  if (!fields.good() || count < 0 || count > kElementsMax) return NotAValue(element);
  std::string text = "{";
  for (int32_t i = 0; i < count; ++i) {
    const int32_t length = fields.Int32();
    if (!fields.good() || length < -1) return NotAValue(element);
    if (i > 0) text += ',';
    if (length == -1) {
      text += "NULL";
      continue;
    }
    const std::string_view bytes = fields.Bytes(static_cast<size_t>(length));
    if (!fields.good()) return NotAValue(element);
    TACIT_TRY(const std::string value, TextOf(element, bytes));
    text += Quoted(value);
  }
  if (!fields.AtEnd()) return NotAValue(element);
  return text + "}";
}

}  // namespace tacit::wire::pg
