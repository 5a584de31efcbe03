#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "learn/model/model.h"

// What the files of all models share: how they are read without trusting them.
namespace tacit::learn {

using Json = nlohmann::ordered_json;

// kInvalidArgument, saying why these bytes are no model.
Error NotAModel(const std::string& why);

// The object of a file of the form that this program knows.
Result<Json> ModelJson(std::string_view text);

const Json* Find(const Json& object, const char* name);
Result<std::string> TextIn(const Json& object, const char* name);
Result<double> NumberIn(const Json* value, const std::string& name);
Result<int64_t> WholeIn(const Json& object, const char* name);  // at least 1
Result<std::vector<double>> NumbersIn(const Json* list, const std::string& name, size_t length);

Json JsonOf(const ModelPrivacy& privacy);
Result<ModelPrivacy> PrivacyIn(const Json* object);

}  // namespace tacit::learn
