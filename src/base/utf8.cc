#include "base/utf8.h"

namespace tacit {

bool IsUtf8(std::string_view text) {
  const auto* byte = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = byte + text.size();
  while (byte < end) {
    const unsigned char lead = *byte++;
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || end - byte < more) return false;
    if ((lead == 0xE0 && byte[0] < 0xA0) || (lead == 0xED && byte[0] > 0x9F) ||
        (lead == 0xF0 && byte[0] < 0x90) || (lead == 0xF4 && byte[0] > 0x8F)) {
      return false;
    }
    for (int i = 0; i < more; ++i) {
      if ((*byte++ & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

std::string Utf8OrAsk(std::string text) {
  if (IsUtf8(text)) return text;
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) & 0x80) != 0) c = '?';
  }
  return text;
}

}  // namespace tacit
