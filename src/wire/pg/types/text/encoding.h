#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tacit::wire::pg {

// A client_encoding other than UTF8: one byte a character, the lower half ASCII.
class Encoding {
 public:
  // By any of PostgreSQL's names of it, in any case, with dashes or without: LATIN1, iso-8859-1,
  // WIN1252. Null: there is none such here. Usable from many threads at once.
  static const Encoding* Find(std::string_view name);
  // What Find knows, for a hint.
  static std::string Names();
  // Reads the C library's tables, once. A server that forbids itself to load libraries calls it
  // before.
  static void Load();

  Encoding(std::string name, const char* as_iconv_knows_it);

  const std::string& name() const { return name_; }  // as SHOW prints it
  bool good() const { return !bytes_.empty(); }      // the C library knows it

  // Errors are PostgreSQL's: character_not_in_repertoire, untranslatable_character.
  Result<std::string> ToUtf8(std::string_view text) const;
  Result<std::string> FromUtf8(std::string_view text) const;
  // The same of a text that has to be shown anyway: '?' for what it has no byte for.
  std::string FromUtf8OrAsk(std::string_view text) const;

 private:
  std::string name_;
  std::array<std::string, 128> characters_;         // of the bytes from 128 on, as UTF-8
  std::map<std::string, char, std::less<>> bytes_;  // the same the other way round
};

}  // namespace tacit::wire::pg
