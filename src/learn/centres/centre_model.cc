#include "learn/centres/centre_model.h"

#include <set>

#include "learn/cells/column_json.h"

namespace tacit::learn {
namespace {

constexpr char kCentreKind[] = "kmeans";

Json JsonOfCentres(const CentreFit& fit) {
  Json centres = Json::array();
  for (const Centre& centre : fit.centres) {
    Json json = {{"rows_estimated", centre.rows}, {"at", centre.at}};
    if (!centre.noise.empty()) json["noise"] = centre.noise;
    centres.push_back(std::move(json));
  }
  return {{"known", fit.known},
          {"rows_estimated", fit.rows},
          {"rows_noise", fit.rows_noise},
          {"centres", centres}};
}

Result<CentreFit> CentreFitIn(const Json& json, size_t features) {
  CentreFit fit;
  const Json* known = Find(json, "known");
  if (known == nullptr || !known->is_boolean()) return NotAModel("it does not say what is known");
  fit.known = known->get<bool>();
  TACIT_TRY(fit.rows, NumberIn(Find(json, "rows_estimated"), "rows_estimated"));
  TACIT_TRY(fit.rows_noise, NumberIn(Find(json, "rows_noise"), "rows_noise"));
  const Json* centres = Find(json, "centres");
  if (centres == nullptr || !centres->is_array() || centres->size() > kCentresMax ||
      (fit.known && centres->empty())) {
    return NotAModel("it has no centres");
  }
  for (const Json& one : *centres) {
    Centre& centre = fit.centres.emplace_back();
    TACIT_TRY(centre.rows, NumberIn(Find(one, "rows_estimated"), "rows_estimated"));
    TACIT_TRY(centre.at, NumbersIn(Find(one, "at"), "at", features));
    if (Find(one, "noise") == nullptr) continue;
    TACIT_TRY(centre.noise, NumbersIn(Find(one, "noise"), "noise", features));
  }
  return fit;
}

}  // namespace

std::string FitText(const CentreFit& fit) { return JsonOfCentres(fit).dump(); }

Result<CentreFit> ReadCentreFit(std::string_view text, const std::vector<CellColumn>& features) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return NotAModel("it is not JSON");
  return CentreFitIn(json, features.size());
}

std::string ModelText(const CentreModel& model) {
  Json features = Json::array();
  for (const CellColumn& feature : model.features) features.push_back(JsonOfCells(feature));
  const Json text = {{"tacit_model", 1},
                     {"kind", kCentreKind},
                     {"rows", model.rows},
                     {"features", features},
                     {"fit", JsonOfCentres(model.fit)},
                     {"privacy", JsonOf(model.privacy)}};
  return text.dump(1) + "\n";
}

bool IsCentreModel(std::string_view text) {
  const Result<Json> json = ModelJson(text);
  if (!json.ok()) return false;
  const Result<std::string> kind = TextIn(*json, "kind");
  return kind.ok() && *kind == kCentreKind;
}

Result<CentreModel> ReadCentreModel(std::string_view text) {
  TACIT_TRY(const Json json, ModelJson(text));
  TACIT_TRY(const std::string kind, TextIn(json, "kind"));
  if (kind != kCentreKind) return NotAModel("it is of the kind " + kind);
  CentreModel model{.rows = "", .features = {}, .fit = {}, .privacy = {}};
  TACIT_TRY(model.rows, TextIn(json, "rows"));
  const Json* features = Find(json, "features");
  const Json* fit = Find(json, "fit");
  if (features == nullptr || fit == nullptr || !features->is_array() || features->empty() ||
      features->size() > kCentreFeaturesMax) {
    return NotAModel("it names no features");
  }
  std::set<std::string> names;
  for (const Json& feature : *features) {
    TACIT_TRY(CellColumn column, CellColumnIn(feature));
    if (!names.insert(column.name).second) return NotAModel("a column comes twice");
    if (column.kind == CellKind::kCategory) return NotAModel("a centre is between no texts");
    model.features.push_back(std::move(column));
  }
  TACIT_TRY(model.fit, CentreFitIn(*fit, model.features.size()));
  if (!model.fit.known) return NotAModel("it says nothing");
  TACIT_TRY(model.privacy, PrivacyIn(Find(json, "privacy")));
  return model;
}

}  // namespace tacit::learn
