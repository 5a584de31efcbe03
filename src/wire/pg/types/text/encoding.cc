#include "wire/pg/types/text/encoding.h"

#include <iconv.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace tacit::wire::pg {
namespace {

struct Known {
  const char* name;   // PostgreSQL's
  const char* iconv;  // the C library's
};
constexpr Known kKnown[] = {
    {"LATIN1", "ISO-8859-1"},     {"LATIN2", "ISO-8859-2"},     {"LATIN3", "ISO-8859-3"},
    {"LATIN4", "ISO-8859-4"},     {"LATIN5", "ISO-8859-9"},     {"LATIN6", "ISO-8859-10"},
    {"LATIN7", "ISO-8859-13"},    {"LATIN8", "ISO-8859-14"},    {"LATIN9", "ISO-8859-15"},
    {"LATIN10", "ISO-8859-16"},   {"ISO_8859_5", "ISO-8859-5"}, {"ISO_8859_6", "ISO-8859-6"},
    {"ISO_8859_7", "ISO-8859-7"}, {"ISO_8859_8", "ISO-8859-8"}, {"WIN866", "CP866"},
    {"WIN874", "CP874"},          {"WIN1250", "CP1250"},        {"WIN1251", "CP1251"},
    {"WIN1252", "CP1252"},        {"WIN1253", "CP1253"},        {"WIN1254", "CP1254"},
    {"WIN1255", "CP1255"},        {"WIN1256", "CP1256"},        {"WIN1257", "CP1257"},
    {"WIN1258", "CP1258"},        {"KOI8R", "KOI8-R"},          {"KOI8U", "KOI8-U"},
};

// Letters and digits in small letters: ISO-8859-1, iso88591 and ISO_8859_1 are one name.
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : InSmallLetters(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  if (plain.starts_with("windows")) plain.replace(0, 7, "win");
  return plain;
}

const std::vector<Encoding>& All() {
  static const std::vector<Encoding> all = [] {
    std::vector<Encoding> made;
    for (const Known& known : kKnown) {
      Encoding encoding(known.name, known.iconv);
      if (encoding.good()) made.push_back(std::move(encoding));
    }
    return made;
  }();
  return all;
}

// How many bytes the character at the front of a UTF-8 text has; 0: it is none.
size_t CharacterBytes(std::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  const size_t bytes = first < 0x80    ? 1
                       : first >= 0xf0 ? 4
                       : first >= 0xe0 ? 3
                       : first >= 0xc2 ? 2
                                       : 0;
  return bytes <= text.size() ? bytes : 0;
}

std::string InHex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += text.empty() ? "0x" : " 0x";
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

Error WrongText(std::string message, const char* condition) {
  Error error = InvalidArgument(std::move(message));
  error.rule = condition;
  return error;
}

}  // namespace

Encoding::Encoding(std::string name, const char* as_iconv_knows_it) : name_(std::move(name)) {
  const iconv_t converter = iconv_open("UTF-8", as_iconv_knows_it);
  if (converter == iconv_t(-1)) return;
  for (size_t i = 0; i < characters_.size(); ++i) {
    char byte = static_cast<char>(128 + i);
    char character[8] = {};
    char* in = &byte;
    char* out = character;
    size_t in_left = 1, out_left = sizeof character;
    (void)iconv(converter, nullptr, nullptr, nullptr, nullptr);
    const bool given = iconv(converter, &in, &in_left, &out, &out_left) != size_t(-1);
    // What may join with the next letter is held back until it is asked for.
    (void)iconv(converter, nullptr, nullptr, &out, &out_left);
    if (!given || out == character) continue;
    characters_[i].assign(character, out);
    bytes_.emplace(characters_[i], static_cast<char>(128 + i));
  }
  iconv_close(converter);
}

void Encoding::Load() { (void)All(); }

const Encoding* Encoding::Find(std::string_view name) {
  const std::string plain = Plain(name);
  for (const Encoding& encoding : All()) {
    const auto is_it = [&](const Known& known) {
      return encoding.name() == known.name &&
             (Plain(known.name) == plain || Plain(known.iconv) == plain);
    };
    if (std::any_of(std::begin(kKnown), std::end(kKnown), is_it)) return &encoding;
  }
  return nullptr;
}

std::string Encoding::Names() {
  std::string names = "UTF8";
  for (const Encoding& encoding : All()) names += ", " + encoding.name();
  return names;
}

Result<std::string> Encoding::ToUtf8(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 128) {
      out += c;
      continue;
    }
    const std::string& character = characters_[byte - 128u];
    if (character.empty()) {
      return WrongText(
          "invalid byte for encoding \"" + name_ + "\": " + InHex(std::string_view(&c, 1)),
          "character_not_in_repertoire");
    }
    out += character;
  }
  return out;
}

Result<std::string> Encoding::FromUtf8(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = std::max<size_t>(CharacterBytes(text), 1);
    const std::string_view character = text.substr(0, bytes);
    text.remove_prefix(bytes);
    if (bytes == 1 && static_cast<uint8_t>(character[0]) < 128) {
      out += character;
      continue;
    }
    const auto found = bytes_.find(character);
    if (found == bytes_.end()) {
      return WrongText("character with byte sequence " + InHex(character) +
                           " in encoding \"UTF8\" has no equivalent in encoding \"" + name_ + "\"",
                       "untranslatable_character");
    }
    out += found->second;
  }
  return out;
}

std::string Encoding::FromUtf8OrAsk(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const size_t bytes = std::max<size_t>(CharacterBytes(text), 1);
    const Result<std::string> one = FromUtf8(text.substr(0, bytes));
    out += one.ok() ? *one : "?";
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace tacit::wire::pg
