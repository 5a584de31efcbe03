#include "ledger/record/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tacit::ledger {
namespace {

// Characters that stand for themselves.
bool IsPlain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

}  // namespace

// A comma, unless this is the first of its list or the value of a key.
void JsonText::Separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_ += ',';
}

JsonText& JsonText::Open(char bracket) {
  Separate();
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Close(char bracket) {
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Key(std::string_view name) {
  Text(name);
  text_ += ':';
  return *this;
}

JsonText& JsonText::Text(std::string_view text) {
  Separate();
  if (std::all_of(text.begin(), text.end(), IsPlain)) {
    text_.append("\"").append(text).append("\"");
  } else {
    text_ += nlohmann::json(text).dump();
  }
  return *this;
}

JsonText& JsonText::Number(int64_t number) {
  Separate();
  text_ += std::to_string(number);
  return *this;
}

JsonText& JsonText::Truth(bool truth) {
  Separate();
  text_ += truth ? "true" : "false";
  return *this;
}

JsonText& JsonText::Null() {
  Separate();
  text_ += "null";
  return *this;
}

}  // namespace tacit::ledger
