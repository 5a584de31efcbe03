#pragma once

#include <new>

namespace tacit {

// For a call of a C library that can fail for want of memory alone: its result must not be taken
// for one. Who serves a question catches what this throws and loses that question only.
inline void OrNoMemory(bool made) {
  if (!made) throw std::bad_alloc();
}

}  // namespace tacit
