#include "gateway/learning/rows_to_learn.h"

#include <algorithm>
#include <set>

#include "analysis/rules.h"
#include "gateway/answer_query.h"
#include "gateway/probe.h"
#include "sql/buy.h"
#include "sql/learn.h"
#include "sql/parse.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/quote.h"

namespace tacit::gateway::learning {
namespace {

Error NotRows(const std::string& hint) {
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message = "models are learned from rows of people, and this SELECT gives none",
      .hint = hint,
      .position = std::nullopt,
      .private_detail = ""};
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

std::string NamesOf(const RowsToLearn& rows) {
  std::string names;
  for (const plan::OutputColumn& column : rows.shape) {
    names += (names.empty() ? "" : ", ") + column.name;
  }
  return names;
}

// SELECT sum(a), sum(b) FROM (...): the grids of its sums are the ranges of a and b.
std::string SumsOf(const std::vector<std::string>& columns, const RowsToLearn& rows) {
  std::string sums;
  for (const std::string& column : columns) {
    sums += (sums.empty() ? "sum(tacit_rows." : ", sum(tacit_rows.") +
            sql::QuoteIdentifierIfNeeded(column) + ")";
  }
  return "SELECT " + (sums.empty() ? "count(*)" : sums) + " FROM (" + rows.text + ") AS tacit_rows";
}

Result<analysis::Facts> FactsOfSums(const std::vector<std::string>& columns,
                                    const RowsToLearn& rows, const Request& request,
                                    const Services& services) {
  Request asked = request;
  asked.text = SumsOf(columns, rows);
  asked.statement = nullptr;
  asked.parameters.clear();
  return FactsOf(asked, services);
}

Error NoRange(const std::string& column) {
  return Error{.code = ErrorCode::kRefused,
               .public_message = column + " has no public range: one person could change a model " +
                                 "made of it by any amount",
               .hint = "ask the owner to declare it in tacit.yaml, " + column +
                       ": {bounds: [LOW, HIGH]}, or bound it in the SELECT: least(greatest(" +
                       column + ", 0), 100) AS " + column,
               .position = std::nullopt,
               .private_detail = "",
               .rule = analysis::rules::kNoBounds.name};
}

// Which column the refusal is about; the refusal itself where it is about none by itself.
Error ExplainRefusal(Error error, const std::vector<std::string>& columns, const RowsToLearn& rows,
                     const Request& request, const Services& services) {
  if (error.rule != analysis::rules::kNoBounds.name) return InTheRows(std::move(error));
  for (const std::string& column : columns) {
    const Result<analysis::Facts> alone = FactsOfSums({column}, rows, request, services);
    if (!alone.ok() && alone.error().rule == analysis::rules::kNoBounds.name)
      return NoRange(column);
  }
  return InTheRows(std::move(error));
}

// The sum that the answer's column is; null where it is made of something else.
const analysis::ExactMeasure* SumShown(const analysis::Facts& facts, size_t column) {
  if (facts.blocks.size() != 1 || !facts.blocks[0].keys.empty()) return nullptr;
  if (column >= facts.columns.size() || !facts.columns[column].shows) return nullptr;
  const analysis::Block& block = facts.blocks[0];
  const analysis::ReleasedColumn& released = block.released[facts.columns[column].shows->second];
  const auto* sum = std::get_if<analysis::SumColumn>(&released.value);
  return sum == nullptr ? nullptr : &block.measures[sum->measure];
}

// Hidden columns may join tables and group people. Only their types are looked up here: whether
// what is done with them is allowed, the question decides.
policy::Policy WithoutHidden(const policy::Policy& policy) {
  policy::Policy without = policy;
  for (policy::Table& table : without.tables) {
    for (policy::Column& column : table.columns) column.hidden = false;
  }
  return without;
}

Error NoNumber(const plan::OutputColumn& column) {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = column.name + " is " + column.TypeName() +
                                 ", and models are made of numbers, booleans and listed texts",
               .hint = "make it one, or leave it out",
               .position = std::nullopt,
               .private_detail = ""};
}

Error NoList(const std::string& column) {
  return Error{.code = ErrorCode::kRefused,
               .public_message = column +
                                 " has no public list of values: which there are is "
                                 "nothing that a model may find out",
               .hint = "ask the owner to declare it in tacit.yaml, " + column +
                       ": {keys: [a, b]}, or name what matters in the SELECT: " + column +
                       " = 'value' AS is_value",
               .position = std::nullopt,
               .private_detail = "",
               .rule = analysis::rules::kNoBounds.name};
}

// Rows with a boolean for each listed value of a text but the first, which is the one that the
// others are compared with. Rows whose text is not on the list are left out.
class Listed {
 public:
  void Add(const plan::OutputColumn& column, const learn::Column& known) {
    const std::string name = sql::QuoteIdentifierIfNeeded(column.name);
    items_ += (items_.empty() ? "tacit_each." : ", tacit_each.") + name;
    columns_.push_back(known);
  }
  void AddTexts(const plan::OutputColumn& column, const std::vector<std::string>& values) {
    const std::string name = "tacit_each." + sql::QuoteIdentifierIfNeeded(column.name);
    std::string list;
    for (size_t i = 0; i < values.size(); ++i) {
      const std::string text = sql::QuoteString(values[i]);
      list += (i == 0 ? "" : ", ") + text;
      if (i == 0) continue;
      learn::Column is{.name = column.name + "=" + values[i], .is_boolean = true};
      is.of = column.name;
      is.value = values[i];
      is.reference = values[0];
      items_ += (items_.empty() ? "" : ", ") + name + " = " + text + " AS " +
                sql::QuoteIdentifier(is.name);
      columns_.push_back(std::move(is));
    }
    conditions_ += (conditions_.empty() ? " WHERE " : " AND ") + name + " IN (" + list + ")";
  }
  bool HasTexts() const { return !conditions_.empty(); }
  std::string Over(const std::string& rows) const {
    return "SELECT " + items_ + " FROM (" + rows + ") AS tacit_each" + conditions_;
  }
  const std::vector<learn::Column>& columns() const { return columns_; }

