#include "base/secrets/secret_bytes.h"

#include <openssl/crypto.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

#include "base/assert.h"

namespace tacit {

SecretBytes::SecretBytes(std::string_view bytes) : SecretBytes(OfSize(bytes.size())) {
  if (!bytes.empty()) std::memcpy(bytes_, bytes.data(), bytes.size());
}

SecretBytes SecretBytes::OfSize(size_t size) {
  SecretBytes made;
  if (size == 0) return made;
  made.size_ = size;
  void* pages = ::mmap(nullptr, made.MappedBytes(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    made.size_ = 0;
    throw std::bad_alloc();
  }
  made.bytes_ = static_cast<char*>(pages);
  const int kept_out = ::madvise(pages, made.MappedBytes(), MADV_DONTDUMP);
  TACIT_ASSERT(kept_out == 0);
  // How much may be locked is bounded, and by default by little: what cannot be is not.
  (void)::mlock(pages, made.MappedBytes());
  return made;
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

SecretBytes::~SecretBytes() {
  if (bytes_ == nullptr) return;
  Wipe(bytes_, size_);
  (void)::munmap(bytes_, MappedBytes());
}

size_t SecretBytes::MappedBytes() const {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return (size_ + page - 1) / page * page;
}

void Wipe(void* bytes, size_t size) { OPENSSL_cleanse(bytes, size); }

}  // namespace tacit
