#include "release/domain/condition.h"

#include <algorithm>
#include <set>

#include "sql/parse.h"

namespace tacit::release {
namespace {

using policy::KeyValue;

Error Unclear(const std::string& where, const std::string& what) {
  return InvalidArgument(where + ": " + what,
                         "conditions are like age < 25 AND sex = 'F' AND unit IN ('a', 'b'): "
                         "a column, a comparison, a value");
}

std::optional<size_t> PlaceOf(const std::string& name, const std::vector<Attribute>& attributes) {
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (policy::SameName(attributes[i].name, name)) return i;
  }
  return std::nullopt;
}

class ConditionReader {
 public:
  ConditionReader(const std::vector<Attribute>& attributes, const std::string& where,
                  bool* elsewhere)
      : attributes_(attributes), where_(where), elsewhere_(elsewhere) {}

  Result<Done> Add(const sql::Expression& part, std::vector<Condition::Test>& tests) const {
    if (const auto* all = sql::As<sql::Logical>(part);
        all != nullptr && all->connective == sql::Connective::kAnd) {
      for (const sql::Expression& one : all->arguments) TACIT_CHECK(Add(one, tests));
      return Done{};
    }
    if (const auto* compared = sql::As<sql::Operator>(part);
        compared != nullptr && compared->arguments.size() == 2) {
      return Compare(*compared, tests);
    }
    if (const auto* listed = sql::As<sql::InList>(part)) {
      TACIT_TRY(const size_t column, ColumnOf(listed->operand));
      Condition::Test test{column, listed->negated ? "<>" : "=", {}};
      for (const sql::Expression& value : listed->list) {
        TACIT_TRY(std::string literal, LiteralOf(value, column));
        test.literals.push_back(std::move(literal));
      }
      tests.push_back(std::move(test));
      return Done{};
    }
    if (const auto* between = sql::As<sql::Between>(part);
        between != nullptr && !between->negated) {
      TACIT_TRY(const size_t column, ColumnOf(between->operand));
      TACIT_TRY(std::string low, LiteralOf(between->low, column));
      TACIT_TRY(std::string high, LiteralOf(between->high, column));
      tests.push_back({column, ">=", {std::move(low)}});
      tests.push_back({column, "<=", {std::move(high)}});
      return Done{};
    }
    if (const auto* null = sql::As<sql::IsNull>(part)) {
      TACIT_TRY(const size_t column, ColumnOf(null->operand));
      tests.push_back({column, null->negated ? "not-null" : "null", {}});
      return Done{};
    }
    return Unclear(where_, "this is not a condition on cells");
  }

 private:
  Result<Done> Compare(const sql::Operator& compared, std::vector<Condition::Test>& tests) const {
    static const std::set<std::string> known = {"=", "<>", "<", "<=", ">", ">="};
    if (!known.contains(compared.symbol)) return Unclear(where_, "unknown comparison");
    TACIT_TRY(const size_t column, ColumnOf(compared.arguments[0]));
    TACIT_TRY(std::string literal, LiteralOf(compared.arguments[1], column));
    tests.push_back({column, compared.symbol, {std::move(literal)}});
    return Done{};
  }

  Result<size_t> ColumnOf(const sql::Expression& expression) const {
    const auto* reference = sql::As<sql::ColumnReference>(expression);
    if (reference == nullptr) return Unclear(where_, "a comparison begins with a column");
    const std::optional<size_t> place = PlaceOf(reference->column, attributes_);
    if (!place) {
      if (elsewhere_ != nullptr) *elsewhere_ = true;
      return Unclear(where_, "no column " + reference->column + " is released");
    }
    if (attributes_[*place].IsOpen()) {
      return Unclear(where_, "the values of " + reference->column +
                                 " are not public, so that no condition can name them");
    }
    return *place;
  }

