#include "gateway/learning/cell_answers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "gateway/learning/classify.h"
#include "learn/cells/cell_page.h"

namespace tacit::gateway::learning {
namespace {

using CellRow = std::vector<engine::Value>;

plan::OutputColumn NamedCellColumn(const char* name, TypeKind kind) {
  return plan::OutputColumn{
      .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
}

engine::Value FourDigits(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", number);
  return std::strtod(text, nullptr);
}

std::vector<CellRow> BayesRows(const learn::CellModel& model) {
  const learn::CellFit& fit = model.fit;
  std::vector<CellRow> rows;
  const auto add = [&](const std::string& term, engine::Value bin, size_t c, double log_share,
                       std::optional<double> noise) {
    CellRow row = {term, std::move(bin), model.target.LabelOf(c), {}, {}};
    if (fit.known) row[3] = FourDigits(std::exp(log_share));
    if (fit.known && noise) row[4] = FourDigits(std::exp(log_share) * *noise);
    rows.push_back(std::move(row));
  };
  const size_t classes = model.target.Cells();
  for (size_t c = 0; c < classes; ++c) {
    add("(class)", {}, c, fit.known ? fit.constants[c] : 0, std::nullopt);
  }
  for (size_t f = 0; f < model.features.size(); ++f) {
    const learn::CellColumn& feature = model.features[f];
    for (size_t cell = 0; cell < feature.Cells(); ++cell) {
      for (size_t c = 0; c < classes; ++c) {
        add(feature.name, feature.LabelOf(cell), c, fit.known ? fit.weights[c][f][cell] : 0,
            fit.known ? std::optional(fit.noise[c][f][cell]) : std::nullopt);
      }
    }
  }
  return rows;
}

std::vector<CellRow> MarginRows(const learn::CellModel& model) {
  const learn::CellFit& fit = model.fit;
  std::vector<CellRow> rows = {{std::string("(constant)"), {}, {}}};
  if (fit.known) rows[0][2] = FourDigits(fit.constants[0]);
  for (size_t f = 0; f < model.features.size(); ++f) {
    for (size_t cell = 0; cell < model.features[f].Cells(); ++cell) {
      CellRow row = {model.features[f].name, model.features[f].LabelOf(cell), {}};
      if (fit.known) row[2] = FourDigits(fit.weights[0][f][cell]);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<CellRow> TreeRows(const learn::CellModel& model) {
  std::vector<CellRow> rows;
  const size_t shown = model.target.Cells() == 2 ? 1 : 0;
  for (const learn::CellLeaf& leaf : learn::LeavesOf(model)) {
    CellRow row = {static_cast<int64_t>(leaf.tree + 1), leaf.condition, {}, {}};
    if (learn::IsOfTwo(model.task)) {
      row[2] = FourDigits(leaf.values[0]);
      row.pop_back();
    } else {
      const size_t likeliest = learn::ClassOf(model.task, leaf.values);
      row[2] = model.target.LabelOf(likeliest);
      row[3] = FourDigits(leaf.values[shown == 1 ? 1 : likeliest]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<plan::OutputColumn> ColumnsOfCells(learn::CellTask task) {
  constexpr TypeKind kText = TypeKind::kText;
  constexpr TypeKind kDouble = TypeKind::kDouble;
  switch (task) {
    case learn::CellTask::kNaiveBayes:
      return {NamedCellColumn("term", kText), NamedCellColumn("bin", kText),
              NamedCellColumn("class", kText), NamedCellColumn("share", kDouble),
              NamedCellColumn("se_noise", kDouble)};
    case learn::CellTask::kSvm:
    case learn::CellTask::kLogistic:
      return {NamedCellColumn("term", kText), NamedCellColumn("bin", kText),
              NamedCellColumn("weight", kDouble)};
    case learn::CellTask::kTree:
      return {NamedCellColumn("tree", TypeKind::kBigint), NamedCellColumn("condition", kText),
              NamedCellColumn("class", kText), NamedCellColumn("share", kDouble)};
    case learn::CellTask::kBoost:
      return {NamedCellColumn("tree", TypeKind::kBigint), NamedCellColumn("condition", kText),
              NamedCellColumn("weight", kDouble)};
  }
  return {};
}

std::vector<CellRow> RowsOfCells(const learn::CellModel& model) {
  if (model.task == learn::CellTask::kNaiveBayes) return BayesRows(model);
  if (model.task == learn::CellTask::kSvm || model.task == learn::CellTask::kLogistic) {
    return MarginRows(model);
  }
  return TreeRows(model);
}

std::vector<CellRow> RowsOfScore(const learn::CellModel& model) {
  const std::vector<plan::OutputColumn> columns = ColumnsOfCells(model.task);
  const std::optional<learn::Accuracy> accuracy =
      model.fit.score ? learn::AccuracyOf(*model.fit.score) : std::nullopt;
  std::vector<CellRow> rows;
  const auto add = [&](const char* what, std::optional<double> value, std::optional<double> noise) {
    CellRow row(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string& name = columns[i].name;
      if (name == "term") row[i] = std::string("(holdout)");
      if (name == "bin") row[i] = std::string(what);
      if (name == "condition") row[i] = std::string("(holdout) ") + what;
      if ((name == "weight" || name == "share") && value) row[i] = FourDigits(*value);
      if (name == "se_noise" && noise) row[i] = FourDigits(*noise);
    }
    rows.push_back(std::move(row));
  };
  if (!accuracy) {
    for (const char* what : {"rows", "right", "commonest class"}) add(what, {}, {});
    return rows;
  }
  add("rows", std::round(accuracy->rows), {});
  add("right", accuracy->right, accuracy->se_noise);
  add("commonest class", accuracy->commonest, {});
  return rows;
}

std::vector<std::string> NoticesOfCells(learn::CellTask task) {
  switch (task) {
    case learn::CellTask::kNaiveBayes:
      return {
          "share is how much of a class is in the bin; a row's class is the one whose shares, of "
          "the class and of the row's bins, have the largest product"};
    case learn::CellTask::kSvm:
      return {
          "a row's margin is the constant and the weights of its bins, added up: above zero it "
          "is of the second class"};
    case learn::CellTask::kLogistic:
      return {
          "a row's log-odds are the constant and the weights of its bins, added up; the noise "
          "of so many steps has no honest error of each weight"};
    case learn::CellTask::kTree:
      return {
          "share is of the second class among the rows that meet the condition, and where "
          "there are more than two classes of the one that is named"};
    case learn::CellTask::kBoost:
      return {"a row's log-odds are the weights of the conditions that it meets, added up"};
  }
  return {};
}

}  // namespace tacit::gateway::learning
