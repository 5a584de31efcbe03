#include "sql/constants/series.h"

#include <charconv>
#include <optional>

#include "sql/constants/calendar.h"
#include "sql/constants/fold.h"
#include "sql/constants/fold_parts.h"
#include "sql/functions/own_functions.h"
#include "sql/parse/literal.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

using LiteralList = std::optional<std::vector<Literal>>;

std::optional<int64_t> IntegerIn(const Literal& literal) {
  if (literal.kind != LiteralKind::kInteger) return std::nullopt;
  int64_t value = 0;
  const char* end = literal.text.data() + literal.text.size();
  const auto read = std::from_chars(literal.text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

LiteralList SeriesOfIntegers(int64_t first, int64_t last, int64_t step) {
  if (step == 0) return std::nullopt;
  std::vector<Literal> rows;
  Int128 value = first;
  while (step > 0 ? value <= last : value >= last) {
    if (rows.size() == kSeriesRowsMax) return std::nullopt;
    rows.push_back({LiteralKind::kInteger, std::to_string(static_cast<int64_t>(value)), {}});
    value += step;
  }
  return rows;
}

// Dates become timestamps, as PostgreSQL has no series of dates.
LiteralList SeriesOfInstants(const Literal& begin, const Literal& end, const Interval& step) {
  const Literal from = constants::ReadBeside(begin, end);
  const Literal to = constants::ReadBeside(end, begin);
  const std::optional<int64_t> first = InstantOf(from);
  const std::optional<int64_t> last = InstantOf(to);
  const bool zoned = from.kind == LiteralKind::kTimestampTz;
  if (!first || !last || zoned != (to.kind == LiteralKind::kTimestampTz)) return std::nullopt;
  const LiteralKind kind = zoned ? LiteralKind::kTimestampTz : LiteralKind::kTimestamp;
  const std::optional<int64_t> second = AddInterval(*first, step);
  if (!second || *second == *first) return std::nullopt;
  const bool rising = *second > *first;
  const bool goes_on = rising ? step.months >= 0 && step.days >= 0 && step.microseconds >= 0
                              : step.months <= 0 && step.days <= 0 && step.microseconds <= 0;
  std::vector<Literal> rows;
  int64_t value = *first;
  while (rising ? value <= *last : value >= *last) {
    const std::optional<Literal> row = InstantLiteral(kind, value);
    const std::optional<int64_t> next = AddInterval(value, step);
    if (!row || rows.size() == kSeriesRowsMax) return std::nullopt;
    rows.push_back(*row);
    rows.back().zone = from.zone;
    // The next one lies outside the calendar, and the last one that is asked for inside.
    if (!next && goes_on) return rows;
    if (!next || (*next > value) != rising) return std::nullopt;
    value = *next;
  }
  return rows;
}

LiteralList SeriesOf(const Call& call) {
  std::vector<Literal> given;
  for (const Expression& argument : call.arguments) {
    const auto* literal = As<Literal>(argument);
    if (literal == nullptr) return std::nullopt;
    given.push_back(*literal);
  }
  const std::optional<int64_t> first = IntegerIn(given[0]);
  const std::optional<int64_t> last = IntegerIn(given[1]);
  if (first && last) {
    const std::optional<int64_t> step = given.size() == 3 ? IntegerIn(given[2]) : 1;
    return step ? SeriesOfIntegers(*first, *last, *step) : std::nullopt;
  }
  if (given.size() != 3) return std::nullopt;
  std::optional<Interval> step;
  if (given[2].kind == LiteralKind::kInterval) step = given[2].interval;
  if (given[2].kind == LiteralKind::kString) step = ParseInterval(given[2].text);
  return step ? SeriesOfInstants(given[0], given[1], *step) : std::nullopt;
}

// VALUES of one row that stands for many, perhaps with its number.
void WriteOutRow(Query& query, const std::function<Expression(const Expression&)>& fold) {
  const auto* values = As<Values>(query);
  if (values == nullptr || values->rows.size() != 1 || values->rows[0].size() > 2) return;
  const bool numbered = values->rows[0].size() == 2;
  const Expression& only = values->rows[0][0];
  const auto* cast = As<Cast>(only);
  const auto* call = As<Call>(cast != nullptr ? cast->operand : only);
  if (call == nullptr) return;
  Values rows;
  if (call->name == kSeriesFunction) {
    const LiteralList literals = SeriesOf(*call);
    if (!literals) return;
    for (const Literal& literal : *literals) {
      rows.rows.push_back({MakeExpression(literal, only->position)});
    }
  } else if (call->name == kElementsFunction) {
    const auto* text = As<Literal>(call->arguments[0]);
    if (text == nullptr || text->kind != LiteralKind::kString) return;
    const auto elements = ArrayElements(text->text, only->position);
    if (!elements || elements->size() > kSeriesRowsMax) return;
    for (const Expression& element : *elements) {
      rows.rows.push_back({cast == nullptr
                               ? element
                               : fold(MakeExpression(Cast{element, cast->type}, only->position))});
    }
  } else {
    return;
  }
  if (rows.rows.empty()) return;
  for (size_t i = 0; numbered && i < rows.rows.size(); ++i) {
    rows.rows[i].push_back(
        MakeExpression(Literal{LiteralKind::kInteger, std::to_string(i + 1), {}}, only->position));
  }
  QueryNode node = *query;
  node.body = std::move(rows);
  query = Query(std::move(node));
}

bool IsBareQuery(const Query& query) {
  return query->with.empty() && query->order_by.empty() && !query->limit && !query->offset;
}

// Literals of one kind in each column: what is computed from a column of them has the type that it
// has for one.
bool AreLiterals(const Values& values) {
  for (const auto& row : values.rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      const auto* literal = As<Literal>(row[i]);
      const auto* first = As<Literal>(values.rows[0][i]);
      if (literal == nullptr || first == nullptr || literal->kind != first->kind) return false;
      if (literal->kind == LiteralKind::kNull) return false;
    }
  }
  return true;
}

// SELECT g::date AS day FROM generate_series(...) AS g: the rows with every item computed.
void ProjectRows(Query& query, std::vector<std::string>& columns,
                 const std::function<Expression(const Expression&)>& fold) {
  const auto* select = As<Select>(query);
  const bool plain = select != nullptr && IsBareQuery(query) && !select->distinct &&
                     select->distinct_on.empty() && !select->where && select->group_by.empty() &&
                     !select->having && select->windows.empty() && select->from.size() == 1;
  const auto* table = plain ? As<DerivedTable>(select->from[0]) : nullptr;
  const auto* values = table != nullptr ? As<Values>(table->query) : nullptr;
  if (values == nullptr || !IsBareQuery(table->query) || !AreLiterals(*values) ||
      table->alias.columns.size() != values->rows[0].size()) {
    return;
  }
  Values computed;
  for (const auto& row : values->rows) {
    std::vector<Expression>& made = computed.rows.emplace_back();
    for (const SelectItem& item : select->items) {
      const Expression value = Transform(item.expression, [&](const Expression& node) {
        const auto* column = As<ColumnReference>(node);
        const bool own =
            column != nullptr && (column->table.empty() || column->table == table->alias.name);
        for (size_t i = 0; own && i < row.size(); ++i) {
          if (table->alias.columns[i] == column->column) return row[i];
        }
        return fold(node);
      });
      const auto* literal = As<Literal>(value);
      if (literal == nullptr || literal->kind == LiteralKind::kNull) return;
      made.push_back(value);
    }
  }
  if (!AreLiterals(computed)) return;
  for (size_t i = columns.size(); i < select->items.size(); ++i) {
    columns.push_back(OutputName(select->items[i]));
  }
  QueryNode node = *query;
  node.body = std::move(computed);
  query = Query(std::move(node));
}

}  // namespace

void WriteOutSeries(Query& query, std::vector<std::string>& columns,
                    const std::function<Expression(const Expression&)>& fold) {
  WriteOutRow(query, fold);
  ProjectRows(query, columns, fold);
}

}  // namespace tacit::sql
