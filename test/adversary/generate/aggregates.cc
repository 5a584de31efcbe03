#include "generator.h"

namespace tacit::adversary {

std::string Generator::Filter(const Columns& scope) {
  features_.Use("FILTER");
  return " FILTER (WHERE " + Condition(scope, 1) + ")";
}

std::string Generator::Aggregate(const Columns& scope, Column* made) {
  made->kind = Kind::kReal;
  const std::string filter = c_.OneIn(6) ? Filter(scope) : "";
  const auto of = [&](const std::string& name) { return name + "(" + Bounded(scope, 2) + ")"; };
  switch (c_.Weighted({6, 3, 3, 2, 4, 3, 3, 2, 3, 2, 2})) {
    case 0:
      features_.Use("count(*)");
      made->kind = Kind::kInt;
      return "count(*)" + filter;
    case 1:
      features_.Use("count(x)");
      made->kind = Kind::kInt;
      return "count(" + Expression(AnyKind(), scope, 2) + ")" + filter;
    case 2:
      features_.Use("count distinct");
      made->kind = Kind::kInt;
      for (const Column& column : scope) {  // what may be done with hidden ones
        if (!column.hidden || !c_.OneIn(8)) continue;
        counts_hidden_ = true;
        return "count(DISTINCT " + column.Sql() + ")" + filter;
      }
      return "count(DISTINCT " + Expression(AnyKind(), scope, 2) + ")" + filter;
    case 3:
      features_.Use("count people");
      made->kind = Kind::kInt;
      for (const Column& column : scope) {
        if (column.unit != 0) return "count(DISTINCT " + column.Sql() + ")" + filter;
      }
      return "count(*)" + filter;
    case 4:
      features_.Use("sum");
      return of("sum") + filter;
    case 5:
      features_.Use("avg");
      return of("avg") + filter;
    case 6:
      if (c_.OneIn(4)) {
        features_.Use("extreme of dates");
        made->kind = c_.OneIn(2) ? Kind::kDate : Kind::kTime;
        const bool date = made->kind == Kind::kDate;
        const std::string low = date ? "DATE '2020-01-01'" : "TIMESTAMP '2020-01-01 10:00:00'";
        const std::string high = date ? "DATE '2029-12-31'" : "TIMESTAMP '2029-12-31 00:00:00'";
        const std::string of_time =
            "least(greatest(" + Expression(made->kind, scope, 1) + ", " + low + "), " + high + ")";
        return (c_.OneIn(2) ? "max(" + of_time + ")"
                            : "percentile_disc(0.5) WITHIN GROUP (ORDER BY " + of_time + ")") +
               filter;
      }
      features_.Use(c_.OneIn(2) ? "max" : "min");
      return of(c_.OneIn(2) ? "max" : "min") + filter;
    case 7: {
      features_.Use("variance");
      static const std::vector<std::string> names = {"var_pop",    "var_samp",    "variance",
                                                     "stddev_pop", "stddev_samp", "stddev"};
      return of(c_.Of(names)) + filter;
    }
    case 8: {
      features_.Use("percentile");
      static const std::vector<std::string> heads = {"percentile_cont(0.5)", "percentile_disc(0.5)",
                                                     "percentile_cont(0)", "percentile_disc(1)",
                                                     "(percentile_cont(ARRAY[0.25, 0.75])"};
      const std::string head = c_.Of(heads);
      const bool array = head.front() == '(';
      if (array) features_.Use("array of percentiles");
      return head + " WITHIN GROUP (ORDER BY " + Bounded(scope, 2) + ")" + filter +
             (array ? ")[2]" : "");
    }
    case 9: {
      Columns keyed;
      for (const Column& column : scope) {
        if (column.keyed && column.unit == 0) keyed.push_back(column);
      }
      if (keyed.empty()) return "count(*)" + filter;
      features_.Use("mode");
      const Column& column = c_.Of(keyed);
      made->kind = column.kind;
      return "mode() WITHIN GROUP (ORDER BY " + column.Sql() + ")" + filter;
    }
    default: {
      features_.Use("regression");
      static const std::vector<std::string> names = {
          "corr",       "covar_pop", "covar_samp", "regr_slope", "regr_intercept", "regr_r2",
          "regr_count", "regr_avgx", "regr_avgy",  "regr_sxx",   "regr_sxy",       "regr_syy"};
      return c_.Of(names) + "(" + Bounded(scope, 1) + ", " + Bounded(scope, 1) + ")" + filter;
    }
  }
}

std::string Generator::CaseOfLiterals(const Columns& scope) {
  switch (c_.Below(3)) {
    case 0:
      return "CASE WHEN " + Condition(scope, 2) + " THEN 'yes' WHEN " + Condition(scope, 1) +
             " THEN 'maybe' ELSE 'no' END";
    case 1:
      return "CASE WHEN " + Condition(scope, 2) + " THEN 1 ELSE 0 END";
    default:
      return "CASE WHEN " + Condition(scope, 2) + " THEN true ELSE false END";
  }
}

std::string Generator::GroupKey(const Columns& scope, Column* made) {
  Columns keyed;
  for (const Column& column : scope) {
    if (column.keyed && column.unit == 0) keyed.push_back(column);
  }
  const size_t way = c_.Weighted({5, 3, 5, 4, 1});
  if (way == 0 && !keyed.empty()) {
    const Column& column = c_.Of(keyed);
    *made = column;
    features_.Use(column.kind == Kind::kDate   ? "key months"
                  : column.kind == Kind::kBool ? "key truth values"
                  : column.kind == Kind::kInt  ? "key range"
                                               : "key list");
    if (column.kind == Kind::kDate && c_.OneIn(2)) {
      features_.Use("key expression");
      made->kind = Kind::kTime;
      return "date_trunc('month', " + column.Sql() + ")";
    }
    if (column.kind == Kind::kInt && c_.OneIn(4)) {
      features_.Use("key expression");
      return "(" + column.Sql() + " / 2)";
    }
    return column.Sql();
  }
  if (way == 1) {
    features_.Use("key CASE of literals");
    made->kind = Kind::kText;
    return CaseOfLiterals(scope);
  }
  if (way == 4 && c_.OneIn(2)) {
    features_.Use("key literal");
    made->kind = Kind::kText;
    return "'all'";
  }
  // A private key makes everything visible that a person does to others' rows.
  if (way == 2) {
    // Of what was computed last: it stands at the end.
    const size_t last =
        scope.size() - 1 - c_.Below(static_cast<uint32_t>(std::min<size_t>(scope.size(), 4)));
    const Column& column = scope[last];
    if (column.unit == 0 && !column.hidden && column.kind != Kind::kOther) {
      features_.Use("key private column");
      *made = column;
      return column.Sql();
    }
  }
  if (const Column* column = AnyColumn(scope); column != nullptr && c_.Below(2) == 0) {
    features_.Use("key private column");
    if (column->hidden && column->unit == 0) uses_hidden_ = true;
    *made = *column;
    return column->Sql();
  }
  features_.Use("key private expression");
  made->kind = AnyKind();
  if (c_.OneIn(6)) {
    made->kind = c_.OneIn(2) ? Kind::kZoned : Kind::kUuid;
  }
  return Expression(made->kind, scope, 2);
}

}  // namespace tacit::adversary
