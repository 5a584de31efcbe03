#include "release/domain/coded_rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "analysis/analyze.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "plan/fingerprint/fingerprint.h"
#include "plan/price/sensitivity.h"
#include "plan/room.h"
#include "plan/tree/from_block.h"
#include "plan/tree/walk.h"

namespace tacit::release {
namespace {

using policy::KeyValue;
using sql::Expression;
using sql::MakeExpression;

// Why 2^30: sums of codes stay within PostgreSQL's integer, whose arithmetic is fastest.
constexpr int64_t kPackedMax = int64_t{1} << 30;

Expression WholeLiteral(int64_t number) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kInteger, std::to_string(number), {}});
}

Expression Compare(const Expression& left, const char* symbol, const Expression& right) {
  return MakeExpression(sql::Operator{symbol, {left, right}});
}

Expression If(const Expression& when, const Expression& then, const Expression& otherwise) {
  return MakeExpression(sql::Case{{}, {{when, then}}, otherwise});
}

Expression NumberLiteral(const Rational& number) {
  const bool whole = number.get_den() == 1 && FitsInt128(number.get_num()) &&
                     abs(number.get_num()) < (Integer(1) << 62);
  return MakeExpression(sql::Literal{
      whole ? sql::LiteralKind::kInteger : sql::LiteralKind::kNumeric, ToString(number), {}});
}

// A code per cell, by halving: x < edges[m] decides between the left and the right half.
Expression ByEdges(const Expression& column, const std::vector<Expression>& edges, size_t first,
                   size_t last, const std::function<Expression(size_t)>& code) {
  if (first == last) return code(first);
  const size_t middle = (first + last + 1) / 2;
  return If(Compare(column, "<", edges[middle]), ByEdges(column, edges, first, middle - 1, code),
            ByEdges(column, edges, middle, last, code));
}

Expression DayLiteral(const std::string& day, const ValueType& type) {
  if (type.kind == TypeKind::kDate) {
    return MakeExpression(sql::Literal{sql::LiteralKind::kDate, day, {}});
  }
  const std::string instant = day.size() > 10 ? day : day + " 00:00:00";
  return MakeExpression(sql::Literal{sql::LiteralKind::kTimestamp, instant, {}});
}

class Coder {
 public:
  Coder(const Attribute& attribute, const Expression& column, int64_t multiplier)
      : attribute_(attribute), multiplier_(multiplier), column_(column) {}

  Expression Expr() const {
    const Expression null = MakeExpression(sql::IsNull{column_, false});
    return If(null, Code(attribute_.NullCode()),
              std::visit([this](const auto& cells) { return Of(cells); }, attribute_.cells));
  }

 private:
  Expression Code(size_t code) const {
    return WholeLiteral(multiplier_ * static_cast<int64_t>(code));
  }

  Expression Of(const GridCells& cells) const {
    std::vector<Expression> edges;
    for (const Int128 edge : cells.edges) {
      edges.push_back(NumberLiteral(Rational(Rational(ToInteger(edge)) * cells.step)));
    }
    return ByEdges(column_, edges, 0, attribute_.Values() - 1,
                   [this](size_t cell) { return Code(cell); });
  }

  // Never asked: an open column is a key itself.
  Expression Of(const OpenCells&) const { return Code(attribute_.UnlistedCode()); }

  Expression Of(const DayCells& cells) const {
    std::vector<Expression> edges;
    for (const std::string& day : cells.first_days) {
      edges.push_back(DayLiteral(day, attribute_.type));
    }
    const Expression inside = ByEdges(column_, edges, 0, attribute_.Values() - 1,
                                      [this](size_t cell) { return Code(cell); });
    const Expression before = Compare(column_, "<", edges.front());
    const Expression after = Compare(column_, ">=", DayLiteral(cells.end, attribute_.type));
    const Expression outside = MakeExpression(sql::Logical{sql::Connective::kOr, {before, after}});
    return If(outside, Code(attribute_.UnlistedCode()), inside);
  }

  Expression ValueLiteral(const KeyValue& value) const {
    if (value.kind == KeyValue::Kind::kNumber) return NumberLiteral(value.number);
    if (value.kind == KeyValue::Kind::kBoolean) {
      return MakeExpression(
          sql::Literal{sql::LiteralKind::kBoolean, value.truth ? "true" : "false", {}});
    }
    if (attribute_.type.kind == TypeKind::kText) {
      return MakeExpression(sql::Literal{sql::LiteralKind::kString, value.text, {}});
    }
    return DayLiteral(value.text, attribute_.type);
  }