  // Numbers for numbers, days for days; what does not fit the column is said here.
  Result<std::string> LiteralOf(const sql::Expression& expression, size_t column) const {
    const sql::Expression* inner = &expression;
    if (const auto* cast = sql::As<sql::Cast>(expression)) inner = &cast->operand;
    std::string sign;
    if (const auto* minus = sql::As<sql::Operator>(*inner);
        minus != nullptr && minus->symbol == "-" && minus->arguments.size() == 1) {
      sign = "-";
      inner = &minus->arguments[0];
    }
    const auto* literal = sql::As<sql::Literal>(*inner);
    const Attribute& attribute = attributes_[column];
    if (literal == nullptr || literal->kind == sql::LiteralKind::kNull) {
      return Unclear(where_, attribute.name + " has to be compared with a value");
    }
    const std::string text = sign + literal->text;
    const bool number = ParseRational(text).ok();
    if (attribute.type.IsNumber() && !number) {
      return Unclear(where_, attribute.name + " is a number, and " + text + " is none");
    }
    const bool day = text.size() >= 10 && text[text.size() - 3] == '-' &&
                     text.find_first_not_of("0123456789-") == std::string::npos;
    if (std::holds_alternative<DayCells>(attribute.cells) && !day) {
      return Unclear(where_, attribute.name + " is compared with days, like '2024-01-31'");
    }
    return text;
  }

  const std::vector<Attribute>& attributes_;
  const std::string& where_;
  bool* elsewhere_;
};

// The first step of the grid that is not below the number, or, `beyond`, that is above it.
Int128 StepAt(const Rational& number, const Rational& step, bool beyond) {
  const Rational steps = number / step;
  return SaturateToInt128(beyond ? Integer(FloorOf(steps) + 1) : CeilOf(steps));
}

// Where a comparison of a number changes, in steps: before it and from it on.
std::vector<Int128> StepsOf(const Condition::Test& test, const Rational& step) {
  std::vector<Int128> steps;
  for (const std::string& literal : test.literals) {
    const Rational number = *ParseRational(literal);
    const bool exact = test.symbol == "=" || test.symbol == "<>";
    if (exact || test.symbol == "<" || test.symbol == ">=") {
      steps.push_back(StepAt(number, step, false));
    }
    if (exact || test.symbol == "<=" || test.symbol == ">") {
      steps.push_back(StepAt(number, step, true));
    }
  }
  return steps;
}

template <class T>
bool Holds(const T& value, const std::string& symbol, const T& literal) {
  if (symbol == "=" || symbol == "<>") return value == literal;
  if (symbol == "<") return value < literal;
  if (symbol == "<=") return value <= literal;
  if (symbol == ">") return value > literal;
  return value >= literal;
}

bool HoldsFor(const KeyValue& value, const Condition::Test& test, const std::string& literal) {
  if (value.kind == KeyValue::Kind::kNumber) {
    const Result<Rational> number = ParseRational(literal);
    return number.ok() && Holds(value.number, test.symbol, *number);
  }
  const std::string text =
      value.kind == KeyValue::Kind::kBoolean ? (value.truth ? "true" : "false") : value.text;
  return Holds(text, test.symbol, literal);
}

// The cells of values that meet one comparison with one literal; <> as =.
bool Meets(const Attribute& attribute, size_t cell, const Condition::Test& test,
           const std::string& literal) {
  if (const auto* listed = std::get_if<ListedCells>(&attribute.cells)) {
    return HoldsFor(listed->values[cell], test, literal);
  }
  if (const auto* grid = std::get_if<GridCells>(&attribute.cells)) {
    const Rational first = Rational(ToInteger(grid->edges[cell])) * grid->step;
    return Holds(first, test.symbol, *ParseRational(literal));
  }
  const auto& days = std::get<DayCells>(attribute.cells);
  return Holds(days.first_days[cell], test.symbol, literal);
}

}  // namespace

