#include "learn/cells/cell_page.h"

#include <algorithm>
#include <cmath>

#include "learn/linear/linear.h"
#include "learn/model/page_parts.h"

namespace tacit::learn {
namespace {

// What a cell says by the weights of the outputs.
CellLine LineOfCell(const CellModel& model, size_t feature, size_t cell, size_t output) {
  const CellFit& fit = model.fit;
  const auto weight = [&](size_t o) { return fit.weights[o][feature][cell]; };
  const auto noise = [&](size_t o) { return fit.noise.empty() ? 0 : fit.noise[o][feature][cell]; };
  CellLine line{.text =
                    model.features[feature].name + ": " + model.features[feature].LabelOf(cell)};
  if (fit.weights.size() == 1) {
    line.value = weight(0);
    line.noise = noise(0);
  } else if (fit.weights.size() == 2) {
    line.value = weight(1) - weight(0);
    line.noise = std::hypot(noise(0), noise(1));
  } else {
    double mean = 0;
    for (size_t o = 0; o < fit.weights.size(); ++o) {
      mean += weight(o) / static_cast<double>(fit.weights.size());
    }
    line.text += ", " + model.target.LabelOf(output);
    line.value = weight(output) - mean;
    line.noise = noise(output);
  }
  return line;
}

// "age: 17 to 30", or the values one by one.
std::string CellsText(const CellColumn& feature, const std::vector<bool>& in) {
  std::string text;
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i]) continue;
    size_t last = i;
    while (feature.IsOrdered() && last + 1 < in.size() && in[last + 1]) ++last;
    const std::string begin = feature.LabelOf(i);
    const std::string end = feature.LabelOf(last);
    const std::string range =
        last == i
            ? begin
            : begin.substr(0, begin.find(" to ")) + " to " +
                  (end.find(" to ") == std::string::npos ? end : end.substr(end.find(" to ") + 4));
    text += (text.empty() ? "" : ", ") + range;
    i = last;
  }
  return text;
}

// Of each feature, the cells that a row may still have.
using CellsLeft = std::vector<std::vector<bool>>;

std::string ConditionOf(const CellModel& model, const CellsLeft& left) {
  std::string text;
  for (size_t f = 0; f < left.size(); ++f) {
    if (std::find(left[f].begin(), left[f].end(), false) == left[f].end()) continue;
    const std::string cells = CellsText(model.features[f], left[f]);
    text += (text.empty() ? "" : "; ") + model.features[f].name + ": " +
            (cells.empty() ? "nothing" : cells);
  }
  return text.empty() ? "all rows" : text;
}

void AddLeaves(const CellModel& model, size_t tree, size_t at, const CellsLeft& left,
               std::vector<CellLeaf>& leaves) {
  const CellNode& node = model.fit.trees[tree].nodes[at];
  if (!node.feature) {
    leaves.push_back({.tree = tree, .condition = ConditionOf(model, left), .values = node.values});
    return;
  }
  for (const bool right : {false, true}) {
    CellsLeft side = left;
    std::vector<bool>& cells = side[*node.feature];
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = cells[i] && node.goes_right[i] == right;
    AddLeaves(model, tree, right ? node.right : node.left, side, leaves);
  }
}

// How much the trees move a margin by each feature that they ask, about.
std::vector<CellLine> LinesOfBoost(const CellModel& model) {
  std::vector<CellLine> lines;
  for (const CellColumn& feature : model.features) {
    lines.push_back({.text = feature.name, .value = 0});
  }
  for (const CellTree& tree : model.fit.trees) {
    double low = 0;
    double high = 0;
    size_t asked = 0;
    for (const CellNode& node : tree.nodes) {
      asked += node.feature ? 1 : 0;
      if (node.feature) continue;
      low = std::min(low, node.values[0]);
      high = std::max(high, node.values[0]);
    }
    for (const CellNode& node : tree.nodes) {
      if (node.feature) lines[*node.feature].value += (high - low) / static_cast<double>(asked);
    }
  }
  std::sort(lines.begin(), lines.end(),
            [](const CellLine& a, const CellLine& b) { return a.value > b.value; });
  return lines;
}

// How much likelier than the others the likeliest class is; of two, the second than the first.
std::vector<CellLine> LinesOfTree(const CellModel& model) {
  std::vector<CellLine> lines;
  for (const CellLeaf& leaf : LeavesOf(model)) {
    const size_t likeliest = ClassOf(model.task, leaf.values);
    if (leaf.values.size() == 2) {
      lines.push_back({.text = leaf.condition, .value = leaf.values[1] - leaf.values[0]});
    } else {
      lines.push_back({.text = leaf.condition + ", " + model.target.LabelOf(likeliest),
                       .value = 2 * leaf.values[likeliest] - 1});
    }
  }
  return lines;
}