 private:
  std::string items_;
  std::string conditions_;
  std::vector<learn::Column> columns_;
};

Error TooManyColumns(size_t columns, size_t columns_max) {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "the rows have " + std::to_string(columns) +
                                 " columns, listed values of texts counted; a model takes " +
                                 std::to_string(columns_max),
               .hint = "name those that matter: noise grows with every one",
               .position = std::nullopt,
               .private_detail = ""};
}

// The range of a number.
Result<learn::Column> NumberOf(const plan::OutputColumn& column,
                               const analysis::ExactMeasure& sum) {
  learn::Column known{.name = column.name};
  known.low = Rational(MakeRational(sum.grid.low_steps) * sum.grid.step);
  known.high = Rational(MakeRational(sum.grid.high_steps) * sum.grid.step);
  if (known.low < known.high) return known;
  return Error{.code = ErrorCode::kRefused,
               .public_message = column.name + " can only be " + ToString(known.low) +
                                 " by its declared range: there is nothing to learn from it",
               .hint = "leave it out, or ask the owner for wider bounds",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Error InTheRows(Error error) {
  error.public_message = "in the rows to learn from: " + error.public_message;
  error.position.reset();
  return error;
}

Result<RowsToLearn> ReadRows(const std::string& select, const Services& services) {
  Result<sql::Statement> read = sql::Parse(select);
  if (!read.ok()) return InTheRows(std::move(read).error());
  if (read->explain || sql::Learns(read->query) || sql::BoughtText(read->query)) {
    return NotRows("write the SELECT of the rows alone, as in 'SELECT age, income FROM people'");
  }
  if (!IsAskingForRows(read->query)) {
    return NotRows(
        "each row has to be one person's: leave out aggregates and GROUP BY, or group by the "
        "person inside: SELECT total FROM (SELECT person, sum(cost) AS total FROM visits GROUP BY "
        "person) AS each");
  }
  RowsToLearn rows;
  rows.text = sql::PrintCanonical(read->query);
  Result<std::vector<plan::OutputColumn>> shape =
      ShapeOfProbe(read->query, services.policy, services.schema);
  if (!shape.ok()) {
    Result<std::vector<plan::OutputColumn>> joined =
        ShapeOfProbe(read->query, WithoutHidden(services.policy), services.schema);
    if (!joined.ok()) return InTheRows(std::move(shape).error());
    shape = std::move(joined);
  }
  rows.shape = std::move(shape).value();
  std::set<std::string> names;
  for (const plan::OutputColumn& column : rows.shape) {
    if (!names.insert(column.name).second || column.name == "?column?") {
      return NotRows("give each column a name of its own: (age > 65) AS old");
    }
  }
  return rows;
}

Result<size_t> ColumnNamed(const std::string& name, const RowsToLearn& rows) {
  for (size_t i = 0; i < rows.shape.size(); ++i) {
    if (rows.shape[i].name == name) return i;
  }
  for (size_t i = 0; i < rows.shape.size(); ++i) {
    if (Lower(rows.shape[i].name) == Lower(name)) return i;
  }
  return Error{.code = ErrorCode::kInvalidQuery,
               .public_message = "the rows have no column " + name,
               .hint = "they have " + NamesOf(rows),
               .position = std::nullopt,
               .private_detail = ""};
}

Result<std::vector<std::string>> ListOf(const std::string& column, const RowsToLearn& rows,
                                        const Request& request, const Services& services) {
  Request asked = request;
  const std::string name = "tacit_rows." + sql::QuoteIdentifierIfNeeded(column);
  asked.text =
      "SELECT " + name + ", count(*) FROM (" + rows.text + ") AS tacit_rows GROUP BY " + name;
  asked.statement = nullptr;
  asked.parameters.clear();
  const Result<analysis::Facts> facts = FactsOf(asked, services);
  if (!facts.ok()) return InTheRows(facts.error());
  if (facts->blocks.size() != 1 || facts->blocks[0].keys.size() != 1) return NoList(column);
  const analysis::Key& key = facts->blocks[0].keys[0];
  const bool bare =
      key.sources.size() == 1 && sql::As<sql::ColumnReference>(key.expression) != nullptr;
  if (!bare) return NoList(column);
  std::vector<std::string> values;
  for (const policy::KeyValue& value : policy::ExpandKeys(key.sources[0].keys)) {
    if (value.kind != policy::KeyValue::Kind::kNull) values.push_back(value.text);
  }
  if (values.size() < 2) return NoList(column);
  return values;
}

Result<std::vector<learn::Column>> RangesOf(RowsToLearn& rows, const Request& request,
                                            const Services& services, size_t columns_max) {
  if (rows.shape.size() > columns_max) return TooManyColumns(rows.shape.size(), columns_max);
  std::vector<std::string> numbers;
  for (const plan::OutputColumn& column : rows.shape) {
    const bool is_number = !column.is_array && column.type.IsNumber();
    const bool is_other = !column.is_array && (column.type.kind == TypeKind::kBoolean ||
                                               column.type.kind == TypeKind::kText);
    if (!is_number && !is_other) return NoNumber(column);
    if (is_number) numbers.push_back(column.name);
  }
  Result<analysis::Facts> facts = FactsOfSums(numbers, rows, request, services);
  if (!facts.ok()) {
    return ExplainRefusal(std::move(facts).error(), numbers, rows, request, services);
  }
  if (facts->blocks.size() != 1 || !facts->blocks[0].keys.empty()) {
    return NotRows("they have to come from a protected table");
  }
  rows.rows_per_person = facts->blocks[0].rows.rows_per_unit;
  Listed listed;
  size_t number = 0;
  for (const plan::OutputColumn& column : rows.shape) {
    if (column.type.kind == TypeKind::kText) {
      TACIT_TRY(const std::vector<std::string> values,
                ListOf(column.name, rows, request, services));
      if (values.size() > columns_max) return TooManyColumns(values.size(), columns_max);
      listed.AddTexts(column, values);
    } else if (column.type.kind == TypeKind::kBoolean) {
      listed.Add(column, {.name = column.name, .is_boolean = true});
    } else {
      const analysis::ExactMeasure* sum = SumShown(*facts, number++);
      if (sum == nullptr) return NotRows("they have to come from a protected table");
      TACIT_TRY(const learn::Column known, NumberOf(column, *sum));
      listed.Add(column, known);
    }
  }
  if (listed.columns().size() > columns_max) {
    return TooManyColumns(listed.columns().size(), columns_max);
  }
  if (listed.HasTexts()) rows.text = listed.Over(rows.text);
  return listed.columns();
}

}  // namespace tacit::gateway::learning
