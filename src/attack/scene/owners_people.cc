#include "attack/scene/owners_people.h"

#include <algorithm>
#include <map>

#include "attack/report.h"
#include "attack/scene/owners_rows.h"
#include "owner/read_rows.h"
#include "policy/load.h"
#include "sql/print/quote.h"

namespace tacit::attack {
namespace {

using owner::ExactRows;

std::string Literal(const std::string& value, const ValueType& type) {
  if (type.IsInteger() || type.kind == TypeKind::kNumeric) return value;
  return sql::QuoteString(value);
}

bool CanBeSecret(const ValueType& type) {
  return type.IsInteger() || type.kind == TypeKind::kNumeric || type.kind == TypeKind::kText;
}

// By a day of birth most people can.
bool CanBeNamed(const ValueType& type) { return CanBeSecret(type) || type.kind == TypeKind::kDate; }

Result<const policy::Table*> TableOf(const policy::Policy& policy, const std::string& name) {
  for (const policy::Table& table : policy.tables) {
    const bool meant = name.empty() ? HasOneRowEach(table) : policy::SameName(table.name, name);
    if (!meant) continue;
    if (HasOneRowEach(table)) return &table;
    return InvalidArgument("table " + name + " does not hold one row a person",
                           "choose a table with rows_per_unit: 1 that holds the unit itself");
  }
  if (name.empty()) {
    return InvalidArgument(
        policy.file + " has no table with one row a person",
        "an attack guesses one fact about one person; name a table with --table");
  }
  return InvalidArgument(policy.file + " has no table " + name);
}

std::string UnitColumn(const policy::Table& table) {
  const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit);
  return unit != nullptr ? unit->column : "";
}

struct Secret {
  size_t column = 0;
  std::string value;
};

// Words for having nothing: nobody keeps those.
bool SaysNothing(const std::string& value) {
  static constexpr const char* kWords[] = {"",      "none",    "no",    "healthy", "unknown",
                                           "other", "n/a",     "na",    "-",       "false",
                                           "0",     "nothing", "normal"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](const char* word) { return policy::SameName(word, value); });
}

// A secret worth keeping is what few have: of the values that one person in fifty has or more, so
// that there is somebody to attack, the rarest. Where there is none, the most frequent.
std::string WorthKeeping(const ExactRows& rows, size_t column) {
  std::map<std::string, int64_t> counts;
  for (const auto& row : rows.cells) {
    if (row[column]) ++counts[*row[column]];
  }
  const std::pair<const std::string, int64_t>* rarest = nullptr;
  for (const auto& one : counts) {
    const bool enough = one.second * 50 >= static_cast<int64_t>(rows.cells.size());
    if (!enough || SaysNothing(one.first)) continue;
    if (rarest == nullptr || one.second < rarest->second) rarest = &one;
  }
  if (rarest != nullptr) return rarest->first;
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? "" : most->first;
}

// A fact about a person that is not on a public list and has no range: a disease, not an age.
Result<Secret> LikelySecret(const ExactRows& rows, const policy::Table& table) {
  for (const bool strict : {true, false}) {
    for (size_t i = 0; i < rows.columns.size(); ++i) {
      const policy::SchemaColumn& column = rows.columns[i];
      const policy::Column* declared = table.Find(column.name);
      const bool is_unit = policy::SameName(column.name, UnitColumn(table));
      if (is_unit || table.IsHidden(column.name) || !CanBeSecret(column.type)) continue;
      if (strict && declared != nullptr && (declared->bounds || declared->keys)) continue;
      const std::string value = WorthKeeping(rows, i);
      if (!value.empty()) return Secret{i, value};
    }
  }
  return InvalidArgument("table " + table.name + " has no column that could be a secret",
                         "name one: --secret COLUMN=VALUE");
}

Result<Secret> SecretOf(const ExactRows& rows, const policy::Table& table,
                        const std::string& text) {
  if (text.empty()) return LikelySecret(rows, table);
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    return InvalidArgument("--secret is COLUMN=VALUE, not '" + text + "'");
  }
  const std::string name = text.substr(0, equals);
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    if (!policy::SameName(rows.columns[i].name, name)) continue;
    if (table.IsHidden(rows.columns[i].name)) {
      return InvalidArgument("column " + name + " is hidden: nobody can ask about it",
                             "choose a column that analysts may filter by");
    }
    if (!CanBeSecret(rows.columns[i].type)) {
      return InvalidArgument("column " + name + " holds neither text nor whole numbers");
    }
    return Secret{i, text.substr(equals + 1)};
  }
  return InvalidArgument("table " + table.name + " has no column " + name);
}