std::string CellPicture(const std::vector<CellLine>& lines) {
  constexpr double kFrom = 330;
  constexpr double kTo = 750;
  constexpr double kStep = 22;
  double most = 0;
  for (const CellLine& line : lines) {
    most = std::max(most, std::abs(line.value) + kNormalAt95 * line.noise);
  }
  const double scale = most > 0 ? (kTo - kFrom) / 2 / most : 0;
  const double middle = (kFrom + kTo) / 2;
  const double height = kStep * static_cast<double>(lines.size()) + 30;
  std::string svg = "<svg viewBox=\"0 0 850 " + Number(height) +
                    "\" role=\"img\" aria-label=\"what each cell says\">\n<line x1=\"" +
                    Number(middle) + "\" x2=\"" + Number(middle) + "\" y1=\"4\" y2=\"" +
                    Number(height - 24) + "\" stroke=\"#9aa7b1\" stroke-dasharray=\"3 4\"/>\n";
  double y = kStep / 2 + 4;
  for (const CellLine& line : lines) {
    const double x = middle + line.value * scale;
    const double open = kNormalAt95 * line.noise * scale;
    svg += TextAt(kFrom - 10, y + 5, "end", line.text);
    svg += Line(std::min(middle, x), std::max(middle, x), y, "#c9d3d1", 12);
    if (open > 0) svg += Line(x - open, x + open, y, "#1f6f6b", 4);
    svg += "<circle cx=\"" + Number(x) + "\" cy=\"" + Number(y) + "\" r=\"4\" fill=\"#0f3d3b\"/>\n";
    svg += TextAt(kTo + 12, y + 5, "start", Number(line.value));
    y += kStep;
  }
  svg += TextAt(middle, height - 6, "middle", "0");
  return svg + "</svg>\n";
}

std::string ScoreFacts(const CellFit& fit) {
  const std::optional<Accuracy> accuracy = fit.score ? AccuracyOf(*fit.score) : std::nullopt;
  if (!accuracy) return "";
  const double open = kNormalAt95 * std::hypot(accuracy->se_noise, accuracy->se_sample);
  const auto percent = [](double share) { return Number(std::round(1000 * share) / 10); };
  return Fact(percent(accuracy->right) + " % \u00b1 " + percent(open),
              "right, of about " + Number(std::round(accuracy->rows)) + " rows held out") +
         Fact(percent(accuracy->commonest) + " %", "right by always saying the commonest class");
}

std::string ClassesOf(const CellModel& model) {
  if (model.task == CellTask::kBoost) {
    return "how much the trees move the log-odds by each feature that they ask, about";
  }
  if (model.target.Cells() != 2) {
    return "a bar to the right speaks for the class that it names, against the mean of all";
  }
  return "a bar to the right speaks for " + model.target.name + " = " + model.target.LabelOf(1) +
         ", one to the left for " + model.target.LabelOf(0);
}

}  // namespace

std::vector<CellLeaf> LeavesOf(const CellModel& model) {
  std::vector<CellLeaf> leaves;
  CellsLeft all;
  for (const CellColumn& feature : model.features) all.emplace_back(feature.Cells(), true);
  for (size_t t = 0; t < model.fit.trees.size(); ++t) AddLeaves(model, t, 0, all, leaves);
  return leaves;
}

std::vector<CellLine> LinesOf(const CellModel& model) {
  if (model.task == CellTask::kBoost) return LinesOfBoost(model);
  if (model.task == CellTask::kTree) return LinesOfTree(model);
  std::vector<CellLine> lines;
  const size_t outputs = model.fit.weights.size() > 2 ? model.fit.weights.size() : 1;
  for (size_t f = 0; f < model.features.size() && !model.fit.weights.empty(); ++f) {
    for (size_t cell = 0; cell < model.features[f].Cells(); ++cell) {
      for (size_t o = 0; o < outputs; ++o) lines.push_back(LineOfCell(model, f, cell, o));
    }
  }
  return lines;
}

std::string ModelPage(const CellModel& model) {
  std::string html = PageBegin(model.target.name, TitleOf(model.task), model.rows);
  html += "<div class=\"facts\">\n" + Fact(Number(std::max(model.fit.rows, 0.0)), "rows, about") +
          Fact(model.privacy.epsilon, "epsilon");
  for (size_t c = 0; c < model.fit.class_rows.size() && c < 4; ++c) {
    html += Fact(Number(std::max(model.fit.class_rows[c], 0.0)),
                 model.target.name + " = " + model.target.LabelOf(c) + ", about");
  }
  html += ScoreFacts(model.fit) + "</div>\n<h2>What each cell says</h2>\n<p class=\"note\">" +
          Safe(ClassesOf(model)) + ".";
  if (!model.fit.noise.empty()) {
    html +=
        " The dark line is what the noise leaves open: it holds what these very people would "
        "give without noise in 95 % of models.";
  }
  return html + "</p>\n<div class=\"card\">\n" + CellPicture(LinesOf(model)) + "</div>\n" +
         PageEnd(model.privacy);
}

}  // namespace tacit::learn
