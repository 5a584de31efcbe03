#include "engine/statement/printer.h"
#include "plan/tree/walk.h"
#include "sql/print/query.h"

namespace tacit::engine::statement {
namespace {

// The engine's words, but for two. A released value stands where it is used, as a parameter: there
// is no table that every ON of every join could see. And the cast from a stored column, which took
// a quarter of TPC-H's Q1, may be a function of the engine's own.
class BelowWords final : public sql::Dialect {
 public:
  BelowWords(const statement::Dialect& dialect, const std::vector<sql::Type>& constants,
             const std::map<std::string, std::string>& doubles)
      : dialect_(dialect), words_(dialect.Words()), constants_(constants), doubles_(doubles) {}

  std::string Identifier(const std::string& name) const override { return words_.Identifier(name); }
  std::string Column(const std::string& table, const std::string& column) const override {
    if (table != analysis::kConstantTable) return words_.Column(table, column);
    const size_t number = std::stoul(column.substr(1));
    return dialect_.Parameter(number, words_.TypeName(constants_.at(number - 1)));
  }
  std::string Constant(const sql::Literal& literal, const sql::Type& type) const override {
    return words_.Constant(literal, type);
  }
  std::string TypeName(const sql::Type& type) const override { return words_.TypeName(type); }
  std::string Read(const std::string& column, const sql::Type& type) const override {
    return words_.Read(column, type);
  }
  std::string CanonicalKey(const std::string& key, const sql::Type& type) const override {
    return words_.CanonicalKey(key, type);
  }
  bool Knows(const sql::Function& function) const override { return words_.Knows(function); }
  std::string Apply(const sql::BoundApply& apply, const sql::Type& result,
                    const std::vector<std::string>& arguments) const override {
    if (words_.Knows(*apply.function)) return words_.Apply(apply, result, arguments);
    missing_ = apply.function->name;
    return "NULL";
  }
  std::string Aggregate(const sql::BoundAggregate& call, const sql::Type& result,
                        const std::vector<std::string>& arguments, const std::string& order_by,
                        const std::string& tail) const override {
    return words_.Aggregate(call, result, arguments, order_by, tail);
  }
  sql::BoundWindow WindowOf(const sql::BoundAggregate& call,
                            const sql::Type& result) const override {
    return words_.WindowOf(call, result);
  }
  // A function that was asked for and is not among the engine's; empty: none.
  const std::string& missing() const { return missing_; }
  std::string Cast(const std::string& operand, const sql::Type& from,
                   const sql::Type& to) const override {
    const auto quick = to.kind == sql::TypeKind::kDouble ? doubles_.find(operand) : doubles_.end();
    return quick != doubles_.end() ? quick->second : words_.Cast(operand, from, to);
  }

 private:
  const statement::Dialect& dialect_;
  const sql::Dialect& words_;
  const std::vector<sql::Type>& constants_;
  const std::map<std::string, std::string>& doubles_;
  mutable std::string missing_;
};

// An engine that has no total form of a function is not asked to do without.
Result<std::string> PrintWith(const BelowWords& words, const sql::Bound& bound,
                              const std::string& engine) {
  TACIT_TRY(std::string text, sql::PrintExpression(bound, words));
  if (words.missing().empty()) return text;
  return WithoutWords(engine, words.missing());
}

}  // namespace

Error WithoutWords(const std::string& engine, const std::string& what) {
  const std::string page = engine == "Trino" ? "docs/trino.md" : "docs/postgres.md";
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = engine + " has no " + what +
                                 " that gives what every engine gives; nothing was charged",
               .hint = "ask without it; " + page + " says what " + engine + " is not asked for",
               .position = std::nullopt,
               .private_detail = "",
               .rule = "engine_without_words"};
}

std::string ListOf(const std::vector<std::string>& parts, const std::string& separator) {
  std::string list;
  for (const std::string& part : parts) list += (list.empty() ? "" : separator) + part;
  return list;
}

Printer::Printer(const tree::Names& names, const Dialect& dialect)
    : names_(names), dialect_(dialect), key_parameter_(names.constants.size() + 1) {}

Printer::Printer(const tree::ExactNode& exact, const Dialect& dialect)
    : Printer(exact.names, dialect) {
  read_ = tree::ColumnsRead(exact);
  // What is computed may be of another type in the engine than it is in the query.
  std::set<std::string> scans;
  tree::ForEachRelation(exact.groups.rows, [&](const tree::Rows& relation) {
    if (const std::string* name = tree::NameOfScan(relation)) scans.insert(*name);
  });
  for (const tree::KnownColumn& column : names_.columns) {
    if (!scans.contains(column.name.table)) continue;
    const std::string text = Quote(column.name.table) + "." + Quote(column.name.column);
    if (const auto quick = dialect.AsDouble(text, column.stored_type)) doubles_[text] = *quick;
  }
}

Result<std::string> Printer::Print(const tree::Typed& typed) const {
  static const std::map<std::string, std::string> kNone;
  return PrintWith(BelowWords(dialect_, names_.constants, kNone), typed.bound, dialect_.Name());
}

Result<std::string> Printer::Print(const tree::ProjectedColumn& column) const {
  if (column.form == tree::Form::kInDoubles) {
    return PrintWith(BelowWords(dialect_, names_.constants, doubles_), column.value.bound,
                     dialect_.Name());
  }
  TACIT_TRY(std::string text, Print(column.value));
  if (column.form == tree::Form::kValue) return text;
  // A key is shown: it is a value of its type, also where a column stores something else.
  if (sql::As<sql::BoundColumn>(column.value.bound) != nullptr) {
    text = dialect_.Words().Read(text, column.value.bound->type);
  }
  return dialect_.Words().CanonicalKey(text, column.type);
}

Result<std::string> Printer::Conditions(const std::vector<tree::Typed>& filters) const {
  std::string conditions;
  for (const tree::Typed& filter : filters) {
    TACIT_TRY(const std::string condition, Print(filter));
    conditions += (conditions.empty() ? " WHERE (" : " AND (") + condition + ")";
  }
  return conditions;
}

}  // namespace tacit::engine::statement
