#include "owner/import/values.h"

#include <algorithm>

namespace tacit::owner {
namespace {

using engine::ResultColumn;
using engine::ResultTable;
using engine::duckdb::Connection;
using engine::duckdb::Failure;
using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;

using Columns = std::vector<ResultColumn>;
using Names = std::vector<std::string>;

Names NamesOf(const Columns& columns, bool (*wanted)(const ValueType&)) {
  Names names;
  for (const ResultColumn& column : columns) {
    if (wanted(column.type)) names.push_back(column.name);
  }
  return names;
}

// One look at a CSV file whose values are texts.
class Values {
 public:
  Values(Connection& connection, const TableFile& source, FileReader& reader)
      : connection_(connection), source_(source), reader_(reader) {}

  Result<Columns> Shape() {
    ResultTable shape;
    const auto failure =
        connection_.Query({.sql = "SELECT * FROM " + reader_.Sql() + " LIMIT 0"}, 1, &shape);
    if (failure) return Bad(*failure);
    return std::move(shape.columns);
  }

  // One value for each column: what `test`, with $ for the column, comes to over all rows.
  Result<std::vector<engine::Value>> Ask(const Names& names, const std::string& test) {
    std::string select;
    for (const std::string& name : names) {
      std::string one = test;
      for (size_t at = one.find('$'); at != std::string::npos; at = one.find('$', at)) {
        const std::string quoted = QuoteName(name);
        one.replace(at, 1, quoted);
        at += quoted.size();
      }
      select += (select.empty() ? "" : ", ") + one;
    }
    if (names.empty()) return std::vector<engine::Value>();
    ResultTable found;
    const auto failure =
        connection_.Query({.sql = "SELECT " + select + " FROM " + reader_.TextSql()}, 1, &found);
    if (failure) return Bad(*failure);
    return std::vector<engine::Value>(found.rows.at(0));
  }

  Result<Names> Which(const Names& names, const std::string& test) {
    TACIT_TRY(const std::vector<engine::Value> found, Ask(names, test));
    Names which;
    for (size_t i = 0; i < names.size(); ++i) {
      if (found[i] == engine::Value(true)) which.push_back(names[i]);
    }
    return which;
  }

  // The format in which DuckDB found the dates, or nothing where it found none.
  Result<std::string> FormatOf(const char* what) {
    std::string call = reader_.Sql();
    call.replace(0, call.find('('), "sniff_csv");
    ResultTable found;
    const auto failure =
        connection_.Query({.sql = std::string("SELECT ") + what + " FROM " + call}, 1, &found);
    if (failure) return Bad(*failure);
    const engine::Value cell = found.rows.at(0).at(0);
    return std::holds_alternative<std::string>(cell) ? std::get<std::string>(cell) : std::string();
  }

 private:
  // When the columns cannot even be told, DuckDB names no line. Reading again with as many texts as
  // the first line has fields finds the first line that does not fit.
  Error Bad(const Failure& failure) {
    ResultTable ignored;
    const auto found =
        connection_.Query({.sql = "SELECT count(*) FROM " + reader_.RigidSql()}, 1, &ignored);
    return BadFile(source_, found ? *found : failure);
  }

