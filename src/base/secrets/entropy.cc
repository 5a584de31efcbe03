#include "base/secrets/entropy.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sys/random.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/process/no_memory.h"

namespace tacit {
namespace {

[[noreturn]] void EntropyFailed(const char* what) {
  std::fprintf(
      stderr,
      "tacit: no secure random numbers: %s; stopping, because noise without them hides nothing\n",
      what);
  std::abort();
}

constexpr size_t kKeyBytes = 32;
constexpr size_t kKeyWords = kKeyBytes / sizeof(uint64_t);

// AES-256-CTR with fast key erasure: every refill starts with a fresh key, which is the head of the
// block made by the key before it. The counter starts at zero under each key, which is used once.
class OperatingSystemEntropy final : public Entropy {
 public:
  OperatingSystemEntropy() : cipher_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    OrNoMemory(cipher_ != nullptr);  // nothing was drawn yet: only this question is lost
    // The algorithm is set once: looking it up again at every refill costs more than the
    // encryption.
    OrNoMemory(EVP_EncryptInit_ex(cipher_.get(), EVP_aes_256_ctr(), nullptr, nullptr, nullptr) ==
               1);
  }
  ~OperatingSystemEntropy() override { Wipe(); }

  void Wipe() {
    OPENSSL_cleanse(buffer_.data(), sizeof(buffer_));
    OPENSSL_cleanse(key_.data(), sizeof(key_));
    next_ = kBufferWords;
    keyed_ = false;
  }

 protected:
  void Refill() override {
    if (!keyed_) KeyFromOperatingSystem();
    static constexpr std::array<unsigned char, 16> kZeroCounter{};
    if (EVP_EncryptInit_ex(cipher_.get(), nullptr, nullptr,
                           reinterpret_cast<const unsigned char*>(key_.data()),
                           kZeroCounter.data()) != 1) {
      EntropyFailed("AES-256-CTR could not be keyed");
    }
    int written = 0;
    auto* bytes = reinterpret_cast<unsigned char*>(buffer_.data());
    std::memset(bytes, 0, sizeof(buffer_));  // the stream is the encryption of zeros
    if (EVP_EncryptUpdate(cipher_.get(), bytes, &written, bytes, sizeof(buffer_)) != 1 ||
        written != static_cast<int>(sizeof(buffer_))) {
      EntropyFailed("AES-256-CTR failed");
    }
    std::memcpy(key_.data(), buffer_.data(), kKeyBytes);
    std::memset(buffer_.data(), 0, kKeyBytes);
    next_ = kKeyWords;
  }

 private:
  void KeyFromOperatingSystem() {
    auto* bytes = reinterpret_cast<unsigned char*>(key_.data());
    size_t have = 0;
    while (have < kKeyBytes) {
      const ssize_t got = getrandom(bytes + have, kKeyBytes - have, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) EntropyFailed("getrandom failed");
      have += static_cast<size_t>(got);
    }
    keyed_ = true;
  }

  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher_;
  std::array<uint64_t, kKeyWords> key_{};
  bool keyed_ = false;
};

OperatingSystemEntropy& StreamOfThisThread() {
  thread_local OperatingSystemEntropy stream;
  return stream;
}

}  // namespace

Entropy& Entropy::ForThisThread() {
  // fork() copies the one thread that called it, so wiping that thread's stream in the child is
  // enough for the two processes never to share a word.
  static const bool registered = [] {
    OrNoMemory(pthread_atfork(nullptr, nullptr, [] { StreamOfThisThread().Wipe(); }) == 0);
    return true;
  }();
  (void)registered;
  return StreamOfThisThread();
}

}  // namespace tacit
