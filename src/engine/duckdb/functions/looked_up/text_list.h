#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacit::engine::duckdb {

// Texts numbered 0, 1, 2, ... in the order of their first appearance: what tacit_text_number adds
// to, in any thread that runs a part of the statement.
class TextList {
 public:
  static std::shared_ptr<TextList> Make();
  // Null when the list is no more.
  static std::shared_ptr<TextList> Find(int64_t name);

  int64_t name() const { return name_; }
  void Number(const std::vector<std::string_view>& texts, std::vector<uint32_t>* numbers);
  std::string TextOf(uint32_t number) const;

 private:
  explicit TextList(int64_t name) : name_(name) {}

  int64_t name_;
  mutable std::shared_mutex mutex_;
  std::deque<std::string> texts_;                           // none moves when another is added
  std::unordered_map<std::string_view, uint32_t> numbers_;  // of what stands there
};

}  // namespace tacit::engine::duckdb
