#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace tacit::policy::yaml {

// A YAML document as a person wrote it: every node with its place, scalars as their own text.
// yaml-cpp scans and parses; this tree keeps what its own nodes drop (quotes, places of keys,
// repeated keys) and refuses what a policy has no use for: anchors, aliases, tags.
struct Node {
  enum class Kind { kNull, kScalar, kSequence, kMapping };
  Kind kind = Kind::kNull;
  Place place;
  std::string text{};   // of a scalar
  bool quoted = false;  // "75001" is not 75001
  std::vector<Node> items{};
  std::vector<std::pair<Node, Node>> entries{};  // in order; keys are scalars and distinct
};

// An error at a place: "tacit.yaml:3:5: message".
Error ErrorAt(std::string_view file, const Place& place, std::string_view message,
              std::string hint = "");

// The one document of `text`, nested at most kPolicyDepthMax deep.
Result<Node> ParseTree(std::string_view text, std::string_view file);

}  // namespace tacit::policy::yaml
