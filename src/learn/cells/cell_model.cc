#include "learn/cells/cell_model.h"

#include <cmath>
#include <set>

#include "learn/cells/column_json.h"

namespace tacit::learn {
namespace {

// Why 10,000: more than any task makes of columns that it takes.
constexpr size_t kCellFeaturesMax = 1'000;
constexpr size_t kCellTreesMax = 1'000;
constexpr size_t kCellNodesMax = 10'000;

// ---- to text

Json JsonOfTree(const CellTree& tree) {
  Json nodes = Json::array();
  for (const CellNode& node : tree.nodes) {
    if (!node.feature) {
      nodes.push_back({{"values", node.values}});
      continue;
    }
    std::string sides;
    for (const bool right : node.goes_right) sides += right ? '1' : '0';
    nodes.push_back({{"feature", *node.feature},
                     {"goes_right", sides},
                     {"left", node.left},
                     {"right", node.right}});
  }
  return nodes;
}

Json JsonOfFit(const CellFit& fit) {
  Json json = {{"known", fit.known}, {"rows_estimated", fit.rows}};
  if (!fit.class_rows.empty()) json["class_rows"] = fit.class_rows;
  json["constants"] = fit.constants;
  if (!fit.weights.empty()) json["weights"] = fit.weights;
  if (!fit.noise.empty()) json["noise"] = fit.noise;
  if (fit.score) {
    json["score"] = {
        {"right", fit.score->right}, {"wrong", fit.score->wrong}, {"noise", fit.score->noise}};
  }
  if (!fit.trees.empty()) {
    json["trees"] = Json::array();
    for (const CellTree& tree : fit.trees) json["trees"].push_back(JsonOfTree(tree));
  }
  return json;
}

// ---- from text

using Weights = std::vector<std::vector<std::vector<double>>>;
Result<Weights> WeightsIn(const Json* json, const std::string& name, size_t outputs,
                          const std::vector<CellColumn>& features) {
  if (json == nullptr) return Weights();
  if (!json->is_array() || json->size() != outputs) {
    return NotAModel("\"" + name + "\" has to have a list for each class");
  }
  Weights weights;
  for (const Json& of_output : *json) {
    if (!of_output.is_array() || of_output.size() != features.size()) {
      return NotAModel("\"" + name + "\" has to have a list for each feature");
    }
    weights.emplace_back();
    for (size_t f = 0; f < features.size(); ++f) {
      TACIT_TRY(weights.back().emplace_back(), NumbersIn(&of_output[f], name, features[f].Cells()));
    }
  }
  return weights;
}

// Children stand behind their parents, so that every way ends.
Result<CellNode> NodeIn(const Json& json, size_t at, size_t nodes, size_t outputs,
                        const std::vector<CellColumn>& features) {
  CellNode node;
  const Json* feature = Find(json, "feature");
  if (feature == nullptr) {
    TACIT_TRY(node.values, NumbersIn(Find(json, "values"), "values", outputs));
    return node;
  }
  const auto whole = [&](const char* name) -> std::optional<size_t> {
    const Json* value = Find(json, name);
    if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
    return value->get<size_t>();
  };
  TACIT_TRY(const std::string sides, TextIn(json, "goes_right"));
  const std::optional<size_t> left = whole("left");
  const std::optional<size_t> right = whole("right");
  node.feature = whole("feature");
  if (!node.feature || *node.feature >= features.size() || !left || !right || *left <= at ||
      *right <= at || *left >= nodes || *right >= nodes ||
      sides.size() != features[*node.feature].Cells() ||
      sides.find_first_not_of("01") != std::string::npos) {
    return NotAModel("a tree has a node that asks nothing");
  }
  node.left = *left;
  node.right = *right;
  for (const char side : sides) node.goes_right.push_back(side == '1');
  return node;
}

Result<CellFit> FitInJson(const Json& json, CellTask task, const CellColumn& target,
                          const std::vector<CellColumn>& features) {
  CellFit fit;
  const Json* known = Find(json, "known");
  if (known == nullptr || !known->is_boolean()) return NotAModel("it does not say what is known");
  fit.known = known->get<bool>();
  TACIT_TRY(fit.rows, NumberIn(Find(json, "rows_estimated"), "rows_estimated"));
  const size_t outputs = IsOfTwo(task) ? 1 : target.Cells();
  if (Find(json, "class_rows") != nullptr) {
    TACIT_TRY(fit.class_rows, NumbersIn(Find(json, "class_rows"), "class_rows", target.Cells()));
  }
  if (!fit.known) return fit;
  TACIT_TRY(fit.constants, NumbersIn(Find(json, "constants"), "constants", outputs));
  TACIT_TRY(fit.weights, WeightsIn(Find(json, "weights"), "weights", outputs, features));
  TACIT_TRY(fit.noise, WeightsIn(Find(json, "noise"), "noise", outputs, features));
  if (const Json* score = Find(json, "score")) {
    fit.score.emplace();
    TACIT_TRY(fit.score->right, NumbersIn(Find(*score, "right"), "right", target.Cells()));
    TACIT_TRY(fit.score->wrong, NumbersIn(Find(*score, "wrong"), "wrong", target.Cells()));
    TACIT_TRY(fit.score->noise, NumberIn(Find(*score, "noise"), "noise"));
  }
  const Json* trees = Find(json, "trees");
  if (trees == nullptr) return fit;
  if (!trees->is_array() || trees->size() > kCellTreesMax) return NotAModel("its trees are none");
  for (const Json& nodes : *trees) {
    if (!nodes.is_array() || nodes.empty() || nodes.size() > kCellNodesMax) {
      return NotAModel("a tree has no nodes");
    }
    fit.trees.emplace_back();
    for (size_t i = 0; i < nodes.size(); ++i) {
      TACIT_TRY(fit.trees.back().nodes.emplace_back(),
                NodeIn(nodes[i], i, nodes.size(), outputs, features));
    }
  }
  return fit;
}

}  // namespace

std::string FitText(const CellFit& fit) { return JsonOfFit(fit).dump(); }

Result<CellFit> ReadFit(std::string_view text, CellTask task, const CellColumn& target,
                        const std::vector<CellColumn>& features) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return NotAModel("it is not JSON");
  return FitInJson(json, task, target, features);
}

