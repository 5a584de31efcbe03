#pragma once

// Memory for those who cannot be told no. A thread that answers one question may be: it fails with
// std::bad_alloc, and one question is lost. Two others may not. GMP ends the program when it is
// refused a few bytes. And the thread that serves all connections would lose them all, because its
// library allocates in destructors; so does the library of JSON trees. For both some memory is kept
// aside: it is given back to the system's allocator when that has nothing left, and they ask again.

namespace tacit {

// Sets the memory aside and makes GMP and operator new turn to it. Once, at the start of a program
// that goes on.
void KeepMemoryAside();

// Takes back what was given away, as far as there is memory again. Cheap when nothing was.
void ReplenishMemoryAside();

// While one of these lives, operator new of its thread takes from the reserve, then waits a while
// for memory to come back, before it fails.
class MustHaveMemory {
 public:
  MustHaveMemory();
  ~MustHaveMemory();
  MustHaveMemory(const MustHaveMemory&) = delete;
  MustHaveMemory& operator=(const MustHaveMemory&) = delete;

 private:
  bool before_;
};

// Whether one lives on this thread: what refuses memory in tests asks.
bool MemoryIsAMust();

// The opposite within: for what is large, and can be refused to the one who asked for it.
class MayLackMemory {
 public:
  MayLackMemory();
  ~MayLackMemory();
  MayLackMemory(const MayLackMemory&) = delete;
  MayLackMemory& operator=(const MayLackMemory&) = delete;

 private:
  bool before_;
};

}  // namespace tacit