  // The half in which a value would be, and there whether it is the one.
  Expression Of(const ListedCells& cells) const {
    std::vector<size_t> order(cells.values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const KeyValue& x = cells.values[a];
      const KeyValue& y = cells.values[b];
      if (x.kind == KeyValue::Kind::kNumber) return x.number < y.number;
      if (x.kind == KeyValue::Kind::kBoolean) return x.truth < y.truth;
      return x.text < y.text;
    });
    std::vector<Expression> edges;
    for (const size_t i : order) edges.push_back(ValueLiteral(cells.values[i]));
    return ByEdges(column_, edges, 0, order.size() - 1, [&](size_t place) {
      return If(Compare(column_, "=", edges[place]), Code(order[place]),
                Code(attribute_.UnlistedCode()));
    });
  }

  const Attribute& attribute_;
  int64_t multiplier_;
  Expression column_;
};

// The policy without lists of keys: which combinations of cells somebody has is then as private as
// how many, and the engine lists no others.
policy::Policy WithoutKeys(const policy::Policy& policy) {
  policy::Policy without = policy;
  for (policy::Table& table : without.tables) {
    for (policy::Column& column : table.columns) column.keys.reset();
  }
  return without;
}

// The engine reads of a measure only whether it is a whole number. Its noise is none of these: it
// is drawn over all groups together.
Result<plan::Measure> CountOfGroups() {
  TACIT_TRY(noise::DiscreteGaussian shape, noise::DiscreteGaussian::WithSigmaSquared(1));
  return plan::Measure{.name = "m1",
                       .aggregate = "count",
                       .text = "count(*)",
                       .column = "",
                       .mechanism = std::move(shape),
                       .step = 1,
                       .sensitivity_l1 = 1,
                       .scale = 1,
                       .moe95 = 1,
                       .cost = {}};
}

void Pack(const std::vector<Attribute>& attributes, const std::vector<Expression>& columns,
          CodedRows& coded, std::vector<Expression>& keys) {
  int64_t next = kPackedMax;  // the first attribute opens a key
  for (size_t a = 0; a < attributes.size(); ++a) {
    const Attribute& attribute = attributes[a];
    if (attribute.IsOpen()) {
      keys.push_back(columns[a]);
      coded.keys_of.push_back(keys.size() - 1);
      coded.multipliers.push_back(0);
      next = kPackedMax;
      continue;
    }
    const auto codes = static_cast<int64_t>(attribute.Values()) + 2;
    const bool opens = next > kPackedMax / codes;
    const int64_t multiplier = opens ? 1 : next;
    const Expression code = Coder(attribute, columns[a], multiplier).Expr();
    // A CASE of literals alone would be a list of public keys.
    if (opens) {
      keys.push_back(Compare(code, "+", WholeLiteral(0)));
    } else {
      keys.back() = Compare(keys.back(), "+", code);
    }
    coded.keys_of.push_back(keys.size() - 1);
    coded.multipliers.push_back(multiplier);
    next = multiplier * codes;
  }
}

// Analysis has keys in an order of its own, the same for every way to ask; what the query shows
// first is the first of ours.
size_t PlaceOfKey(const sql::Query& post, size_t key) {
  const auto* select = sql::As<sql::Select>(post);
  TACIT_ASSERT(select != nullptr && key < select->items.size());
  const auto* name = sql::As<sql::ColumnReference>(select->items[key].expression);
  TACIT_ASSERT(name != nullptr && name->column.starts_with("k"));
  return std::stoul(name->column.substr(1)) - 1;
}

}  // namespace

