#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/numbers/privacy_parameters.h"
#include "base/value_type.h"
#include "policy/keys/keys.h"
#include "policy/read/address_range.h"

// What the owner declared in tacit.yaml, as plain values. policy/load.h makes a Policy and leaves
// nothing to check but what needs the database: every name that the policy itself can resolve is
// resolved, every number is exact and in range. Lookups by name ignore ASCII case
// (policy/schema.h).

namespace tacit::policy {

// Where a word stands in the policy file, counted from one.
struct Place {
  int line = 0;
  int column = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

enum class Neighbours { kAddRemove, kReplaceOne };
enum class Accounting { kPure, kZcdp };

struct Budget {
  Epsilon epsilon;
  Delta delta;
};

// A query's price unless it names another, and the most that it may name.
struct QueryPrice {
  Epsilon epsilon;
  Epsilon epsilon_max;
  Delta delta;
  Place place;
};

struct Privacy {
  Neighbours neighbours = Neighbours::kAddRemove;
  int protects = 1;  // people at once
  Accounting accounting = Accounting::kPure;
  Budget budget;
  Place budget_place;
  QueryPrice query;
};

// Both ends belong to the range; low <= high.
struct Bounds {
  Rational low;
  Rational high;
};

// The public grid that a bounded column is summed on: value = steps * step. Every clamped and
// rounded value lies in [low_steps, high_steps]; both magnitudes fit 2^62, so that no sum over a
// table overflows 128 bits.
struct Grid {
  Rational step;
  Int128 low_steps = 0;
  Int128 high_steps = 0;
};

struct Column {
  std::string name;
  Place place;
  bool hidden = false;  // only in joins along the unit path and in count(DISTINCT ...)
  std::optional<Bounds> bounds;
  std::optional<Bounds> span;    // bounds of dates and times, in seconds since 1970
  std::optional<Rational> step;  // as declared; GridOf knows the default
  std::optional<KeyList> keys;
  // What one person's values add up to at most, by their sizes: sums are clamped to it.
  std::optional<Rational> sum_per_unit = {};
  bool required = false;  // a row where it is NULL counts nowhere
};

// The step when the owner names none: 1 for whole numbers, else the largest power of ten at most
// a millionth of the range (of the magnitude, where the range is a single value).
Rational DefaultStep(const Bounds& bounds, bool whole);

// The grid of any range, e.g. one that analysis derived. The error says that the range is too wide
// for the step.
Result<Grid> MakeGrid(const Bounds& bounds, const Rational& step);

// The grid of a declared column; the caller has checked that it has bounds.
Result<Grid> GridOf(const Column& column, const ValueType& type);

// One row is one person.
struct UnitIsRow {};
// One person is one value of this column of the table itself.
struct UnitIsColumn {
  std::string column;
};
// The person is found through a foreign key: this table's `via` equals to_table's to_column. Both
// names are resolved ("to: patients" has become patients.ssn).
struct UnitIsReached {
  std::string via;
  std::string to_table;
  std::string to_column;
};
using Unit = std::variant<UnitIsRow, UnitIsColumn, UnitIsReached>;

struct Table {
  std::string name;
  Place place;
  bool is_public = false;  // then nothing below but columns means anything
  Unit unit;
  Place unit_place;
  // Caps, enforced at the scan; 1 each under `unit: row`.
  int64_t rows_per_unit = 1;
  int64_t groups_per_unit = 1;
  int64_t rows_per_group = 1;
  int64_t rows_max = 0;  // the table never holds more, as stored: a public number; 0: not declared
  std::vector<Column> columns;  // in the file's order; a column that is not listed has no facts
  // What no row can be, as conditions in SQL: synthetic rows are not it either. Questions do not
  // know it.
  std::vector<std::string> impossible = {};

  // Whether rows_per_unit can cut anything off: not where one row is one person.
  bool IsCapped() const { return !is_public && !std::holds_alternative<UnitIsRow>(unit); }
  const Column* Find(std::string_view column) const;
  bool IsHidden(std::string_view column) const;
};

struct UnitHop {
  std::string from_table;
  std::string via;
  std::string to_table;
  std::string to_column;
};

// The way from a table's rows to the person: no hops when the table holds the unit itself.
// root_column is empty under `unit: row`.
struct UnitPath {
  std::vector<UnitHop> hops;
  std::string root_table;
  std::string root_column;

