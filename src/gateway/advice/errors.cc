#include <cstdio>

#include "analysis/analyze.h"
#include "gateway/advice/advice.h"
#include "plan/compile.h"
#include "sql/parse.h"

namespace tacit::gateway {
namespace {

// Three digits that count, and no powers of ten where people read thousands.
std::string Shown(const Rational& number) {
  const double value = number.get_d();
  char text[40];
  std::snprintf(text, sizeof text, value >= 1000 && value < 1e9 ? "%.0f" : "%.3g", value);
  return text;
}

// Of every column that has one, with its condition.
std::string ErrorText(const plan::PrivatePlan& plan) {
  std::string text;
  for (const plan::OutputColumn& column : plan.columns) {
    if (!column.error) continue;
    text += (text.empty() ? "" : ", ") + column.name + " " + Shown(column.error->moe95) +
            (column.error->in_rows ? " ranks" : "") +
            (column.error->condition.empty() ? "" : " " + column.error->condition);
  }
  return text.empty() ? "no number with an error of its own" : text;
}

class Trials {
 public:
  Trials(const sql::Query& query, const policy::Schema& schema) : query_(query), schema_(schema) {}

  std::string ErrorUnder(const policy::Policy& policy, const plan::Wish& wish) const {
    const Result<analysis::Facts> facts = analysis::Analyze(query_, policy, schema_);
    if (!facts.ok()) return "refused: " + facts.error().public_message;
    const Result<plan::PrivatePlan> plan = plan::Compile(*facts, policy.privacy, wish);
    if (!plan.ok()) return "refused: " + plan.error().public_message;
    return ErrorText(*plan);
  }

 private:
  const sql::Query& query_;
  const policy::Schema& schema_;
};

void TryPrices(const Trials& trials, const policy::Policy& policy, const std::string& as_it_is,
               std::vector<WhatIf>& all) {
  const Rational& usual = policy.privacy.query.epsilon.value;
  for (const Rational& factor : {Rational(1, 10), Rational(1, 2), Rational(2), Rational(10)}) {
    Rational epsilon = usual * factor;
    if (epsilon > policy.privacy.query.epsilon_max.value) continue;
    plan::Wish wish;
    wish.epsilon = CheckedEpsilon(epsilon).value();
    const std::string error = trials.ErrorUnder(policy, wish);
    if (error == as_it_is) continue;  // refused for another reason
    all.push_back({"epsilon " + ToString(epsilon) + " (usual " + ToString(usual) + ")", error});
  }
}

void TryCaps(const Trials& trials, const policy::Policy& policy, const std::string& as_it_is,
             std::vector<WhatIf>& all) {
  for (size_t i = 0; i < policy.tables.size(); ++i) {
    if (!policy.tables[i].IsCapped()) continue;
    for (const int64_t cap : {1, 2, 5, 10, 20, 50, 100}) {
      policy::Policy other = policy;
      policy::Table& table = other.tables[i];
      if (table.rows_per_unit == cap) continue;
      const std::string declared = std::to_string(table.rows_per_unit);
      table.rows_per_unit = cap;
      table.groups_per_unit = std::min(table.groups_per_unit, cap);
      table.rows_per_group = std::min(table.rows_per_group, cap);
      const std::string error = trials.ErrorUnder(other, {});
      if (error == as_it_is) continue;
      all.push_back(
          {table.name + ".rows_per_unit " + std::to_string(cap) + " (declared " + declared + ")",
           error});
    }
  }
}

void TryBounds(const Trials& trials, const policy::Policy& policy, const std::string& as_it_is,
               std::vector<WhatIf>& all) {
  for (size_t i = 0; i < policy.tables.size(); ++i) {
    for (size_t j = 0; j < policy.tables[i].columns.size(); ++j) {
      const policy::Column& column = policy.tables[i].columns[j];
      if (!column.bounds || column.step) continue;
      for (const Rational& factor : {Rational(1, 10), Rational(1, 2), Rational(2), Rational(10)}) {
        policy::Policy other = policy;
        policy::Bounds& bounds = *other.tables[i].columns[j].bounds;
        bounds = {.low = bounds.low * factor, .high = bounds.high * factor};
        const std::string error = trials.ErrorUnder(other, {});
        if (error == as_it_is) continue;
        all.push_back({policy.tables[i].name + "." + column.name + " bounds [" +
                           ToString(bounds.low) + ", " + ToString(bounds.high) + "] (declared [" +
                           ToString(column.bounds->low) + ", " + ToString(column.bounds->high) +
                           "])",
                       error});
      }
    }
  }
}

}  // namespace

Result<std::vector<WhatIf>> ErrorsOf(const std::string& question, const policy::Policy& policy,
                                     const policy::Schema& schema) {
  TACIT_TRY(const sql::Statement statement, sql::Parse(question));
  const Trials trials(statement.query, schema);
  std::vector<WhatIf> all = {{"", trials.ErrorUnder(policy, {})}};
  const std::string as_it_is = all[0].error;
  TryPrices(trials, policy, as_it_is, all);
  TryCaps(trials, policy, as_it_is, all);
  TryBounds(trials, policy, as_it_is, all);
  return all;
}

}  // namespace tacit::gateway
