#pragma once

// Loops over floats that are compiled twice: for every machine of the kind, and, in functions
// marked TACIT_EIGHT, for those that multiply and add eight floats at once. A loop is an
// always_inline body that both call, and AddsEight() decides between them when the program runs.
// The last digits may differ between the two, so this is for what is done with released values
// alone.
#if defined(__x86_64__)
#define TACIT_EIGHT [[gnu::target("avx2,fma")]]
#else
#define TACIT_EIGHT
#endif

namespace tacit::release {

inline bool AddsEight() {
#if defined(__x86_64__)
  static const bool adds =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return adds;
#else
  return false;
#endif
}

}  // namespace tacit::release
