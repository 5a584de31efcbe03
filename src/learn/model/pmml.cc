#include "learn/model/pmml.h"

#include <algorithm>
#include <cstdio>

#include "learn/model/page_parts.h"

namespace tacit::learn {
namespace {

// With all its digits.
std::string PmmlNumber(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}
std::string PmmlNumber(const Rational& number) { return PmmlNumber(number.get_d()); }

std::string Attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + Safe(value) + "\"";
}

std::string PmmlBegin(const ModelPrivacy& privacy) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<PMML version=\"4.4\" "
         "xmlns=\"http://www.dmg.org/PMML-4_4\">\n<Header" +
         Attribute("description", "learned with differential privacy: epsilon " + privacy.epsilon +
                                      ", " + privacy.accounting + ", " + privacy.neighbours) +
         "><Application name=\"tacit\"/></Header>\n";
}

std::string Continuous(const std::string& name) {
  return "<DataField" + Attribute("name", name) + " optype=\"continuous\" dataType=\"double\"/>\n";
}
std::string Categorical(const std::string& name, const std::vector<std::string>& values) {
  std::string field =
      "<DataField" + Attribute("name", name) + " optype=\"categorical\" dataType=\"string\">";
  for (const std::string& value : values) field += "<Value" + Attribute("value", value) + "/>";
  return field + "</DataField>\n";
}
std::string Dictionary(const std::vector<std::string>& fields) {
  std::string all = "<DataDictionary numberOfFields=\"" + std::to_string(fields.size()) + "\">\n";
  for (const std::string& field : fields) all += field;
  return all + "</DataDictionary>\n";
}

std::string TargetField(const std::string& name) {
  return "<MiningField" + Attribute("name", name) + " usageType=\"target\"/>\n";
}
std::string PlainField(const std::string& name) {
  return "<MiningField" + Attribute("name", name) + "/>\n";
}
// What lies outside counts as the nearer end.
std::string BoundedField(const std::string& name, const Rational& low, const Rational& high) {
  return "<MiningField" + Attribute("name", name) + " outliers=\"asExtremeValues\"" +
         Attribute("lowValue", PmmlNumber(low)) + Attribute("highValue", PmmlNumber(high)) + "/>\n";
}

std::vector<std::string> LabelsOfCells(const CellColumn& column) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < column.Cells(); ++i) labels.push_back(column.LabelOf(i));
  return labels;
}

std::string CellField(const CellColumn& column) {
  return column.kind == CellKind::kNumber ? Continuous(column.name)
                                          : Categorical(column.name, LabelsOfCells(column));
}

std::string CellSchema(const CellModel& model) {
  std::string schema = "<MiningSchema>\n" + TargetField(model.target.name);
  for (const CellColumn& feature : model.features) schema += PlainField(feature.name);
  return schema + "</MiningSchema>\n";
}

// ---- weights of cells

std::string BinFieldOf(const CellColumn& column) {
  return column.kind == CellKind::kNumber ? column.name + " (bin)" : column.name;
}

std::string BinsOfNumber(const CellColumn& column) {
  std::string field = "<DerivedField" + Attribute("name", BinFieldOf(column)) +
                      " optype=\"categorical\" dataType=\"string\"><Discretize" +
                      Attribute("field", column.name) + ">";
  for (size_t i = 0; i < column.Cells(); ++i) {
    field +=
        "<DiscretizeBin" + Attribute("binValue", std::to_string(i)) +
        "><Interval closure=\"closedOpen\"" +
        (i == 0 ? "" : Attribute("leftMargin", PmmlNumber(column.edges[i - 1]))) +
        (i == column.edges.size() ? "" : Attribute("rightMargin", PmmlNumber(column.edges[i]))) +
        "/></DiscretizeBin>";
  }
  return field + "</Discretize></DerivedField>\n";
}

std::string MarginPmml(const CellModel& model) {
  std::string bins;
  std::string predictors;
  for (size_t f = 0; f < model.features.size(); ++f) {
    const CellColumn& feature = model.features[f];
    const bool number = feature.kind == CellKind::kNumber;
    if (number) bins += BinsOfNumber(feature);
    for (size_t i = 0; i < feature.Cells(); ++i) {
      predictors += "<CategoricalPredictor" + Attribute("name", BinFieldOf(feature)) +
                    Attribute("value", number ? std::to_string(i) : feature.LabelOf(i)) +
                    Attribute("coefficient", PmmlNumber(model.fit.weights[0][f][i])) + "/>\n";
    }
  }
  // Of an SVM as well: its classes are then the model's, though its probabilities are none.
  return "<RegressionModel" + Attribute("modelName", TitleOf(model.task)) +
         " functionName=\"classification\" normalizationMethod=\"softmax\">\n" + CellSchema(model) +
         (bins.empty() ? "" : "<LocalTransformations>\n" + bins + "</LocalTransformations>\n") +
         "<RegressionTable" + Attribute("intercept", PmmlNumber(model.fit.constants[0])) +
         Attribute("targetCategory", model.target.LabelOf(1)) + ">\n" + predictors +
         "</RegressionTable>\n<RegressionTable intercept=\"0\"" +
         Attribute("targetCategory", model.target.LabelOf(0)) + "/>\n</RegressionModel>\n";
}

// ---- trees

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  return quoted + "\"";
}

