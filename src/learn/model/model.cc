#include "learn/model/model.h"

#include <cmath>
#include <set>

#include "learn/model/json_parts.h"

namespace tacit::learn {
namespace {

constexpr char kKind[] = "linear_regression";
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

// ---- from text

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
  TACIT_TRY(const Json json, ModelJson(text));
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