Result<Condition> Condition::Read(const std::string& text, const std::vector<Attribute>& attributes,
                                  const std::string& where, bool* elsewhere) {
  const Result<sql::Statement> parsed = sql::Parse("SELECT 1 FROM t WHERE " + text);
  if (!parsed.ok()) return Unclear(where, parsed.error().public_message);
  const auto* select = sql::As<sql::Select>(parsed->query);
  const bool plain = select != nullptr && !parsed->explain && select->where &&
                     select->group_by.empty() && !select->having && !parsed->query->limit &&
                     parsed->query->order_by.empty();
  if (!plain) return Unclear(where, "this is more than a condition");
  Condition condition;
  TACIT_CHECK(ConditionReader(attributes, where, elsewhere).Add(select->where, condition.tests_));
  return condition;
}

Result<std::vector<Condition>> RulesOf(const policy::Table& table, const policy::Schema& schema,
                                       const std::vector<Attribute>& attributes) {
  std::vector<Condition> rules;
  for (size_t i = 0; i < table.impossible.size(); ++i) {
    bool elsewhere = false;
    Result<Condition> rule = Condition::Read(
        table.impossible[i], attributes,
        "impossible rule " + std::to_string(i + 1) + " of table " + table.name, &elsewhere);
    const bool all = attributes.size() >= schema.Find(table.name)->columns.size();
    if (!rule.ok() && elsewhere && !all) continue;
    TACIT_TRY(Condition read, std::move(rule));
    rules.push_back(std::move(read));
  }
  return rules;
}

void Condition::Cut(std::vector<Attribute>& attributes) const {
  for (const Test& test : tests_) {
    if (auto* grid = std::get_if<GridCells>(&attributes[test.column].cells)) {
      for (const Int128 step : StepsOf(test, grid->step)) {
        const auto at = std::lower_bound(grid->edges.begin(), grid->edges.end(), step);
        const bool inside = at != grid->edges.begin() && at != grid->edges.end();
        if (inside && *at != step) grid->edges.insert(at, step);
      }
    }
    auto* days = std::get_if<DayCells>(&attributes[test.column].cells);
    if (days == nullptr) continue;
    for (const std::string& literal : test.literals) {
      std::set<std::string> firsts(days->first_days.begin(), days->first_days.end());
      for (const std::string& day : {literal, DayAfter(literal)}) {
        if (day > days->first_days.front() && day < days->end) firsts.insert(day);
      }
      days->first_days.assign(firsts.begin(), firsts.end());
    }
  }
}

Impossible Condition::Sets(const std::vector<Attribute>& attributes) const {
  Impossible sets;
  for (const Test& test : tests_) {
    auto known = std::find(sets.columns.begin(), sets.columns.end(), test.column);
    const Attribute& attribute = attributes[test.column];
    if (known == sets.columns.end()) {
      sets.columns.push_back(test.column);
      sets.cells.emplace_back(attribute.Values() + 1, true);
      known = sets.columns.end() - 1;
    }
    std::vector<bool>& cells = sets.cells[static_cast<size_t>(known - sets.columns.begin())];
    if (test.symbol != "null") cells[attribute.NullCode()] = false;
    for (size_t cell = 0; cell < attribute.Values(); ++cell) {
      bool meets = test.symbol == "not-null";
      for (const std::string& literal : test.literals) {
        meets = meets || Meets(attribute, cell, test, literal);
      }
      if (test.symbol == "<>") meets = !meets;
      if (!meets) cells[cell] = false;
    }
  }
  return sets;
}

void AddCuts(const std::vector<Impossible>& sets, std::vector<ColumnShape>& shapes) {
  for (const Impossible& rule : sets) {
    for (size_t i = 0; i < rule.columns.size(); ++i) {
      std::vector<size_t>& cuts = shapes[rule.columns[i]].cuts;
      for (size_t cell = 1; cell < rule.cells[i].size(); ++cell) {
        if (rule.cells[i][cell] != rule.cells[i][cell - 1]) cuts.push_back(cell);
      }
    }
  }
}

}  // namespace tacit::release
