#include "local/reports/header.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>

namespace tacit::local {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kNameBytesMax = 200;

Error BadHeader(const std::string& what) {
  return InvalidArgument("the header of the reports is not right: " + what,
                         "reports are written by `tacit local randomize`; do not edit the header");
}

Result<uint64_t> ReadThreshold(const Json& json, const char* key) {
  if (!json.contains(key)) return uint64_t{0};
  const Json& field = json[key];
  uint64_t number = 0;
  if (field.is_string()) {
    const std::string& text = field.get_ref<const std::string&>();
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec == std::errc() && end.ptr == text.data() + text.size()) return number;
  }
  return BadHeader(std::string(key) + " must be a whole number below 2^64, as text");
}

Result<uint32_t> ReadSmall(const Json& json, const char* key) {
  if (!json.contains(key)) return uint32_t{0};
  const Json& field = json[key];
  if (!field.is_number_unsigned() || field.get<uint64_t>() > kValuesMax) {
    return BadHeader(std::string(key) + " must be a small whole number");
  }
  return field.get<uint32_t>();
}

Result<std::vector<std::string>> ReadNames(const Json& json) {
  if (!json.contains("values") || !json["values"].is_array() ||
      json["values"].size() > kValuesMax) {
    return BadHeader("it has no list of values");
  }
  std::vector<std::string> names;
  for (const Json& name : json["values"]) {
    if (!name.is_string()) return BadHeader("a value's name is not text");
    names.push_back(name.get<std::string>());
  }
  TACIT_CHECK(CheckValueNames(names));
  return names;
}

}  // namespace

Json DesignToJson(const Design& design) {
  Json json;
  json["mechanism"] = NameOf(design.mechanism);
  json["epsilon"] = ToString(EpsilonUp(design).value);
  json["keep"] = std::to_string(design.keep);
  if (design.lie != 0) json["lie"] = std::to_string(design.lie);
  if (design.buckets != 0) json["buckets"] = design.buckets;
  if (design.ticks_max != 0) json["ticks_max"] = design.ticks_max;
  return json;
}

Json HeaderToJson(const Header& header) {
  Json json = DesignToJson(header.design);
  json["values"] = header.values;
  return json;
}

Result<Done> CheckValueNames(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > kNameBytesMax) {
      return InvalidArgument("a value's name must have 1 to " + std::to_string(kNameBytesMax) +
                             " bytes");
    }
    for (const char c : name) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        return InvalidArgument("a value's name has a control character in it");
      }
    }
    if (!seen.insert(name).second) return InvalidArgument("the value \"" + name + "\" comes twice");
  }
  return Done{};
}

Result<Header> ParseHeader(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return BadHeader("it is not a JSON object");
  static const std::set<std::string> kKnown = {"mechanism", "epsilon", "keep",     "lie",
                                               "buckets",   "values",  "ticks_max"};
  for (const auto& [key, field] : json.items()) {
    if (!kKnown.contains(key)) return BadHeader("it has the unknown word \"" + key + "\"");
  }
  if (!json.contains("mechanism") || !json["mechanism"].is_string() || !json.contains("epsilon") ||
      !json["epsilon"].is_string()) {
    return BadHeader("it does not say its mechanism and epsilon");
  }
  Header header;
  TACIT_TRY(header.design.mechanism, MechanismNamed(json["mechanism"].get<std::string>()));
  TACIT_TRY(header.values, ReadNames(json));
  header.design.values = static_cast<uint32_t>(header.values.size());
  TACIT_TRY(header.design.keep, ReadThreshold(json, "keep"));
  TACIT_TRY(header.design.lie, ReadThreshold(json, "lie"));
  TACIT_TRY(header.design.buckets, ReadSmall(json, "buckets"));
  TACIT_TRY(header.design.ticks_max, ReadSmall(json, "ticks_max"));
  TACIT_CHECK(CheckDesign(header.design));
  const std::string epsilon = ToString(EpsilonUp(header.design).value);
  if (json["epsilon"].get<std::string>() != epsilon) {
    return BadHeader("it claims epsilon " + json["epsilon"].get<std::string>() +
                     ", but its thresholds give " + epsilon);
  }
  return header;
}

}  // namespace tacit::local