// proof: release/proof.md#1-what-one-step-moves
Result<CodedRows> CodedRowsOf(const policy::Policy& policy, const policy::Schema& schema,
                              const Source& source, const std::vector<Attribute>& attributes) {
  CodedRows coded;
  std::vector<Expression> keys;
  Pack(attributes, source.columns, coded, keys);
  sql::Select select;
  for (const Expression& key : keys) select.items.push_back({key, ""});
  select.items.push_back(
      {MakeExpression(sql::AggregateCall{
           .name = "count", .arguments = {}, .star = true, .order_by = {}, .filter = {}}),
       ""});
  select.from.push_back(source.from);
  select.group_by = keys;
  sql::QueryNode node;
  node.body = std::move(select);
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(sql::Query(std::move(node)), WithoutKeys(policy), schema));
  TACIT_ASSERT(facts.blocks.size() == 1);
  const analysis::Block& block = facts.blocks[0];
  TACIT_ASSERT(block.measures.size() == 1 && block.keys.size() == keys.size());
  for (size_t& key : coded.keys_of) key = PlaceOfKey(facts.post, key);
  coded.fingerprint = plan::FingerprintsOf(facts)[0];
  const Integer people = policy.privacy.protects;
  const Integer rows = block.rows.rows_per_unit * people;
  const bool replaces = policy.privacy.neighbours == policy::Neighbours::kReplaceOne;
  // Rows that go may all leave one cell, and rows that come all enter another.
  coded.moved = {.rows = replaces ? Integer(2 * rows) : rows,
                 .l2_squared = replaces ? Integer(2 * rows * rows) : Integer(rows * rows)};
  TACIT_TRY(const plan::tree::Exact exact, plan::tree::FromBlock(block, false));
  TACIT_TRY(plan::Measure measure, CountOfGroups());
  coded.release = plan::Release{.name = "tacit_cells",
                                .fingerprint = coded.fingerprint,
                                .exact = exact,
                                .parameters = {},
                                .keys = {},
                                .selection = plan::NoneShown{},
                                .measures = {std::move(measure)},
                                .cost = {},
                                .scales = {},
                                .made_from = {},
                                .facts = {},
                                .room = plan::RoomOf(block)};
  std::vector<ValueType> types(keys.size(), kIntegerType);
  for (size_t a = 0; a < attributes.size(); ++a) {
    if (attributes[a].IsOpen()) types[coded.keys_of[a]] = attributes[a].type;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    coded.release.keys.push_back({.name = "k" + std::to_string(i + 1),
                                  .type = types[i],
                                  .text = "cells",
                                  .is_public = false});
  }
  if (plan::tree::UsesDeploymentKey(*exact)) {
    coded.release.parameters.push_back(plan::DeploymentKey{});
  }
  return coded;
}

ExactTable JointOf(const engine::ExactGroups& groups, const CodedRows& coded,
                   const std::vector<Attribute>& attributes) {
  ExactTable table;
  Joint& joint = table.joint;
  joint.codes.resize(attributes.size());
  std::vector<std::map<std::string, uint32_t>> ids(attributes.size());
  for (size_t a = 0; a < attributes.size(); ++a) {
    if (attributes[a].IsOpen()) table.open.push_back({.column = a, .ids = {}, .values = {}});
  }
  std::vector<uint16_t> row(attributes.size());
  for (size_t g = 0; g < groups.size(); ++g) {
    bool listed = true;
    for (size_t a = 0; a < attributes.size() && listed; ++a) {
      row[a] = 0;
      if (attributes[a].IsOpen()) continue;
      const engine::Value packed = groups.Key(g, coded.keys_of[a]);
      const auto* whole = std::get_if<int64_t>(&packed);
      listed = whole != nullptr;
      if (!listed) break;
      const auto codes = static_cast<int64_t>(attributes[a].Values()) + 2;
      row[a] = static_cast<uint16_t>(*whole / coded.multipliers[a] % codes);
      listed = row[a] != attributes[a].UnlistedCode();
    }
    if (!listed) continue;
    for (OpenColumn& open : table.open) {
      const engine::Value key = groups.Key(g, coded.keys_of[open.column]);
      const auto* text = std::get_if<std::string>(&key);
      uint32_t id = kNullId;
      if (text != nullptr) {
        const auto next = static_cast<uint32_t>(open.values.size());
        const auto [found, fresh] = ids[open.column].emplace(*text, next);
        if (fresh) open.values.push_back(*text);
        id = found->second;
      }
      open.ids.push_back(id);
    }
    for (size_t a = 0; a < attributes.size(); ++a) joint.codes[a].push_back(row[a]);
    joint.weights.push_back(static_cast<int64_t>(std::get<Int128>(groups.Measure(g, 0))));
  }
  return table;
}

}  // namespace tacit::release
