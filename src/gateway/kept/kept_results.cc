#include "gateway/kept/kept_results.h"

#include <sys/stat.h>

#include "answer/table_bytes.h"
#include "base/secrets/digest.h"
#include "gateway/kept/small_file.h"

namespace tacit::gateway {
namespace {

// Why 1 MiB: larger results are rare, and running the statement again is not what takes long then.
constexpr size_t kKeptBytesMax = size_t{1} << 20;

// Why these: 16 MiB at most, and far less when answers are as small as most are.
constexpr size_t kInMemoryBytesMax = size_t{16} << 10;
constexpr RecentLimits kInMemory{.count_max = 1024, .bytes_max = 1024 * kInMemoryBytesMax};

}  // namespace

// A large table by its digest: it need not be held a second time.
void KeptResults::Label::Add(const std::string& part) {
  constexpr size_t kWholeMax = 4096;
  parts_ += std::to_string(part.size()) + ":";
  parts_ += part.size() <= kWholeMax ? part : Sha256Hex(part);
}

std::string KeptResults::Label::Digest() const { return Sha256Hex(parts_); }

KeptResults KeptResults::InMemory() {
  KeptResults kept_results("");
  kept_results.recent_ = std::make_shared<Recent<engine::ResultTable>>(kInMemory);
  return kept_results;
}

std::optional<engine::ResultTable> KeptResults::Find(const Label& label) const {
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

void KeptResults::Keep(const Label& label, const engine::ResultTable& table) const {
  if (folder_.empty() && recent_ == nullptr) return;
  // A cell takes a byte at least: a large result is not written for nothing.
  if (table.rows.size() * table.columns.size() > kKeptBytesMax) return;
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
