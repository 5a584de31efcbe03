#include "owner/init/write_policy.h"

#include <algorithm>

#include "base/whole_file.h"
#include "policy/edit.h"

namespace tacit::owner {
namespace {

constexpr char kHead[] =
    R"(# The policy of this data: what may be asked, and what it costs. `tacit check` reads it with you.
tacit: 1
data_version: 1       # raise it when the data changed: stored answers of older data are not replayed
@ENGINE@ledger: {kind: sqlite, path: ledger.sqlite}

privacy:
  neighbours: add_remove   # the promise compares the data with and without one person
  protects: 1              # people at once; 4 protects a family
  # zcdp: from about eleven questions on, less noise for the same promise, with a small delta.
  # pure: for fewer, or for a delta of 0. It cannot be changed after the first charge.
  accounting: zcdp
  # DECIDE: what all answers together may give away, for the life of the data. Below 1 protects
  # strongly, above 10 hardly at all. delta: far below one in the number of people.
  budget: {epsilon: 3, delta: 1e-6}
  # What a query costs unless it names a price, and the most that it may name.
  query: {epsilon: 0.1, epsilon_max: 0.5, delta: 1e-9}

# A table that is not listed does not exist for anyone who asks.
tables:
)";

constexpr char kUndecided[] = R"(  # DECIDE whose privacy these rows hold, and write one of:
  #   unit: COLUMN                        one person = one value of that column
  #   unit: {via: COLUMN, to: TABLE}      the person is found through another table
  #   unit: row                           one row is one person
  #   public: true                        nobody's: everything in it may be read by anyone
  # and, except for row and public, the most rows of one person that count:
  #   rows_per_unit: 1
  unit:
)";

constexpr char kTail[] = R"(
# Who may ask over the network; `tacit password` makes the verifier.
# analysts:
#   ana: {password: "SCRAM-SHA-256$...", budget: {epsilon: 3, delta: 1e-6}}
)";

std::string ColumnLine(const policy::SchemaColumn& column, bool is_unit) {
  std::string text = "    " + policy::YamlText(column.name) + ": ";
  text += is_unit ? "{hidden: true}" : "{}";
  text.resize(std::max<size_t>(text.size() + 2, 34), ' ');
  text += "# " + PostgresName(column.type);
  if (is_unit) return text + ": only to join and to count people\n";
  if (column.type.IsNumber()) return text + "; to sum it, declare bounds: [LOW, HIGH]\n";
  if (column.type.kind == TypeKind::kText || column.type.kind == TypeKind::kBoolean) {
    return text + "; to see every group, declare keys: [A, B]\n";
  }
  if (column.type.kind == TypeKind::kDate || column.type.kind == TypeKind::kTimestamp) {
    return text +
           "; to see every day, week and month, declare keys: {from: YYYY-MM-DD, to: "
           "YYYY-MM-DD, step: day}\n";
  }
  return text + "\n";
}

}  // namespace

std::string WriteTableEntry(const policy::SchemaTable& table, const std::vector<UnitColumn>& units,
                            bool is_public) {
  std::string text = policy::YamlText(table.name) + ":\n";
  if (is_public) return text + "  public: true\n";
  const auto unit = std::find_if(units.begin(), units.end(), [&](const UnitColumn& u) {
    return policy::SameName(u.table, table.name);
  });
  const policy::SchemaColumn* column = unit == units.end() ? nullptr : table.Find(unit->column);
  if (column == nullptr) {
    text += kUndecided;
  } else {
    text += "  unit: " + policy::YamlText(column->name) + "\n";
    text += "  rows_per_unit: 1     # DECIDE: the most rows of one person that count\n";
  }
  text += "  # DECIDE: bounds and keys come from what you know, never from a look at the rows.\n";
  text += "  columns:\n";
  for (const policy::SchemaColumn& each : table.columns) text += ColumnLine(each, &each == column);
  return text;
}

std::string WritePolicy(const policy::Schema& schema, const std::vector<UnitColumn>& units,
                        const std::string& engine) {
  std::string text = kHead;
  constexpr std::string_view kEngine = "@ENGINE@";
  text.replace(text.find(kEngine), kEngine.size(), engine);
  for (const policy::SchemaTable& table : schema.tables) {
    const std::string entry = WriteTableEntry(table, units, false);
    for (const std::string_view line : LinesOf(entry)) text.append("  ").append(line).append("\n");
  }
  return text + kTail;
}

namespace {

constexpr char kUnpreparedTail[] = R"(
# The rows stay on their server, and nothing is prepared there: how long a question takes may tell
# of people with far more rows than rows_per_unit. DECIDE whether whoever asks may see such times:
# server: {unprepared: allow}
)";

std::string Said(const char* word, const std::string& text) {
  return text.empty() ? "" : std::string(", ") + word + ": " + policy::YamlText(text);
}

std::string PostgresSection(const policy::PostgresSettings& settings, const ServerTables& server) {
  return "engine: {kind: postgres, dsn: " + policy::YamlText(settings.dsn) +
         Said("password", server.password) + Said("schema", settings.schema) + "}\n";
}

std::string TrinoSection(const policy::TrinoSettings& settings, const ServerTables& server) {
  std::string unique;
  for (const policy::ColumnOfTable& one : settings.unique) {
    unique +=
        (unique.empty() ? ", unique: [" : ", ") + policy::YamlText(one.table + "." + one.column);
  }
  return "engine: {kind: trino, url: " + policy::YamlText(settings.url) +
         Said("catalog", settings.catalog) + Said("schema", settings.schema) +
         Said("user", settings.user) + Said("password", server.password) +
         Said("ca", server.authorities) + unique + (unique.empty() ? "" : "]") + "}\n";
}

}  // namespace

std::string WritePolicy(const policy::Schema& schema, const std::vector<UnitColumn>& units,
                        const ServerTables& server) {
  const auto* postgres = std::get_if<policy::PostgresSettings>(&server.settings);
  const std::string engine =
      postgres != nullptr ? PostgresSection(*postgres, server)
                          : TrinoSection(std::get<policy::TrinoSettings>(server.settings), server);
  return WritePolicy(schema, units, engine) + kUnpreparedTail;
}

}  // namespace tacit::owner