  Connection& connection_;
  const TableFile& source_;
  FileReader& reader_;
};

// Numbers with a comma are texts to DuckDB unless it is told.
Result<Done> FindDecimals(Values& values, const Columns& columns, const TableFile& source,
                          FileReader& reader, Names& notes) {
  if (reader.dialect().decimal) return Done{};
  TACIT_TRY(
      const Names with_comma,
      values.Which(NamesOf(columns, [](const ValueType& t) { return t.kind == TypeKind::kText; }),
                   "bool_and(regexp_full_match($, '[+-]?[0-9]+(,[0-9]+)?')) AND "
                   "bool_or(contains($, ','))"));
  if (with_comma.empty()) return Done{};
  TACIT_TRY(
      const Names thousands,
      values.Which(with_comma, "bool_and(regexp_full_match($, '[+-]?[0-9]{1,3}(,[0-9]{3})?'))"));
  const Names with_point = NamesOf(columns, [](const ValueType& t) { return t.IsFloat(); });
  if (!thousands.empty() || !with_point.empty()) {
    return InvalidArgument(
        "the numbers of " + source.file + " can be read in two ways: " + Joined(with_comma) +
            (thousands.empty() ? " have a comma and " + Joined(with_point) + " a point"
                               : " have a comma before three digits"),
        "say which one separates the fraction: --decimal , or --decimal . (numbers with the "
        "other one are then texts)");
  }
  reader.dialect().decimal = ',';
  notes.push_back(source.table + ": numbers of " + Joined(with_comma) + " have a decimal comma");
  return Done{};
}

std::string WithDayAndMonthExchanged(std::string format) {
  const size_t day = format.find("%d"), month = format.find("%m");
  if (day == std::string::npos || month == std::string::npos) return "";
  if (format.starts_with("%Y-%m-%d")) return "";
  std::swap(format[day + 1], format[month + 1]);
  return format;
}

// 01/02/2023 is a day in January or in February.
Result<Done> FindDates(Values& values, const Columns& columns, const TableFile& source,
                       FileReader& reader, Names& notes) {
  struct Form {
    const char* what;
    const char* flag;
    std::string* format;
    bool (*wanted)(const ValueType&);
  };
  const Form forms[] = {
      {"DateFormat", "--date-format", &reader.dialect().date_format,
       [](const ValueType& t) { return t.kind == TypeKind::kDate; }},
      {"TimestampFormat", "--timestamp-format", &reader.dialect().timestamp_format,
       [](const ValueType& t) { return t.kind == TypeKind::kTimestamp; }}};
  for (const Form& form : forms) {
    const Names names = NamesOf(columns, form.wanted);
    if (names.empty() || !form.format->empty()) continue;
    TACIT_TRY(const std::string found, values.FormatOf(form.what));
    if (found.empty()) continue;
    const std::string other = WithDayAndMonthExchanged(found);
    if (!other.empty()) {
      TACIT_TRY(const Names both, values.Which(names, "bool_and($ IS NULL OR try_strptime($, " +
                                                          QuoteLiteral(other) + ") IS NOT NULL)"));
      if (both.size() == names.size()) {
        return InvalidArgument("the dates of " + Joined(both) + " in " + source.file +
                                   " can be read as " + found + " and as " + other,
                               std::string("say which it is: ") + form.flag + " '" + found +
                                   "' or " + form.flag + " '" + other + "'");
      }
    }
    *form.format = found;
    notes.push_back(source.table + ": " + Joined(names) + " written as " + found);
  }
  return Done{};
}

// 18.04.2023 19:26, which DuckDB takes for a text unless it is told. Before a point stands the day.
Result<Done> FindMoments(Values& values, const Columns& columns, const TableFile& source,
                         FileReader& reader, Names& notes) {
  std::string& format = reader.dialect().timestamp_format;
  const Names texts =
      NamesOf(columns, [](const ValueType& t) { return t.kind == TypeKind::kText; });
  for (const char* written : {"%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S"}) {
    if (!format.empty()) return Done{};
    TACIT_TRY(const Names found,
              values.Which(texts, "count($) > 0 AND bool_and($ IS NULL OR try_strptime($, " +
                                      QuoteLiteral(written) + ") IS NOT NULL)"));
    if (found.empty()) continue;
    format = written;
    notes.push_back(source.table + ": " + Joined(found) + " written as " + written);
  }
  return Done{};
}

// Up to three texts among numbers, or among dates, are most likely marks for what is missing: with
// them the column is one of texts. $ is the column.
Result<Done> FindMarks(Values& values, const Columns& columns, const TableFile& source,
                       Names& notes) {
  struct Kind {
    const char* what;
    const char* test;
  };
  static constexpr Kind kKinds[] = {
      {"numbers", "regexp_full_match(trim($), '[+-]?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]+)?')"},
      {"dates",
       "try_strptime($, ['%Y-%m-%d', '%d.%m.%Y', '%d/%m/%Y', '%m/%d/%Y', '%Y-%m-%d %H:%M:%S', "
       "'%d.%m.%Y %H:%M', '%d.%m.%Y %H:%M:%S']) IS NOT NULL"}};
  const Names texts =
      NamesOf(columns, [](const ValueType& t) { return t.kind == TypeKind::kText; });
  for (const Kind& kind : kKinds) {
    const std::string is = std::string("FILTER ($ IS NOT NULL AND ") + kind.test + ")";
    const std::string is_not = std::string("FILTER ($ IS NOT NULL AND NOT (") + kind.test + "))";
    TACIT_TRY(const std::vector<engine::Value> found,
              values.Ask(texts, "CASE WHEN count(*) " + is + " > 0 AND count(*) " + is +
                                    " >= count(*) " + is_not + " AND count(DISTINCT $) " + is_not +
                                    " <= 3 THEN string_agg(DISTINCT $, chr(31) ORDER BY $) " +
                                    is_not + " END"));
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto* joined = std::get_if<std::string>(&found[i]);
      if (joined == nullptr) continue;
      std::string marks, flags;
      for (size_t at = 0; at <= joined->size();) {
        const size_t end = std::min(joined->find('\x1f', at), joined->size());
        const std::string mark = "'" + joined->substr(at, end - at) + "'";
        marks += (marks.empty() ? "" : " and ") + mark;
        flags += (flags.empty() ? "--null " : " --null ") + mark;
        at = end + 1;
      }
      const bool several = marks.find("' and '") != std::string::npos;
      notes.push_back(source.table + ": " + texts[i] + " is text, because " + marks +
                      (several ? " stand" : " stands") + " among its " + kind.what + "; " + flags +
                      (several ? " read them as no value" : " reads it as no value"));
    }
  }
  return Done{};
}

}  // namespace

Result<Done> ReadValues(Connection& connection, const TableFile& source, FileReader& reader,
                        Names& notes) {
  notes.push_back(source.table + ": " + ToText(reader.shape()));
  Values values(connection, source, reader);
  TACIT_TRY(Columns columns, values.Shape());
  TACIT_CHECK(FindDecimals(values, columns, source, reader, notes));
  if (reader.dialect().decimal == ',') {
    TACIT_TRY(columns, values.Shape());
  }
  TACIT_CHECK(FindDates(values, columns, source, reader, notes));
  TACIT_CHECK(FindMoments(values, columns, source, reader, notes));
  TACIT_CHECK(FindMarks(values, columns, source, notes));
  // Columns of digits where some value begins with a zero ("01234"): codes, not numbers. Read as
  // numbers they would lose the zero.
  TACIT_TRY(const Names codes,
            values.Which(NamesOf(columns, [](const ValueType& t) { return t.IsWhole(); }),
                         "bool_or(regexp_matches($, '^0[0-9]'))"));
  if (!codes.empty()) {
    reader.ReadAsText(codes);
    notes.push_back(source.table + ": " + Joined(codes) +
                    " kept as text, because values begin with 0");
  }
  return Done{};
}

}  // namespace tacit::owner
