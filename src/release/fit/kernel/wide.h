#pragma once

// Loops over floats that are compiled twice: for every machine of the kind, and for those that add
// products of eight floats at once. Which one runs is decided when the program does. The last
// digits may differ between the two, so this is for what is done with released values alone.
//
//   [[gnu::always_inline]] inline void AddBody(...) { ... }
//   TACIT_WIDE(Add, AddBody, (const float* x, float* y), (x, y))
//
// defines void Add(const float* x, float* y).
#if defined(__x86_64__)
#define TACIT_WIDE(name, body, parameters, arguments)                                  \
  [[gnu::target("avx2,fma")]] static void name##OfEight parameters { body arguments; } \
  static void name##OfAny parameters { body arguments; }                               \
  void name parameters {                                                               \
    static const bool eight =                                                          \
        __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;     \
    eight ? name##OfEight arguments : name##OfAny arguments;                           \
  }
#else
#define TACIT_WIDE(name, body, parameters, arguments) \
  void name parameters { body arguments; }
#endif
