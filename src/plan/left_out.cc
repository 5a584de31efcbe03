#include "plan/left_out.h"

#include <algorithm>
#include <map>

#include "plan/above/post_text.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/quote.h"
#include "sql/walk.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::KeySource;

// Why 12: a condition that fits a line; of longer lists the sentence says another way to count.
constexpr size_t kValuesShownMax = 12;

bool HasOuterJoin(const analysis::RowSource& source) {
  const auto* join = analysis::As<analysis::RowJoin>(source);
  if (join == nullptr) return false;
  const bool inner = join->kind == sql::JoinKind::kInner || join->kind == sql::JoinKind::kCross;
  return !inner || HasOuterJoin(join->left) || HasOuterJoin(join->right);
}

// A column of a public table or of VALUES has the values of its own list, each row one of them.
bool IsItsOwnList(const KeySource& source, const analysis::RowColumn& column) {
  const auto* table = std::get_if<policy::KeysOfTable>(&source.keys);
  return column.table == "VALUES" ||
         (table != nullptr && table->table == column.table && table->column == column.column);
}

std::string NameOf(const Block& block, const KeySource& source) {
  return sql::QuoteIdentifierIfNeeded(block.ColumnOf(source.column).column);
}

// The key as it is written, with the columns' own names.
std::string TextOf(const Block& block, const analysis::Key& key) {
  return sql::PrintCanonical(
      sql::Transform(key.expression, [&](const sql::Expression& node) -> sql::Expression {
        const auto* reference = sql::As<sql::ColumnReference>(node);
        if (reference == nullptr) return node;
        for (const auto& [name, column] : block.columns) {
          if (name == *reference) {
            return sql::MakeExpression(sql::ColumnReference{"", column.column});
          }
        }
        return node;
      }));
}

// The column of `x IS NOT NULL` where the policy requires x; null for other filters.
const analysis::RowColumn* RequiredBy(const Block& block, const analysis::Expression& filter) {
  const auto* is_null = sql::As<sql::IsNull>(filter);
  if (is_null == nullptr || !is_null->negated) return nullptr;
  const auto* reference = sql::As<sql::ColumnReference>(is_null->operand);
  if (reference == nullptr) return nullptr;
  for (const auto& [name, column] : block.columns) {
    if (name == *reference) return column.required ? &column : nullptr;
  }
  return nullptr;
}

// The table that the rows are of, where the question has nothing else; empty elsewhere.
std::string WholeTableOf(const Block& block) {
  const auto* scan = analysis::As<analysis::TableScan>(block.rows.source);
  size_t calendars = 0;
  std::vector<sql::ColumnReference> seen;
  for (const analysis::Key& key : block.keys) {
    for (const KeySource& source : key.sources) {
      if (std::find(seen.begin(), seen.end(), source.column) != seen.end()) continue;
      seen.push_back(source.column);
      calendars += std::holds_alternative<policy::KeyCalendar>(source.keys) ? 1 : 0;
    }
  }
  const auto required = std::count_if(
      block.rows.filters.begin(), block.rows.filters.end(),
      [&](const analysis::Expression& filter) { return RequiredBy(block, filter) != nullptr; });
  const size_t own = calendars + static_cast<size_t>(required);
  if (scan == nullptr || block.rows.filters.size() != own) return "";
  return sql::QuoteIdentifierIfNeeded(scan->table);
}

std::string Where(const std::string& column, const KeySource& source) {
  const std::string or_null = source.with_null ? "" : column + " IS NULL OR ";
  if (const auto* calendar = std::get_if<policy::KeyCalendar>(&source.keys)) {
    return or_null + column + " < '" + policy::InstantText(calendar->first) + "' OR " + column +
           " >= '" + policy::InstantText(calendar->End()) + "'";
  }
  std::string list;
  for (const policy::KeyValue& value : policy::ExpandKeys(source.keys)) {
    if (value.kind == policy::KeyValue::Kind::kNull) continue;
    list += (list.empty() ? "" : ", ") + KeyValueText(value);
  }
  return or_null + column + " NOT IN (" + list + ")";
}

bool IsShort(const KeySource& source) {
  const std::optional<int64_t> count = policy::CountOf(source.keys);
  return std::holds_alternative<policy::KeyCalendar>(source.keys) ||
         (count && *count <= static_cast<int64_t>(kValuesShownMax));
}

