#pragma once

// TACIT_ASSERT states what only a programmer's error can break. It is on in every build: a crash
// can be recovered from, a leak cannot.

namespace tacit {
[[noreturn]] void AssertionFailed(const char* condition, const char* file, int line);
}  // namespace tacit

#define TACIT_ASSERT(condition)                      \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? (void)0                                     \
       : ::tacit::AssertionFailed(#condition, __FILE__, __LINE__))
