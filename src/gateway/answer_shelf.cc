#include "gateway/answer_shelf.h"

#include <openssl/sha.h>
#include <sys/stat.h>

#include "answer/table_bytes.h"
#include "gateway/small_file.h"

namespace tacit::gateway {
namespace {

// Why 1 MiB: larger results are rare, and running the statement again is not what takes long then.
constexpr size_t kKeptBytesMax = size_t{1} << 20;

// Why 4: an idle instance takes some megabytes and a thread; more questions at once start theirs.
constexpr size_t kIdleMax = 4;

}  // namespace

std::string AnswerShelf::Label::Digest() const {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(parts_.data()), parts_.size(), digest);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::optional<engine::ResultTable> AnswerShelf::Find(const Label& label) const {
  if (folder_.empty()) return std::nullopt;
  const std::optional<std::string> bytes = ReadSmallFile(folder_ + "/" + label.Digest());
  if (!bytes) return std::nullopt;
  Result<engine::ResultTable> table = answer::ReadTable(*bytes);
  if (!table.ok()) return std::nullopt;
  return std::move(table).value();
}

void AnswerShelf::Keep(const Label& label, const engine::ResultTable& table) const {
  if (folder_.empty()) return;
  const std::string bytes = answer::WriteTable(table);
  if (bytes.size() > kKeptBytesMax) return;
  (void)::mkdir(folder_.c_str(), S_IRWXU);
  WriteSmallFile(folder_ + "/" + label.Digest(), bytes);
}

std::optional<engine::duckdb::PostProcessing> AnswerShelf::TakeInstance() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.empty()) return std::nullopt;
  std::optional<engine::duckdb::PostProcessing> instance(std::move(idle_.back()));
  idle_.pop_back();
  return instance;
}

void AnswerShelf::GiveInstance(engine::duckdb::PostProcessing instance) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.size() < kIdleMax) idle_.push_back(std::move(instance));
}

}  // namespace tacit::gateway