std::string HowToCount(const Block& block, const std::string& column, const KeySource& source) {
  const std::string table = WholeTableOf(block);
  if (table.empty() || !IsShort(source)) {
    return "; the same question without GROUP BY counts them too";
  }
  return "; to count them: SELECT count(*) FROM " + table + " WHERE " + Where(column, source);
}

std::string OfCalendar(const Block& block, const KeySource& source,
                       const policy::KeyCalendar& calendar) {
  const std::string name = NameOf(block, source);
  return "rows whose " + name + " is before " + policy::InstantText(calendar.first) +
         " or not before " + policy::InstantText(calendar.End()) +
         (source.with_null ? "" : ", or NULL,") + " are left out" + HowToCount(block, name, source);
}

// What coalesce(column, literal) makes of NULL, in text; empty where the key is anything else.
std::string InsteadOfNull(const analysis::Key& key) {
  const auto* call = sql::As<sql::Call>(key.expression);
  if (call == nullptr || call->name != "coalesce" || call->arguments.size() != 2) return "";
  const bool of_a_column = sql::As<sql::ColumnReference>(call->arguments[0]) != nullptr;
  const bool by_a_literal = sql::As<sql::Literal>(call->arguments[1]) != nullptr;
  return of_a_column && by_a_literal ? sql::PrintCanonical(call->arguments[1]) : "";
}

// A stored value that is spelled as the literal is counted in its group.
std::string OfFilledColumn(const Block& block, const KeySource& source,
                           const std::string& literal) {
  const std::string name = NameOf(block, source);
  const std::string text =
      "rows whose " + name + " is neither NULL nor on the policy's list of keys are left out";
  const std::string table = WholeTableOf(block);
  if (table.empty() || !IsShort(source)) {
    return text + "; the same question without GROUP BY counts them too";
  }
  std::string where = Where(name, source);
  where.insert(where.size() - 1, ", " + literal);
  return text + "; to count them: SELECT count(*) FROM " + table + " WHERE " + where;
}

// One sentence for each table.
std::vector<std::string> OfRequiredColumns(const Block& block) {
  std::map<std::string, std::vector<std::string>> required;  // by table
  for (const auto& [name, column] : block.columns) {
    if (!column.required) continue;
    std::vector<std::string>& columns = required[sql::QuoteIdentifierIfNeeded(column.table)];
    const std::string quoted = sql::QuoteIdentifierIfNeeded(column.column);
    if (std::find(columns.begin(), columns.end(), quoted) == columns.end()) {
      columns.push_back(quoted);
    }
  }
  std::vector<std::string> notices;
  for (const auto& [table, columns] : required) {
    std::string names = columns[0];
    for (size_t i = 1; i < columns.size(); ++i) {
      names += (i + 1 == columns.size() ? " or " : ", ") + columns[i];
    }
    notices.push_back("rows of " + table + " without " + names +
                      " are left out: the policy requires a value");
  }
  return notices;
}

}  // namespace

std::vector<std::string> LeftOutNotices(const Block& block) {
  std::vector<std::string> notices = OfRequiredColumns(block);
  if (!block.counted_values.empty()) return notices;  // plan/worth.h says what is counted
  const auto add = [&](std::string notice) {
    if (std::find(notices.begin(), notices.end(), notice) == notices.end()) {
      notices.push_back(std::move(notice));
    }
  };
  const bool outer = HasOuterJoin(block.rows.source);
  for (const analysis::Key& key : block.keys) {
    std::vector<const KeySource*> listed;
    for (const KeySource& source : key.sources) {
      const auto* calendar = std::get_if<policy::KeyCalendar>(&source.keys);
      if (calendar != nullptr) {
        add(OfCalendar(block, source, *calendar));
      } else if (!IsItsOwnList(source, block.ColumnOf(source.column)) ||
                 (outer && !source.with_null)) {
        listed.push_back(&source);
      }
    }
    if (listed.empty()) continue;
    if (sql::As<sql::ColumnReference>(key.expression) != nullptr) {
      const std::string name = NameOf(block, *listed.front());
      add("rows whose " + name + " is not on the policy's list of keys are left out" +
          HowToCount(block, name, *listed.front()));
    } else if (const std::string literal = InsteadOfNull(key);
               !literal.empty() && listed.front()->with_null) {
      add(OfFilledColumn(block, *listed.front(), literal));
    } else {
      add("rows whose " + TextOf(block, key) +
          " is not what the policy's list of keys gives are left out; the same question without "
          "GROUP BY counts them too");
    }
  }
  return notices;
}

}  // namespace tacit::plan
