#include "analysis/aggregates/rules.h"
#include "analysis/blocks/keys/public_keys.h"
#include "analysis/expressions/columns.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/print/canonical/canonical.h"

// mode() WITHIN GROUP (ORDER BY k): one of the declared keys of k is chosen. See mode.md.
namespace tacit::analysis {
namespace {

// Why 10,000: every group carries one count for each value.
constexpr int64_t kValuesMax = 10'000;

Error WithoutValues(const GroupedQuery& grouped, const std::string& written,
                    sql::Position position) {
  return Refuse(rules::kAggregateWithoutRule, position,
                "mode() chooses among declared keys, and " + written + " has none in the policy",
                "ask for the largest group: SELECT " + written + ", " +
                    ExampleCount(grouped.input.rows).substr(std::string_view("SELECT ").size()) +
                    " GROUP BY " + written + " ORDER BY 2 DESC LIMIT 1");
}

}  // namespace

// proof: analysis/aggregates/choices/mode.md#claim
Result<ReleasedColumn> ReleaseMode(GroupedQuery& grouped, const sql::AggregateCall& call,
                                   sql::Position position) {
  if (call.order_by.size() != 1 || !call.arguments.empty() || call.distinct) {
    return Refuse(rules::kWrongType, position, "mode takes one column to order by",
                  "mode() WITHIN GROUP (ORDER BY sex)");
  }
  ExactMeasure measure;
  measure.kind = MeasureKind::kMode;
  TACIT_TRY(measure.argument, ArgumentOf(grouped, call.order_by[0].expression));
  TACIT_TRY(measure.filter, FilterOf(grouped, call));
  TACIT_TRY(const Inferred inferred, InferArgument(grouped, measure.argument, measure.filter));
  measure.type = inferred.type;
  const std::string written = sql::PrintCanonical(call.order_by[0].expression);
  TACIT_TRY(const std::vector<KeySource> sources, PublicSourcesOf(grouped.known, measure.argument));
  if (BareColumn(measure.argument) == nullptr || sources.size() != 1) {
    return WithoutValues(grouped, written, position);
  }
  const std::optional<int64_t> count = policy::CountOf(sources[0].keys);
  if (!count || *count > kValuesMax) return WithoutValues(grouped, written, position);
  measure.values = policy::ExpandKeys(sources[0].keys);
  std::erase_if(measure.values, [](const policy::KeyValue& value) {
    return value.kind == policy::KeyValue::Kind::kNull;  // a mode ignores it, as every aggregate
  });
  ReleasedColumn column;
  column.type = measure.type;
  column.value = ModeColumn{AddMeasure(grouped, std::move(measure))};
  return column;
}

}  // namespace tacit::analysis
