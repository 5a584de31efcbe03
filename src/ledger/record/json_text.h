#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacit::ledger {

// Writes JSON front to back, without white space, as nlohmann::json::dump() would: a charge waits
// for it, and building a tree first takes several times as long. Throws std::exception for a text
// that is not UTF-8.
class JsonText {
 public:
  JsonText& Open(char bracket);  // { or [
  JsonText& Close(char bracket);
  JsonText& Key(std::string_view name);  // then a value
  JsonText& Text(std::string_view text);
  JsonText& Number(int64_t number);
  JsonText& Truth(bool truth);
  JsonText& Null();

  const std::string& text() const { return text_; }

 private:
  void Separate();

  std::string text_;
};

}  // namespace tacit::ledger
