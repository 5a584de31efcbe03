#include "learn/model/model.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/utf8.h"

namespace tacit::learn {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kKind[] = "linear_regression";
// Why 6: what a model has, and one more for whoever adds to it.
constexpr int kModelDepthMax = 6;
constexpr size_t kFeaturesMax = 1000;

// ---- to text

Json JsonOf(const Column& column) {
  if (!column.of.empty()) {
    return {{"name", column.name},
            {"type", "category"},
            {"of", column.of},
            {"value", column.value},
            {"reference", column.reference}};
  }
  return {{"name", column.name},
          {"type", column.is_boolean ? "boolean" : "number"},
          {"low", ToString(column.low)},
          {"high", ToString(column.high)}};
}

Json JsonOf(const ModelPrivacy& privacy) {
  return {{"epsilon", privacy.epsilon},       {"delta", privacy.delta},
          {"accounting", privacy.accounting}, {"neighbours", privacy.neighbours},
          {"protects", privacy.protects},     {"unit", privacy.unit},
          {"receipt", privacy.receipt},       {"data_version", privacy.data_version}};
}

// ---- from text

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

Result<std::vector<std::vector<double>>> CovarianceIn(const Json& object, const char* name,
                                                      size_t length) {
  const Json* rows = Find(object, name);
  if (rows == nullptr || !rows->is_array() || rows->size() != length) {
    return NotAModel(std::string("\"") + name + "\" has to be a square of numbers");
  }
  std::vector<std::vector<double>> covariance;
  for (const Json& row : *rows) {
    TACIT_TRY(covariance.emplace_back(), NumbersIn(&row, name, length));
  }
  return covariance;
}

Result<Column> ColumnIn(const Json& value) {
  Column column;
  TACIT_TRY(column.name, TextIn(value, "name"));
  TACIT_TRY(const std::string type, TextIn(value, "type"));
  if (type == "category") {
    column.is_boolean = true;
    TACIT_TRY(column.of, TextIn(value, "of"));
    TACIT_TRY(column.value, TextIn(value, "value"));
    TACIT_TRY(column.reference, TextIn(value, "reference"));
    if (column.of.empty()) return NotAModel("a category is of no column");
    return column;
  }
  if (type != "number" && type != "boolean") return NotAModel("a column has the type " + type);
  column.is_boolean = type == "boolean";
  TACIT_TRY(const std::string low, TextIn(value, "low"));
  TACIT_TRY(const std::string high, TextIn(value, "high"));
  const Result<Rational> least = ParseRational(low);
  const Result<Rational> most = ParseRational(high);
  if (!least.ok() || !most.ok() || *least >= *most || !std::isfinite(most->get_d()) ||
      !std::isfinite(least->get_d())) {
    return NotAModel("the range of " + column.name + " is none");
  }
  column.low = *least;
  column.high = *most;
  return column;
}

Result<LinearFit> FitIn(const Json& object, size_t length) {
  LinearFit fit{.coefficients = {}, .noise = {}, .sampling = {}, .r_squared = std::nullopt};
  TACIT_TRY(fit.rows, NumberIn(Find(object, "rows_estimated"), "rows_estimated"));
  TACIT_TRY(fit.ridge, NumberIn(Find(object, "ridge"), "ridge"));
  TACIT_TRY(fit.coefficients, NumbersIn(Find(object, "coefficients"), "coefficients", length));
  fit.trust = fit.ridge > 0 ? Trust::kRidge : Trust::kFull;
  if (fit.trust == Trust::kRidge) return fit;
  TACIT_TRY(fit.noise, CovarianceIn(object, "noise_covariance", length));
  TACIT_TRY(fit.sampling, CovarianceIn(object, "sampling_covariance", length));
  TACIT_TRY(fit.residual_variance,
            NumberIn(Find(object, "residual_variance"), "residual_variance"));
  if (fit.residual_variance < 0) return NotAModel("a variance is below zero");
  for (size_t i = 0; i < length; ++i) {
    if (fit.noise[i][i] < 0 || fit.sampling[i][i] < 0) {
      return NotAModel("a variance is below zero");
    }
  }
  const Json* r_squared = Find(object, "r_squared");
  if (r_squared != nullptr && !r_squared->is_null()) {
    TACIT_TRY(fit.r_squared, NumberIn(r_squared, "r_squared"));
  }
  return fit;
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

}  // namespace

std::string ModelText(const LinearModel& model) {
  Json features = Json::array();
  for (const Column& feature : model.features) features.push_back(JsonOf(feature));
  Json text = {{"tacit_model", 1},         {"kind", kKind},
               {"rows", model.rows},       {"target", JsonOf(model.target)},
               {"features", features},     {"rows_estimated", model.fit.rows},
               {"ridge", model.fit.ridge}, {"coefficients", model.fit.coefficients}};
  if (model.fit.trust == Trust::kFull) {
    text["noise_covariance"] = model.fit.noise;
    text["sampling_covariance"] = model.fit.sampling;
    text["residual_variance"] = model.fit.residual_variance;
    text["r_squared"] = model.fit.r_squared ? Json(*model.fit.r_squared) : Json();
  }
  text["privacy"] = JsonOf(model.privacy);
  return text.dump(2) + "\n";
}

Result<LinearModel> ReadModel(std::string_view text) {
  if (text.size() > kModelBytesMax) return NotAModel("it is larger than a megabyte");
  if (!IsUtf8(text)) return NotAModel("it is not UTF-8");
  bool deep = false;
  const Json json = Json::parse(
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
  TACIT_TRY(const std::string kind, TextIn(json, "kind"));
  if (kind != kKind) return NotAModel("it is of the kind " + kind);
  LinearModel model{.rows = "", .target = {}, .features = {}, .fit = {}, .privacy = {}};
  TACIT_TRY(model.rows, TextIn(json, "rows"));
  const Json* target = Find(json, "target");
  const Json* features = Find(json, "features");
  if (target == nullptr || features == nullptr || !features->is_array() ||
      features->size() > kFeaturesMax) {
    return NotAModel("it names no target and features");
  }
  TACIT_TRY(model.target, ColumnIn(*target));
  std::set<std::string> names = {model.target.name};
  for (const Json& feature : *features) {
    TACIT_TRY(Column column, ColumnIn(feature));
    if (!names.insert(column.name).second) return NotAModel("a column comes twice");
    model.features.push_back(std::move(column));
  }
  TACIT_TRY(model.fit, FitIn(json, model.features.size() + 1));
  TACIT_TRY(model.privacy, PrivacyIn(Find(json, "privacy")));
  return model;
}

}  // namespace tacit::learn
