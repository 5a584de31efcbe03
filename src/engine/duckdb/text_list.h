#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::engine::duckdb {

// Texts numbered 0, 1, 2, ... in the order of their first appearance.
class TextNumbers {
 public:
  std::optional<uint32_t> Find(std::string_view text) const;
  uint32_t NumberOf(std::string_view text);
  const std::string& TextOf(uint32_t number) const { return texts_[number]; }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t number_after = 0;  // 0: free
  };
  // Where the text is, or would be.
  size_t PlaceOf(std::string_view text, uint64_t hash) const;
  void Grow();

  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::vector<std::string> texts_;
};

// What tacit_text_number adds to, in any thread that runs a part of the statement.
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
  TextNumbers texts_;
};

}  // namespace tacit::engine::duckdb
