#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/duckdb/post_processing.h"
#include "engine/result_table.h"

namespace tacit::gateway {

// Results of post-processing, kept in a folder: they are functions of released tables, so keeping
// them says nothing new and asking again need not compute them again. What is missing or unreadable
// is computed; nothing relies on the shelf. An empty folder name keeps nothing.
class AnswerShelf {
 public:
  explicit AnswerShelf(std::string folder) : folder_(std::move(folder)) {}

  // Names what was computed from what: the statement and the bytes of every released table.
  class Label {
   public:
    void Add(const std::string& part) { parts_ += std::to_string(part.size()) + ":" + part; }
    std::string Digest() const;

   private:
    std::string parts_;
  };

  std::optional<engine::ResultTable> Find(const Label& label) const;
  void Keep(const Label& label, const engine::ResultTable& table) const;

  // Idle instances: starting one takes longer than using it. They were emptied, and have only ever
  // held released and public tables. From any thread.
  std::optional<engine::duckdb::PostProcessing> TakeInstance() const;
  void GiveInstance(engine::duckdb::PostProcessing instance) const;

 private:
  std::string folder_;
  mutable std::mutex mutex_;
  mutable std::vector<engine::duckdb::PostProcessing> idle_;
};

}  // namespace tacit::gateway
