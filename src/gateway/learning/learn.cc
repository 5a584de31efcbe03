#include "gateway/learning/learn.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "answer/assemble.h"
#include "answer/format/numbers.h"
#include "gateway/learning/classify.h"
#include "gateway/learning/kmeans.h"
#include "gateway/learning/measure.h"
#include "gateway/learning/model_privacy.h"
#include "gateway/learning/roles.h"
#include "gateway/learning/statistics/statistic.h"
#include "learn/summary.h"

namespace tacit::gateway::learning {
namespace {

// What every task is asked with.
struct Task {
  RowsToLearn rows;
  std::vector<learn::Column> columns;
  size_t target = 0;                  // of linear_regression, an index of `columns`
  std::vector<size_t> features = {};  // likewise: the others, unless they are named
};

Result<Done> CheckOptions(const sql::LearnCall& call) {
  const bool line = call.task == "linear_regression";
  for (const auto& [option, value] : call.options) {
    if (line && (option == "target" || option == "features")) continue;
    return WrongOption("tacit." + call.task + " has no option " + option,
                       line ? "it has target and features" : "it takes the rows alone");
  }
  return Done{};
}

Result<Task> ReadTask(const sql::LearnCall& call, const Request& request,
                      const Services& services) {
  TACIT_CHECK(CheckOptions(call));
  if (request.wish.error) {
    return WrongOption("a model is asked for at a price, not at an error",
                       "SET tacit.epsilon = 0.5, or RESET tacit.error; EXPLAIN says how far a "
                       "price would be off");
  }
  Task task;
  TACIT_TRY(task.rows, ReadRows(call.rows, services));
  Roles roles;
  if (call.task == "linear_regression") {
    TACIT_TRY(roles, ReadRoles(call, task.rows));
    const std::string& target = task.rows.shape[roles.target].name;
    if (task.rows.shape[roles.target].type.kind == TypeKind::kText) {
      return WrongOption(target + " is text, and a line explains a number or a boolean",
                         "make it one: " + target + " = 'value' AS is_value");
    }
  }
  TACIT_TRY(task.columns, RangesOf(task.rows, request, services));
  for (size_t i = 0; i < task.columns.size(); ++i) {
    TACIT_TRY(const size_t source, ColumnNamed(task.columns[i].Source(), task.rows));
    if (source == roles.target) task.target = i;
    if (roles.features.contains(source)) task.features.push_back(i);
  }
  return task;
}

plan::OutputColumn ColumnCalled(const char* name, TypeKind kind) {
  return plan::OutputColumn{
      .name = name, .type = ValueType{.kind = kind}, .is_array = false, .error = std::nullopt};
}

using Cells = std::vector<engine::Value>;

std::string TermOf(const learn::LinearModel& model, size_t i) {
  return i == 0 ? "(constant)" : model.features[i - 1].name;
}

// As many digits as the error supports: two of its own.
double SupportedBy(double error, double value) {
  if (!std::isfinite(value) || !std::isfinite(error) || error <= 0) return value;
  const int places = 1 - static_cast<int>(std::floor(std::log10(error)));
  if (places <= 0) {
    const double step = std::pow(10.0, -places);
    return std::round(value / step) * step;
  }
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", std::min(places, 60), value);
  return std::strtod(text, nullptr);
}

std::string Rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}
engine::Value ThreeDigits(double number) { return std::strtod(Rounded(number).c_str(), nullptr); }

std::vector<Cells> RowsOfLine(const learn::LinearModel& model) {
  std::vector<Cells> rows;
  const learn::LinearFit& fit = model.fit;
  for (size_t i = 0; i <= model.features.size(); ++i) {
    Cells row(6);
    row[0] = TermOf(model, i);
    if (fit.trust == learn::Trust::kRidge) row[1] = fit.coefficients[i];
    if (fit.trust == learn::Trust::kFull) {
      const double value = fit.coefficients[i];
      const double margin = learn::MarginOf(fit, i);
      row[1] = SupportedBy(margin, value);
      row[2] = ThreeDigits(learn::NoiseError(fit, i));
      row[3] = ThreeDigits(learn::SamplingError(fit, i));
      row[4] = SupportedBy(margin, value - margin);
      row[5] = SupportedBy(margin, value + margin);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// The same whatever was released.
std::vector<std::string> NoticesOfLine(const Task& task) {
  std::vector<std::string> notices = {
      "low and high hold the noise and the luck of who is in the data, in 95 % of such fits. "
      "Where they are empty, the noise hides too much for an honest interval, and coefficients "
      "are drawn towards zero: a higher epsilon, fewer columns or tighter bounds show more"};
  std::set<std::string> compared;
  for (const size_t feature : task.features) {
    const learn::Column& column = task.columns[feature];
    if (!column.of.empty()) compared.insert(column.of + " is compared with " + column.reference);
  }
  notices.insert(notices.end(), compared.begin(), compared.end());
  if (task.rows.rows_per_person > 1) {
    notices.push_back(
        "a person may have several rows: se_sample takes them for different people's, and is too "
        "small where one person's rows are alike");
  }
  return notices;
}

// The number and its noise, where there are rows to speak of.
void AddNumber(const learn::Estimate& estimate, bool known, Cells& row) {
  if (!known) {
    row.resize(row.size() + 2);
    return;
  }
  row.emplace_back(SupportedBy(estimate.noise, estimate.value));
  row.push_back(ThreeDigits(estimate.noise));
}

std::vector<Cells> RowsOfMoments(const learn::Moments& moments) {
  const std::vector<learn::Column>& columns = moments.columns;
  const bool known = learn::HasRows(moments);
  std::vector<Cells> rows;
  const auto add = [&](engine::Value a, engine::Value b, const char* moment,
                       const learn::Estimate& estimate) {
    Cells row = {std::move(a), std::move(b), engine::Value(std::string(moment))};
    AddNumber(estimate, known || rows.empty(), row);
    rows.push_back(std::move(row));
  };
  add({}, {}, "rows", learn::RowsOf(moments));
  for (size_t i = 0; i < columns.size(); ++i) {
    add(columns[i].name, {}, "mean", known ? learn::MeanOf(moments, i) : learn::Estimate{});
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t j = i; j < columns.size(); ++j) {
      add(columns[i].name, columns[j].name, "covariance",
          known ? learn::CovarianceOf(moments, i, j) : learn::Estimate{});
    }
  }
  return rows;
}

std::vector<Cells> RowsOfComponents(const learn::Moments& moments) {
  std::vector<learn::Component> components(moments.columns.size());
  const bool known = learn::HasRows(moments);
  if (known) components = learn::ComponentsOf(moments);
  std::vector<Cells> rows;
  int64_t number = 0;
  for (const learn::Component& component : components) {
    ++number;
    for (size_t i = 0; i < moments.columns.size(); ++i) {
      Cells row = {engine::Value(number), engine::Value(moments.columns[i].name)};
      row.resize(5);
      if (known) {
        row[2] = ThreeDigits(component.weights[i]);
        row[3] = ThreeDigits(component.share);
        row[4] = component.above_noise;
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

learn::LinearModel ModelOf(const Task& task, const sql::LearnCall& call, const Measured& measured,
                           const policy::Policy& policy) {
  learn::LinearModel model{.rows = call.rows,
                           .target = task.columns[task.target],
                           .features = {},
                           .fit = learn::FitLinear(measured.moments, task.target, task.features),
                           .privacy = {}};
  for (const size_t feature : task.features) model.features.push_back(task.columns[feature]);
  model.privacy =
      ModelPrivacyOf(measured.promises, measured.epsilon, measured.answer.privacy.receipt, policy);
  return model;
}

// The people for whom EXPLAIN says how far a model would be off: as many as pairs.md's, and more,
// because models are made of more people than a number is.
constexpr double kPeopleAssumed[] = {1000, 100'000};

// The lines that EXPLAIN adds to what it says of the release.
std::vector<std::string> ErrorLines(const Task& task, const Quoted& quoted) {
  std::vector<std::string> lines = {
      "noise of the coefficients, one deviation, if the columns are spread evenly over their "
      "ranges:"};
  for (const double people : kPeopleAssumed) {
    const learn::LinearFit fit =
        learn::FitLinear(EvenMoments(task.columns, people, quoted), task.target, task.features);
    std::string line = "of " + std::to_string(std::llround(people)) + " rows: ";
    if (fit.trust != learn::Trust::kFull) {
      lines.push_back(line + "too much for intervals");
      continue;
    }
    for (size_t i = 0; i < task.features.size(); ++i) {
      line += (i == 0 ? "" : ", ") + task.columns[task.features[i]].name + " " +
              Rounded(learn::NoiseError(fit, i + 1));
    }
    lines.push_back(std::move(line));
  }
  lines.push_back("one release of " + std::to_string(quoted.variances.size()) +
                  " numbers; whoever has paid for it gets every model of these columns free");
  return lines;
}

}  // namespace

std::vector<plan::OutputColumn> LearnedColumns(const std::string& task) {
  if (const auto cells = learn::CellTaskNamed(task)) return ColumnsOfCells(*cells);
  if (task == kKmeansTask) return ColumnsOfCentres();
  if (const Statistic* statistic = StatisticOf(task)) return statistic->columns();
  constexpr TypeKind kText = TypeKind::kText;
  constexpr TypeKind kDouble = TypeKind::kDouble;
  if (task == "moments") {
    return {ColumnCalled("a", kText), ColumnCalled("b", kText), ColumnCalled("moment", kText),
            ColumnCalled("value", kDouble), ColumnCalled("se_noise", kDouble)};
  }
  if (task == "pca") {
    return {ColumnCalled("component", TypeKind::kInteger), ColumnCalled("term", kText),
            ColumnCalled("weight", kDouble), ColumnCalled("share", kDouble),
            ColumnCalled("above_noise", TypeKind::kBoolean)};
  }
  return {ColumnCalled("term", kText),       ColumnCalled("estimate", kDouble),
          ColumnCalled("se_noise", kDouble), ColumnCalled("se_sample", kDouble),
          ColumnCalled("low", kDouble),      ColumnCalled("high", kDouble)};
}

Result<LearnedLine> LearnLine(const sql::LearnCall& call, const Request& request,
                              Services& services) {
  TACIT_TRY(const Task task, ReadTask(call, request, services));
  TACIT_TRY(const Measured measured, MeasureMoments(task.columns, task.rows, request, services));
  LearnedLine line{.model = ModelOf(task, call, measured, services.policy),
                   .privacy = measured.answer.privacy,
                   .notices = {answer::PriceSentence(measured.answer.privacy)}};
  for (std::string& notice : NoticesOfLine(task)) {
    line.notices.push_back(std::move(notice));
  }
  return line;
}

answer::Answer AnswerOf(const LearnedLine& line) {
  answer::Answer answer{.columns = LearnedColumns("linear_regression"),
                        .rows = {},
                        .privacy = line.privacy,
                        .notices = line.notices};
  for (const Cells& row : RowsOfLine(line.model)) answer.rows.push_back(row);
  return answer;
}

Result<answer::Answer> AnswerLearning(const sql::Query& query, const Request& request,
                                      Services& services) {
  TACIT_TRY(const sql::LearnCall call, sql::LearnCallOf(query));
  if (learn::CellTaskNamed(call.task)) {
    TACIT_TRY(const LearnedCells learned, LearnCells(call, request, services));
    return AnswerOf(learned);
  }
  if (call.task == kKmeansTask) {
    TACIT_TRY(const LearnedCentres learned, LearnCentres(call, request, services));
    return AnswerOf(learned);
  }
  if (const Statistic* statistic = StatisticOf(call.task)) {
    return statistic->answer(call, request, services);
  }
  if (call.task == "linear_regression") {
    TACIT_TRY(const LearnedLine line, LearnLine(call, request, services));
    return AnswerOf(line);
  }
  TACIT_TRY(const Task task, ReadTask(call, request, services));
  TACIT_TRY(const Measured measured, MeasureMoments(task.columns, task.rows, request, services));
  answer::Answer answer{.columns = LearnedColumns(call.task),
                        .rows = {},
                        .privacy = measured.answer.privacy,
                        .notices = {answer::PriceSentence(measured.answer.privacy)}};
  const bool moments = call.task == "moments";
  for (const Cells& row :
       moments ? RowsOfMoments(measured.moments) : RowsOfComponents(measured.moments)) {
    answer.rows.push_back(row);
  }
  answer.notices.emplace_back(
      "every other model of these columns is free now: tacit.linear_regression, tacit.pca, "
      "tacit.moments over the same SELECT");
  return answer;
}

Result<answer::Explanation> ExplainLearning(const sql::Query& query, const Request& request,
                                            Services& services) {
  TACIT_TRY(const sql::LearnCall call, sql::LearnCallOf(query));
  if (learn::CellTaskNamed(call.task)) return ExplainLearningCells(call, request, services);
  if (call.task == kKmeansTask) return ExplainLearningCentres(call, request, services);
  if (const Statistic* statistic = StatisticOf(call.task)) {
    return statistic->explain(call, request, services);
  }
  TACIT_TRY(const Task task, ReadTask(call, request, services));
  TACIT_TRY(Quoted quoted, QuoteMoments(task.columns, task.rows, request, services));
  if (call.task == "linear_regression") {
    for (std::string& line : ErrorLines(task, quoted)) {
      quoted.explanation.plan.notices.push_back(std::move(line));
    }
  }
  return std::move(quoted.explanation);
}

}  // namespace tacit::gateway::learning
