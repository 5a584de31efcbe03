#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "local/design/design.h"

namespace tacit::local {

// What a file of reports says about itself: all an estimate needs, so that it cannot use the wrong
// parameters.
struct Header {
  Design design;
  std::vector<std::string> values;  // the names, in order

  friend bool operator==(const Header&, const Header&) = default;
};

// Thresholds are written as text: 64-bit integers do not survive the numbers of JavaScript.
nlohmann::ordered_json DesignToJson(const Design& design);
nlohmann::ordered_json HeaderToJson(const Header& header);

// Refuses unknown words, parameters that do not belong together, and a claimed epsilon that is not
// the one of the thresholds.
Result<Header> ParseHeader(std::string_view json);

// Names must be distinct, not empty, at most 200 bytes, without control characters.
Result<Done> CheckValueNames(const std::vector<std::string>& names);

}  // namespace tacit::local