// Every condition over visible columns but the secret that one person alone meets.
void PinBySight(const ExactRows& rows, const policy::Table& table, size_t secret, People& people) {
  std::vector<size_t> seen;
  for (size_t i = 0; i < rows.columns.size(); ++i) {
    const policy::SchemaColumn& column = rows.columns[i];
    const bool is_unit = policy::SameName(column.name, UnitColumn(table));
    if (i != secret && !is_unit && !table.IsHidden(column.name) && CanBeNamed(column.type)) {
      seen.push_back(i);
    }
  }
  const auto condition = [&](const auto& row) {
    std::string text;
    for (const size_t i : seen) {
      if (!row[i]) return std::string();  // NULL equals nothing
      text += (text.empty() ? "" : " AND ") + sql::QuoteIdentifier(rows.columns[i].name) + " = " +
              Literal(*row[i], rows.columns[i].type);
    }
    return text;
  };
  std::map<std::string, int64_t> times;
  std::vector<std::string> conditions;
  for (const auto& row : rows.cells) {
    conditions.push_back(condition(row));
    ++times[conditions.back()];
  }
  for (size_t r = 0; r < rows.cells.size(); ++r) {
    if (!conditions[r].empty() && times[conditions[r]] == 1) people.pins[r] = conditions[r];
  }
}

}  // namespace

bool HasOneRowEach(const policy::Table& table) {
  return !table.is_public && table.rows_per_unit == 1 &&
         !std::holds_alternative<policy::UnitIsReached>(table.unit);
}

Result<std::string> SecretColumnOf(const OwnedTable& owned, const std::string& secret) {
  TACIT_TRY(const Secret found, SecretOf(owned.rows, owned.table(), secret));
  return owned.rows.columns[found.column].name;
}

Result<OwnedTable> ReadOwnedTable(const std::string& path, const std::string& table_name) {
  OwnedTable owned;
  TACIT_TRY(owned.policy, policy::Load(path));
  TACIT_TRY(const policy::Table* table, TableOf(owned.policy, table_name));
  owned.name = table->name;
  TACIT_TRY(owned.rows, owner::ReadRows(owned.policy, table->name, kOwnersRowsMax));
  owned.source = Shown(static_cast<double>(owned.rows.cells.size())) + " people of " + table->name;
  return owned;
}

Result<People> OwnersPeople(const policy::Policy& policy, const std::string& table_name,
                            const std::string& secret_text) {
  TACIT_TRY(const policy::Table* table, TableOf(policy, table_name));
  TACIT_TRY(const ExactRows rows, owner::ReadRows(policy, table->name, kOwnersRowsMax));
  TACIT_TRY(const Secret secret, SecretOf(rows, *table, secret_text));
  const policy::SchemaColumn& column = rows.columns[secret.column];
  People all{.table = sql::QuoteIdentifier(table->name), .secret = "", .shown = ""};
  all.secret = sql::QuoteIdentifier(column.name) + " = " + Literal(secret.value, column.type);
  all.shown = column.name + " = " + secret.value;
  all.pins.resize(rows.cells.size());
  const std::string unit = UnitColumn(*table);
  if (!unit.empty() && !table->IsHidden(unit)) {
    const auto is_unit = [&](const auto& c) { return policy::SameName(c.name, unit); };
    const auto at = static_cast<size_t>(
        std::find_if(rows.columns.begin(), rows.columns.end(), is_unit) - rows.columns.begin());
    if (at == rows.columns.size()) {
      return InvalidArgument("table " + table->name + " has no column " + unit, "run tacit check");
    }
    all.id_column = sql::QuoteIdentifier(unit);
    for (size_t r = 0; r < rows.cells.size(); ++r) {
      if (rows.cells[r][at]) all.pins[r] = Literal(*rows.cells[r][at], rows.columns[at].type);
    }
  } else {
    PinBySight(rows, *table, secret.column, all);
  }
  People people{.table = all.table, .secret = all.secret, .shown = all.shown};
  people.id_column = all.id_column;
  for (size_t r = 0; r < rows.cells.size(); ++r) {
    const std::optional<std::string>& cell = rows.cells[r][secret.column];
    const bool has = cell && *cell == secret.value;
    if (all.pins[r].empty() && !all.id_column.empty()) continue;  // no unit: nobody's row
    if (all.pins[r].empty()) {
      ++people.others;
      people.others_with_secret += has ? 1 : 0;
    } else {
      people.pins.push_back(std::move(all.pins[r]));
      people.has_secret.push_back(has);
    }
  }
  const auto known = std::count(people.has_secret.begin(), people.has_secret.end(), true);
  // Why 20 of each: fewer, and no rate of success would mean anything.
  if (known < 20 || static_cast<int64_t>(people.size()) - known < 20) {
    return InvalidArgument(
        "too few people of " + table->name + " can be named to attack " + people.shown,
        "choose another --secret, or a table whose people can be singled out");
  }
  return people;
}

}  // namespace tacit::attack
