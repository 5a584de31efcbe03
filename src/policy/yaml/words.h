#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/numbers/privacy_parameters.h"
#include "policy/yaml/tree.h"

namespace tacit::policy::yaml {

// Reads a mapping whose words are known. Every error names the place and what to write instead.
class Words {
 public:
  // Fails on a node that is no mapping and on a word that is not among `known`; `what` names the
  // mapping in messages ("table patients"). The node and the file name outlive the Words.
  static Result<Words> Of(const Node& node, std::string_view file, std::string what,
                          std::initializer_list<std::string_view> known);

  const Node* Find(std::string_view word) const;
  bool Has(std::string_view word) const { return Find(word) != nullptr; }

  // The node of a word that must be there; `example` is shown when it is not.
  Result<const Node*> Need(std::string_view word, std::string_view example) const;

  Result<std::string> NeedText(std::string_view word, std::string_view example) const;
  Result<Rational> NeedNumber(std::string_view word, std::string_view example) const;
  Result<int64_t> NeedWhole(std::string_view word, std::string_view example, int64_t low,
                            int64_t high) const;
  // `fallback` where the word is missing.
  Result<int64_t> Whole(std::string_view word, int64_t low, int64_t high, int64_t fallback) const;
  Result<bool> Truth(std::string_view word, bool fallback) const;
  // One of a few words; the answer is its index in `choices`.
  Result<int> NeedChoice(std::string_view word,
                         std::initializer_list<std::string_view> choices) const;

  const Node& node() const { return *node_; }
  Error ErrorHere(std::string_view message, std::string hint = "") const;

 private:
  Words(const Node& node, std::string_view file, std::string what)
      : node_(&node), file_(file), what_(std::move(what)) {}

  const Node* node_;
  std::string_view file_;
  std::string what_;
};

// A scalar of a type. A quoted number is a text, and an error here.
Result<std::string> TextOf(const Node& node, std::string_view file, std::string_view what);
Result<Rational> NumberOf(const Node& node, std::string_view file, std::string_view what);
Result<int64_t> WholeOf(const Node& node, std::string_view file, std::string_view what, int64_t low,
                        int64_t high);

// The known word that a typing mistake away from `word`, or nothing when none is near.
std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string_view>& known);

}  // namespace tacit::policy::yaml