  // What the hop reads of the table that it leads to: the next foreign key, or the unit.
  const std::string& ReadAt(size_t hop) const;
  // Whether the key that the hop follows has to be unique there, so that a row has one person:
  // where it is what is read itself, any number of rows say the same.
  bool NeedsUniqueKey(size_t hop) const;
};

// A column whose type no file says: a word of SQL, such as bigint or numeric(10,2).
struct TypedColumn {
  std::string name;
  std::string type;
  friend bool operator==(const TypedColumn&, const TypedColumn&) = default;
};

// A table that stands in files of the owner's and is read where they are (engine/duckdb/files).
struct FileTable {
  enum class Format { kParquet, kCsv, kDuckdb };
  std::string name;
  Place place;
  Format format = Format::kParquet;
  std::string files;                         // one, or a pattern; resolved
  std::string stored_name = {};              // of kDuckdb: the table in that file
  std::vector<TypedColumn> columns = {};     // of CSV files: all, in their order
  std::vector<TypedColumn> partitions = {};  // columns that are folders, as in year=2024
  char delimiter = ',';                      // of CSV files
  std::vector<std::string> nulls = {};       // what means that there is no value, in CSV files
  friend bool operator==(const FileTable&, const FileTable&) = default;
};

struct DuckdbSettings {
  // Resolved against the policy's folder. Where `tables` says where the rows are, there is no such
  // file, and what is kept beside the data still has its name.
  std::string path;
  int64_t memory_mb = 0;               // that a database may take; 0: the engine's own choice
  std::string spill = {};              // where it puts what does not fit; resolved; empty: nowhere
  int64_t spill_mb = 0;                // the most of that; 0: half of what is free
  std::vector<FileTable> tables = {};  // that are read in place; empty: all are in `path`

  bool ReadsFiles() const { return !tables.empty(); }
};
struct PostgresSettings {
  std::string dsn;            // without a password
  std::string password = {};  // resolved; empty: as libpq finds one
  std::string schema = "public";
  std::string prepared = {};  // the schema that `tacit prepare` writes to; empty: none
};
// A column of a table.
struct ColumnOfTable {
  std::string table;
  std::string column;
  friend bool operator==(const ColumnOfTable&, const ColumnOfTable&) = default;
};
struct TrinoSettings {
  std::string url;  // http or https, a host and a port, nothing behind them
  std::string catalog;
  std::string schema;
  std::string user = "tacit";
  std::string password = {};     // resolved; empty: none is sent
  std::string authorities = {};  // a PEM file, resolved against the policy's folder
  std::vector<std::pair<std::string, std::string>> session = {};  // properties
  // Columns that hold no value twice: nothing there enforces it, and a start looks.
  std::vector<ColumnOfTable> unique = {};
};
using EngineSettings = std::variant<DuckdbSettings, PostgresSettings, TrinoSettings>;

struct SqliteLedger {
  std::string path;          // resolved against the policy's folder
  std::string witness = {};  // a second head file, elsewhere; resolved; empty: none
};
// In a database that several gateways share.
struct PostgresLedger {
  std::string dsn;            // as libpq reads it, without a password
  std::string password = {};  // empty: by libpq's own ways
  std::string schema = "tacit_ledger";
  std::string path = {};  // what this gateway keeps of it begins with this; resolved
};
using LedgerSettings = std::variant<SqliteLedger, PostgresLedger>;

struct Tls {
  std::string certificate;  // paths, resolved
  std::string key;
};

// What is done about protected tables with a cap while no prepared copy of them fits: how long such
// a table takes to be read shows how many rows above the cap somebody has.
enum class Unprepared {
  kPrepare,  // the server prepares them before it answers
  kRefuse,   // questions about them are refused
  kAllow,    // they are read as they are
};

// What now() and current_date are rounded to: a dashboard's "last 30 days" is one question for as
// long as that, and is paid for once.
enum class NowUnit { kDay, kHour, kMinute };

struct ServerSettings {
  int answer_every_ms = 0;  // 0: answers leave when they are ready
  Unprepared unprepared = Unprepared::kPrepare;
  NowUnit now = NowUnit::kDay;
  std::optional<Tls> tls;
  std::optional<int> questions_days = 90;  // how long texts of questions are kept; nothing: never
  std::vector<AddressRange> proxies;       // whose word on where a client comes from is taken

  bool IsProxy(const std::string& address) const;
};

struct Analyst {
  std::string name;
  Place place;
  std::string password;  // a SCRAM-SHA-256 verifier, never the password
  Budget budget;
};

struct Policy {
  std::string file;    // as it is named in messages
  std::string folder;  // absolute; holds the secret key
  int64_t data_version = 1;
  EngineSettings engine;
  LedgerSettings ledger;
  Privacy privacy;
  std::vector<Table> tables;  // in the file's order
  ServerSettings server;
  std::vector<Analyst> analysts;

  // A table that is not listed does not exist.
  const Table* Find(std::string_view table) const;
  const Analyst* FindAnalyst(std::string_view name) const;  // names of people keep their case
  UnitPath PathOf(const Table& table) const;

  std::string KeyPath() const;  // the deployment's secret key
};

// "tacit.yaml:12:7", for messages.
std::string At(const Policy& policy, const Place& place);

// SHA-256 in hex of what decides the meaning of an answer: neighbours, protects, accounting and the
// tables with their units, caps, bounds, grids and keys. Names of files, budgets, prices, the
// server and the analysts are left out: changing them does not make a stored answer another one.
// Independent of comments, spelling of numbers and the order of tables and columns.
std::string PolicyVersion(const Policy& policy);

// The canonical text of what cannot change after the first charge: neighbours, protects,
// accounting and every protected table's unit. The ledger keeps it; a table may be added later.
struct Promise {
  std::string terms;               // "add_remove protects=1 pure"
  std::vector<std::string> units;  // "patients: ssn", "visits: patient_ssn -> patients.ssn", sorted
};
Promise PromiseOf(const Policy& policy);

}  // namespace tacit::policy
