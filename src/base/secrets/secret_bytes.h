#pragma once

#include <cstddef>
#include <string_view>

// Bytes that must not be found by whoever looks at memory later: the deployment's key, passwords.
// They live in pages of their own, which no core dump holds and which are not swapped where the
// system allows it, and are overwritten when they go.
//
// What a library is given (the engine, the parser of requests) it copies where it likes. Those
// copies are kept out of core dumps by base/process/core_dumps.h, which covers the whole process.

namespace tacit {

class SecretBytes {
 public:
  SecretBytes() = default;
  explicit SecretBytes(std::string_view bytes);
  // All zero, to be filled through data().
  static SecretBytes OfSize(size_t size);

  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  ~SecretBytes();

  char* data() { return bytes_; }
  size_t size() const { return size_; }
  // To be read in place. A std::string of it is a copy that nobody overwrites.
  std::string_view view() const { return {bytes_, size_}; }
  operator std::string_view() const { return view(); }

 private:
  size_t MappedBytes() const;

  char* bytes_ = nullptr;
  size_t size_ = 0;
};

// Overwrites what a buffer outside holds, in a way that the compiler does not take away.
void Wipe(void* bytes, size_t size);

}  // namespace tacit
