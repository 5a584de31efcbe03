#include "gateway/answer_shelf.h"

#include <openssl/sha.h>
#include <sys/stat.h>

#include "answer/table_bytes.h"
#include "base/no_memory.h"
#include "gateway/small_file.h"

namespace tacit::gateway {
namespace {

// Why 1 MiB: larger results are rare, and running the statement again is not what takes long then.
constexpr size_t kKeptBytesMax = size_t{1} << 20;

// Why these: 16 MiB at most, and far less when answers are as small as most are.
constexpr size_t kInMemoryBytesMax = size_t{16} << 10;
constexpr RecentLimits kInMemory{.count_max = 1024, .bytes_max = 1024 * kInMemoryBytesMax};

}  // namespace

std::string AnswerShelf::Label::Digest() const {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  OrNoMemory(SHA256(reinterpret_cast<const unsigned char*>(parts_.data()), parts_.size(), digest) !=
             nullptr);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

AnswerShelf AnswerShelf::InMemory() {
  AnswerShelf shelf("");
  shelf.recent_ = std::make_shared<Recent<engine::ResultTable>>(kInMemory);
  return shelf;
}

std::optional<engine::ResultTable> AnswerShelf::Find(const Label& label) const {
  if (recent_ != nullptr) {
    const std::shared_ptr<const engine::ResultTable> kept = recent_->Find(label.Digest());
    return kept == nullptr ? std::nullopt : std::optional(*kept);
  }
  if (folder_.empty()) return std::nullopt;
  const std::optional<std::string> bytes = ReadSmallFile(folder_ + "/" + label.Digest());
  if (!bytes) return std::nullopt;
  Result<engine::ResultTable> table = answer::ReadTable(*bytes);
  if (!table.ok()) return std::nullopt;
  return std::move(table).value();
}

void AnswerShelf::Keep(const Label& label, const engine::ResultTable& table) const {
  if (folder_.empty() && recent_ == nullptr) return;
  const std::string bytes = answer::WriteTable(table);
  if (recent_ != nullptr) {
    if (bytes.size() > kInMemoryBytesMax) return;
    return recent_->Keep(label.Digest(), std::make_shared<const engine::ResultTable>(table),
                         bytes.size());
  }
  if (bytes.size() > kKeptBytesMax) return;
  (void)::mkdir(folder_.c_str(), S_IRWXU);
  WriteSmallFile(folder_ + "/" + label.Digest(), bytes);
}

}  // namespace tacit::gateway
