#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/result_table.h"
#include "gateway/kept/recent.h"

namespace tacit::gateway {

// Results of post-processing, kept in a folder: they are functions of released tables, so keeping
// them says nothing new and asking again need not compute them again. What is missing or unreadable
// is computed; nothing relies on them. An empty folder name keeps nothing.
class KeptResults {
 public:
  explicit KeptResults(std::string folder) : folder_(std::move(folder)) {}
  // In memory, for a program that goes on: the last small ones.
  static KeptResults InMemory();

  // Names what was computed from what: the statement and the bytes of every released table.
  class Label {
   public:
    void Add(const std::string& part);
    std::string Digest() const;

   private:
    std::string parts_;
  };

  std::optional<engine::ResultTable> Find(const Label& label) const;
  void Keep(const Label& label, const engine::ResultTable& table) const;

 private:
  std::string folder_;
  std::shared_ptr<Recent<engine::ResultTable>> recent_ = nullptr;
};

}  // namespace tacit::gateway
