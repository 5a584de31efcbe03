#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/numbers/rational.h"

// Which part of the people somebody is in, by the keyed hash of the unit: the same in every
// question of a deployment, and nothing that anybody without the deployment's key can foresee. A
// person is in exactly one part; whoever is released about two parts pays for both.
namespace tacit::gateway::learning {

class UnitParts {
 public:
  // `purpose` tells divisions apart. The key outlives it.
  UnitParts(std::string_view deployment_key, std::string purpose)
      : key_(deployment_key), purpose_(std::move(purpose)) {}
  // Whether a unit is in the first part, of that share of all.
  bool IsInFirst(std::string_view unit, const Rational& share) const;
  // In which of so many equal parts it is.
  size_t PartOf(std::string_view unit, size_t parts) const;

 private:
  uint64_t HashOf(std::string_view unit) const;

  std::string_view key_;
  std::string purpose_;
};

}  // namespace tacit::gateway::learning
