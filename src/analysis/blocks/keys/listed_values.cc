#include "analysis/blocks/keys/listed_values.h"

#include "analysis/blocks/add_block.h"
#include "analysis/blocks/keys/keys.h"
#include "analysis/blocks/keys/public_keys.h"
#include "analysis/expressions/columns.h"
#include "analysis/tables_above.h"

namespace tacit::analysis {
namespace {

// A value counts when more people than this many times the noise's 95 % have it: of a thousand
// values that nobody has, about one is counted.
constexpr char kTimesTheError[] = "2";

bool IsCandidate(const GroupedQuery& grouped, const sql::AggregateCall& call) {
  return call.name == "count" && call.distinct && !call.star && call.arguments.size() == 1 &&
         call.order_by.empty() && grouped.block.keys.empty();
}

}  // namespace

// proof: analysis/aggregates/count.md#listed-values
Result<std::optional<Expression>> CountListedValues(GroupedQuery& grouped,
                                                    const sql::AggregateCall& call,
                                                    sql::Position position) {
  const std::optional<Expression> none;
  if (!IsCandidate(grouped, call)) return none;
  TACIT_TRY(const Expression argument, ArgumentOf(grouped, call.arguments[0], Use::kUnitCount));
  const RowColumn* column = BareColumnOf(grouped, argument);
  if (column == nullptr || !column->keys || column->hidden) return none;
  if (NamesUnit(grouped.known, argument) || UsesUnit(grouped.known, argument)) return none;
  const std::optional<int64_t> listed = policy::CountOf(*column->keys);
  const Result<std::vector<KeySource>> sources = PublicSourcesOf(grouped.known, argument);
  if (!listed || !sources.ok() || sources->empty()) return none;

  GroupedQuery people = Group(grouped.known, grouped.input, grouped.environment);
  TACIT_CHECK(AddKey(people, call.arguments[0]));
  TACIT_CHECK(FinishKeys(people));
  ExactMeasure measure;
  measure.kind = grouped.input.rows.unit ? MeasureKind::kUnits : MeasureKind::kRows;
  TACIT_TRY(measure.filter, FilterOf(people, call));
  ReleasedColumn counted;
  counted.name = "c1";
  counted.type = kBigintType;
  counted.text = "people of each " + column->column;
  counted.value = CountColumn{AddMeasure(people, std::move(measure))};
  people.block.released.push_back(std::move(counted));
  people.block.counted_values = column->column;

  const auto released = [](const std::string& name) {
    return MakeExpression(sql::ColumnReference{kReleasedMarker, name});
  };
  const Expression twice = MakeExpression(
      sql::Operator{"*",
                    {MakeExpression(sql::Literal{sql::LiteralKind::kInteger, kTimesTheError, {}}),
                     released(ErrorColumnName("c1"))}});
  Expression enough = MakeExpression(sql::Operator{">", {released("c1"), twice}});
  // NULL on a list is no value.
  Expression known_value = MakeExpression(sql::IsNull{released("k1"), true});
  const size_t index = AddBlock(grouped.known, std::move(people.block), {&enough, &known_value});

  sql::AggregateCall all;
  all.name = "count";
  all.star = true;
  sql::Select select;
  select.items.push_back({MakeExpression(std::move(all), position), "count"});
  select.from.push_back(sql::MakeRelation(
      sql::TableReference{"", grouped.known.facts.blocks[index].name, {}}, position));
  select.where = MakeExpression(sql::Logical{sql::Connective::kAnd, {known_value, enough}});
  sql::QueryNode node;
  node.body = std::move(select);
  return std::optional<Expression>(
      MakeExpression(sql::ScalarQuery{sql::Query(std::move(node))}, position));
}

}  // namespace tacit::analysis
