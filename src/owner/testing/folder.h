#pragma once

#include <string>

#include "base/testing/folder.h"
#include "policy/load.h"
#include "policy/testing/sample.h"

// A deployment's folder as the owner's tests need it.

namespace tacit::owner::testing {

class Folder : public tacit::testing::Folder {
 public:
  // As if it had been read from tacit.yaml here.
  policy::Policy PolicyWith(const std::string& tables) const {
    return policy::Parse(policy::testing::SampleWith(tables), File("tacit.yaml")).value();
  }
};

inline constexpr char kPeople[] = "  people: {unit: id, rows_per_unit: 1}\n";

}  // namespace tacit::owner::testing
