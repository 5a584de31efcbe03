#pragma once

#include <array>
#include <cstddef>
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

  // The next `count` words of the same stream, taken with one look at the buffer.
  template <size_t count>
  std::array<uint64_t, count> NextWords() {
    std::array<uint64_t, count> words;
    if (kBufferWords - next_ < count) [[unlikely]] {
      for (uint64_t& word : words) word = NextWord();
      return words;
    }
    for (size_t i = 0; i < count; ++i) words[i] = std::exchange(buffer_[next_ + i], 0);
    next_ += static_cast<uint32_t>(count);
    return words;
  }

 protected:
  // Why 2048: keying the cipher anew for every 16 KiB costs under a tenth of the encryption, and
  // the buffer still fits the first-level cache.
  static constexpr uint32_t kBufferWords = 2048;

  Entropy() = default;

  // Fills the buffer from some word to its end and sets next_ to that word.
  virtual void Refill() = 0;

  std::array<uint64_t, kBufferWords> buffer_{};
  uint32_t next_ = kBufferWords;
};

}  // namespace tacit
