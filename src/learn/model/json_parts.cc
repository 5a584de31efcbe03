#include "learn/model/json_parts.h"

#include <cmath>

#include "base/utf8.h"

namespace tacit::learn {
namespace {

// Why 8: what a model has, and one more for whoever adds to it.
constexpr int kModelDepthMax = 8;

}  // namespace

Error NotAModel(const std::string& why) {
  return InvalidArgument("this is not a model of Tacit: " + why,
                         "models are written by tacit learn ... --out FILE");
}

const Json* Find(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

Result<std::string> TextIn(const Json& object, const char* name) {
  const Json* value = Find(object, name);
  if (value == nullptr || !value->is_string()) {
    return NotAModel(std::string("\"") + name + "\" has to be a text");
  }
  return value->get<std::string>();
}

Result<double> NumberIn(const Json* value, const std::string& name) {
  if (value == nullptr || !value->is_number() || !std::isfinite(value->get<double>())) {
    return NotAModel("\"" + name + "\" has to be a number");
  }
  return value->get<double>();
}

Result<int64_t> WholeIn(const Json& object, const char* name) {
  const Json* value = Find(object, name);
  if (value == nullptr || !value->is_number_integer() || value->get<int64_t>() < 1) {
    return NotAModel(std::string("\"") + name + "\" has to be a whole number");
  }
  return value->get<int64_t>();
}

Result<std::vector<double>> NumbersIn(const Json* list, const std::string& name, size_t length) {
  if (list == nullptr || !list->is_array() || list->size() != length) {
    return NotAModel("\"" + name + "\" has to be a list of " + std::to_string(length) + " numbers");
  }
  std::vector<double> numbers;
  for (const Json& item : *list) {
    TACIT_TRY(numbers.emplace_back(), NumberIn(&item, name));
  }
  return numbers;
}

Result<Json> ModelJson(std::string_view text) {
  if (text.size() > kModelBytesMax) return NotAModel("it is larger than a megabyte");
  if (!IsUtf8(text)) return NotAModel("it is not UTF-8");
  bool deep = false;
  Json json = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        deep = deep || depth > kModelDepthMax;
        return depth <= kModelDepthMax;
      },
      /*allow_exceptions=*/false);
  if (json.is_discarded() || deep || !json.is_object()) return NotAModel("it is not JSON");
  const Json* version = Find(json, "tacit_model");
  if (version == nullptr || *version != 1) {
    return NotAModel("\"tacit_model\" has to be 1, the form that this program knows");
  }
  return json;
}

Json JsonOf(const ModelPrivacy& privacy) {
  return {{"epsilon", privacy.epsilon},       {"delta", privacy.delta},
          {"accounting", privacy.accounting}, {"neighbours", privacy.neighbours},
          {"protects", privacy.protects},     {"unit", privacy.unit},
          {"receipt", privacy.receipt},       {"data_version", privacy.data_version}};
}

Result<ModelPrivacy> PrivacyIn(const Json* object) {
  if (object == nullptr) return NotAModel("it does not say what it cost");
  ModelPrivacy privacy;
  TACIT_TRY(privacy.epsilon, TextIn(*object, "epsilon"));
  TACIT_TRY(privacy.delta, TextIn(*object, "delta"));
  TACIT_TRY(privacy.accounting, TextIn(*object, "accounting"));
  TACIT_TRY(privacy.neighbours, TextIn(*object, "neighbours"));
  TACIT_TRY(privacy.unit, TextIn(*object, "unit"));
  TACIT_TRY(privacy.receipt, TextIn(*object, "receipt"));
  TACIT_TRY(const int64_t protects, WholeIn(*object, "protects"));
  if (protects > 1'000'000) return NotAModel("it protects too many people at once");
  privacy.protects = static_cast<int>(protects);
  TACIT_TRY(privacy.data_version, WholeIn(*object, "data_version"));
  return privacy;
}

}  // namespace tacit::learn
