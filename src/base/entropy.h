#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace tacit {

// A stream of uniform random 64-bit words. The program has one kind, ForThisThread(): AES-256-CTR
// keyed from the operating system, one stream a thread. A fixed tape derives from this class too,
// in the test library only; a release binary holds no way to seed a stream.
class Entropy {
 public:
  virtual ~Entropy() = default;
  Entropy(const Entropy&) = delete;
  Entropy& operator=(const Entropy&) = delete;

  // The calling thread's stream. Ends the program when the operating system gives no entropy; after
  // fork() the child's stream is keyed anew.
  static Entropy& ForThisThread();

  uint64_t NextWord() {
    if (next_ == kBufferWords) Refill();
    // A word is erased as it is handed out: memory read later tells nothing of noise already used.
    return std::exchange(buffer_[next_++], 0);
  }

 protected:
  // Why 512: one key set-up per 4 KiB costs under a tenth of the encryption.
  static constexpr uint32_t kBufferWords = 512;

  Entropy() = default;

  // Fills the buffer from some word to its end and sets next_ to that word.
  virtual void Refill() = 0;

  std::array<uint64_t, kBufferWords> buffer_{};
  uint32_t next_ = kBufferWords;
};

}  // namespace tacit