std::string ModelText(const CellModel& model) {
  Json features = Json::array();
  for (const CellColumn& feature : model.features) features.push_back(JsonOfCells(feature));
  const Json text = {{"tacit_model", 1},
                     {"kind", NameOf(model.task)},
                     {"rows", model.rows},
                     {"target", JsonOfCells(model.target)},
                     {"features", features},
                     {"fit", JsonOfFit(model.fit)},
                     {"privacy", JsonOf(model.privacy)}};
  return text.dump(1) + "\n";
}

bool IsCellModel(std::string_view text) {
  const Result<Json> json = ModelJson(text);
  if (!json.ok()) return false;
  const Result<std::string> kind = TextIn(*json, "kind");
  return kind.ok() && CellTaskNamed(*kind).has_value();
}

Result<CellModel> ReadCellModel(std::string_view text) {
  TACIT_TRY(const Json json, ModelJson(text));
  TACIT_TRY(const std::string kind, TextIn(json, "kind"));
  const std::optional<CellTask> task = CellTaskNamed(kind);
  if (!task) return NotAModel("it is of the kind " + kind);
  CellModel model{
      .task = *task, .rows = "", .target = {}, .features = {}, .fit = {}, .privacy = {}};
  TACIT_TRY(model.rows, TextIn(json, "rows"));
  const Json* target = Find(json, "target");
  const Json* features = Find(json, "features");
  const Json* fit = Find(json, "fit");
  if (target == nullptr || features == nullptr || fit == nullptr || !features->is_array() ||
      features->empty() || features->size() > kCellFeaturesMax) {
    return NotAModel("it names no target and features");
  }
  TACIT_TRY(model.target, CellColumnIn(*target));
  if (model.target.kind == CellKind::kNumber || (IsOfTwo(*task) && model.target.Cells() != 2)) {
    return NotAModel("its target has no classes");
  }
  std::set<std::string> names = {model.target.name};
  for (const Json& feature : *features) {
    TACIT_TRY(CellColumn column, CellColumnIn(feature));
    if (!names.insert(column.name).second) return NotAModel("a column comes twice");
    model.features.push_back(std::move(column));
  }
  TACIT_TRY(model.fit, FitInJson(*fit, *task, model.target, model.features));
  if (!model.fit.known) return NotAModel("it says nothing");
  TACIT_TRY(model.privacy, PrivacyIn(Find(json, "privacy")));
  return model;
}

}  // namespace tacit::learn