// Whether a row goes to the side; nothing where the bins of a number are not in two pieces.
std::optional<std::string> PredicateOf(const CellColumn& feature, const std::vector<bool>& right,
                                       bool side) {
  if (feature.kind == CellKind::kNumber) {
    const auto change = std::adjacent_find(right.begin(), right.end(), std::not_equal_to<>());
    if (change == right.end() ||
        std::adjacent_find(change + 1, right.end(), std::not_equal_to<>()) != right.end()) {
      return std::nullopt;
    }
    const auto edge = static_cast<size_t>(change - right.begin());
    return "<SimplePredicate" + Attribute("field", feature.name) +
           Attribute("operator", right.back() == side ? "greaterOrEqual" : "lessThan") +
           Attribute("value", PmmlNumber(feature.edges[edge])) + "/>";
  }
  std::string values;
  size_t count = 0;
  for (size_t i = 0; i < right.size(); ++i) {
    if (right[i] != side) continue;
    values += (count == 0 ? "" : " ") + Quoted(feature.LabelOf(i));
    ++count;
  }
  return "<SimpleSetPredicate" + Attribute("field", feature.name) +
         " booleanOperator=\"isIn\"><Array type=\"string\"" +
         Attribute("n", std::to_string(count)) + ">" + Safe(values) +
         "</Array></SimpleSetPredicate>";
}

Error NoPmml(const std::string& what) {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = what + " is not written as PMML",
               .hint = "lines, logistic regression, support vector machines and trees are",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<std::string> NodePmml(const CellModel& model, size_t at, const std::string& predicate) {
  const CellNode& node = model.fit.trees[0].nodes[at];
  if (!node.feature) {
    std::string text = "<Node" + Attribute("id", std::to_string(at)) +
                       Attribute("score", model.target.LabelOf(ClassOf(model.task, node.values))) +
                       ">" + predicate;
    for (size_t c = 0; c < node.values.size(); ++c) {
      text += "<ScoreDistribution" + Attribute("value", model.target.LabelOf(c)) +
              Attribute("recordCount", PmmlNumber(node.values[c])) + "/>";
    }
    return text + "</Node>\n";
  }
  std::string text = "<Node" + Attribute("id", std::to_string(at)) + ">" + predicate + "\n";
  for (const bool right : {false, true}) {
    const std::optional<std::string> meets =
        PredicateOf(model.features[*node.feature], node.goes_right, right);
    if (!meets) return NoPmml("a tree that takes bins of a number apart");
    TACIT_TRY(const std::string child, NodePmml(model, right ? node.right : node.left, *meets));
    text += child;
  }
  return text + "</Node>\n";
}

}  // namespace

Result<std::string> PmmlOf(const CellModel& model) {
  std::vector<std::string> fields = {CellField(model.target)};
  for (const CellColumn& feature : model.features) fields.push_back(CellField(feature));
  const std::string begin = PmmlBegin(model.privacy) + Dictionary(fields);
  const bool margins = model.task == CellTask::kSvm || model.task == CellTask::kLogistic;
  if (margins && !model.fit.weights.empty()) return begin + MarginPmml(model) + "</PMML>\n";
  if (model.task != CellTask::kTree || model.fit.trees.size() != 1) {
    return NoPmml(TitleOf(model.task));
  }
  TACIT_TRY(const std::string root, NodePmml(model, 0, "<True/>"));
  return begin + "<TreeModel" + Attribute("modelName", TitleOf(model.task)) +
         " functionName=\"classification\" splitCharacteristic=\"binarySplit\">\n" +
         CellSchema(model) + root + "</TreeModel>\n</PMML>\n";
}

Result<std::string> PmmlOf(const CentreModel&) { return NoPmml("k-means"); }

Result<std::string> PmmlOf(const LinearModel& model) {
  std::vector<std::string> fields = {Continuous(model.target.name)};
  std::string schema = "<MiningSchema>\n" + TargetField(model.target.name);
  std::string predictors;
  for (size_t i = 0; i < model.features.size(); ++i) {
    const Column& feature = model.features[i];
    const std::string coefficient =
        Attribute("coefficient", PmmlNumber(model.fit.coefficients[i + 1]));
    if (!feature.is_boolean) {
      fields.push_back(Continuous(feature.name));
      schema += BoundedField(feature.name, feature.low, feature.high);
      predictors += "<NumericPredictor" + Attribute("name", feature.name) + coefficient + "/>\n";
      continue;
    }
    const bool first = i == 0 || feature.of.empty() || model.features[i - 1].of != feature.of;
    if (first) {
      std::vector<std::string> values = {"false", "true"};
      if (!feature.of.empty()) {
        values = {feature.reference};
        for (const Column& other : model.features) {
          if (other.of == feature.of) values.push_back(other.value);
        }
      }
      fields.push_back(Categorical(feature.Source(), values));
      schema += PlainField(feature.Source());
    }
    predictors += "<CategoricalPredictor" + Attribute("name", feature.Source()) +
                  Attribute("value", feature.of.empty() ? "true" : feature.value) + coefficient +
                  "/>\n";
  }
  return PmmlBegin(model.privacy) + Dictionary(fields) +
         "<RegressionModel modelName=\"linear regression\" functionName=\"regression\">\n" +
         schema + "</MiningSchema>\n<Targets><Target" + Attribute("field", model.target.name) +
         Attribute("min", PmmlNumber(model.target.low)) +
         Attribute("max", PmmlNumber(model.target.high)) + "/></Targets>\n<RegressionTable" +
         Attribute("intercept", PmmlNumber(model.fit.coefficients[0])) + ">\n" + predictors +
         "</RegressionTable>\n</RegressionModel>\n</PMML>\n";
}

}  // namespace tacit::learn
