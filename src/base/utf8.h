#pragma once

#include <string>
#include <string_view>

namespace tacit {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. Texts from
// outside are looked at where they come in: what is none makes libraries raise, or give up.
bool IsUtf8(std::string_view text);

// The text itself, or, where it is none, with '?' for every byte above ASCII.
std::string Utf8OrAsk(std::string text);

}  // namespace tacit
