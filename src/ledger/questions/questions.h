#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"

// The texts of questions that were charged, for the owner who wants to know what was asked and for
// analysts who look at their own. They stand beside the ledger (PATH-questions, a folder for the
// owner alone) and not in it: records are for ever, and texts go after some days. Each asker has a
// file, so that reading one's own takes as long as one's own are many. A line of JSON each:
// {"record":HASH,"time":"2026-01-31T12:00:00Z","question":"SELECT ..."}.

namespace tacit::ledger {

class Questions {
 public:
  static std::string FolderOf(const std::string& ledger_path) { return ledger_path + "-questions"; }

  // Of one asker. Why 64 MiB: the longest question a hundred times, or some hundred thousand as
  // people write them; who fills it loses the own older half, and nobody's disk.
  static constexpr size_t kFileBytesMax = size_t{64} << 20;

  // `days`: how long they are kept; nothing: not at all, and those of before go.
  Questions(std::string folder, std::optional<int> days, size_t file_bytes_max = kFileBytesMax)
      : folder_(std::move(folder)), days_(days), file_bytes_max_(file_bytes_max) {}

  // Appends one, of the record with this hash. What cannot be kept is not: an answer that was paid
  // for does not fail over it.
  void Keep(const std::string& record, const std::string& analyst, const std::string& time,
            const std::string& question) noexcept;

  // Removes what is older than `days` before `now`, a time as records have it.
  void Forget(const std::string& now) noexcept;

 private:
  std::string folder_;
  std::optional<int> days_;
  size_t file_bytes_max_;
  std::mutex mutex_;
  std::string forgotten_on_;  // the day
};

// Of one asker (the owner: no name), by the hash of the record that charged it: its number can mean
// another one after a copy was restored. Lines that cannot be read are passed over. The newest, as
// many as stand in so many bytes of the file.
std::map<std::string, std::string> ReadQuestions(const std::string& ledger_path,
                                                 const std::string& analyst,
                                                 size_t bytes_max = Questions::kFileBytesMax);

}  // namespace tacit::ledger
