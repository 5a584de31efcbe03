#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/rational.h"
#include "base/result.h"
#include "catalog/oid.h"
#include "engine/value.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/read/reading.h"

// The catalog that PostgreSQL clients ask for: pg_catalog, information_schema and Tacit's own views
// tacit.*. It is made of public metadata only (the policy's tables, their visible columns, types)
// and answered by a locked DuckDB in memory that holds nothing else. docs/catalog.md says what is
// shown and what never is.

namespace tacit::catalog {

// What the catalog says of the server; ParameterStatus and SHOW must agree with it.
inline constexpr char kServerVersion[] = "15.0";
inline constexpr char kServerVersionNumber[] = "150000";
// The role that owns every table; nobody can log in as it.
inline constexpr char kOwnerRole[] = "tacit";

// An amount of privacy; what the accounting does not use is absent.
struct Amount {
  std::optional<Rational> epsilon;
  std::optional<Rational> delta;
  std::optional<Rational> rho;
};

struct BudgetRow {    // of tacit.budget
  std::string scope;  // "analyst": whose account it is
  Amount budget;
  Amount spent;
  Amount left;
  int64_t charges = 0;
};

struct LedgerRow {  // of tacit.ledger: the analyst's own charges
  int64_t sequence = 0;
  std::string time;  // as the ledger writes it: 2025-01-31T12:00:00Z
  Amount cost;       // what the analyst paid
  std::string query_fingerprint;
  std::string policy_version;
  int64_t data_version = 0;
  int64_t releases = 0;
  std::string receipt;   // as the answer had it
  std::string question;  // as it was asked, while that is kept
};

// The session's last answer about people: one row a column, each with what the whole cost.
struct LastAnswer {
  struct Shown {
    std::string name;
    std::string type;       // bigint, double precision[]
    std::string mechanism;  // empty: it is no number with noise
    std::optional<Rational> scale;
    std::optional<Rational> moe95;
    std::string condition;  // if 1,000 people match
  };
  int64_t number = 0;  // it was the session's first, second, ...
  std::vector<Shown> columns;
  Amount cost;
  Amount left;
  bool cached = false;
  std::string receipt;
  std::string notices;  // a line each
};

// Who asks, in which session. Nothing of another analyst is ever passed in.
struct Asker {
  std::string analyst;   // the session's user
  std::string database;  // as the client named it
  int32_t backend_pid = 0;
  // Settings by lower-case name, as SHOW prints them; what is absent has its default
  // (catalog/settings.h). `search_path` decides which tables are visible without their schema.
  std::map<std::string, std::string> settings;
  // Called only when a query reads the view.
  std::function<Result<std::vector<BudgetRow>>()> budget;
  std::function<Result<std::vector<LedgerRow>>()> ledger;
  std::shared_ptr<const LastAnswer> last = nullptr;  // null: there was none yet
  // When the transaction began, which now() is throughout it; absent: the question is one itself.
  std::optional<std::chrono::system_clock::time_point> began = {};
};

// The shape of the answer, fixed by the query, the policy's names and the declared parameter types.
struct Description {
  std::vector<OidColumn> columns;
  std::vector<Oid> parameters;  // $1, $2, ...; inferred where the client declared none
};

struct Answer {
  std::vector<OidColumn> columns;  // as Describe said
  // Arrays, and numbers of objects that print as names, are texts in PostgreSQL's format.
  std::vector<std::vector<engine::Value>> rows;
  // What set_config(name, value, is_local) asked for, in order: the session applies it as SET does,
  // and refuses what SET would refuse.
  struct Change {
    std::string name;
    std::string value;
    bool local = false;
  };
  std::vector<Change> changes;
};

// A query that concerns the catalog and no protected table: read, not yet run. Cheap to copy.
class Query {
 public:
  using Tree = PgQuery__SelectStmt;  // the grammar's own
  explicit Query(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  const Tree& tree() const { return *tree_; }

 private:
  std::shared_ptr<const Tree> tree_;
};

// Errors are refusals (kRefused, kUnsupported, kInvalidQuery, kUnavailable); for kInvalidQuery
// `rule` is PostgreSQL's name of the condition: undefined_table, undefined_column,
// undefined_function, ambiguous_column, syntax_error, invalid_text_representation, ...
// Usable from many threads at once.
class Catalog {
 public:
  static Result<Catalog> Make(const policy::Policy& policy, const policy::Schema& schema);

  Catalog(Catalog&&) noexcept;
  Catalog& operator=(Catalog&&) noexcept;
  ~Catalog();

  // Looks at one statement. A SELECT or VALUES that reads only pg_catalog, information_schema,
  // tacit.* or no table at all is the catalog's. Nothing: it is not, and the private SQL path
  // decides (also what is not a SELECT). kRefused: it mixes the two.
  // `search_path` says what a bare name means.
  Result<std::optional<Query>> Recognize(const sql::Reading& reading,
                                         std::string_view search_path) const;
  // The same of a text in a fresh session; nothing for what does not parse.
  Result<std::optional<Query>> Recognize(std::string_view text) const;

  // Whether a bare name of a table of the policy is just that, whatever else there is.
  bool SearchesPublicFirst(std::string_view search_path) const;

  // The answer's columns and the parameters' types; never runs anything. `parameter_types` are
  // those that the client declared; 0 or absent is inferred.
  Result<Description> Describe(const Query& query, const Asker& asker,
                               const std::vector<Oid>& parameter_types = {}) const;

  // Runs it. `parameters` are the bound values in text format (a binary value is decoded by the
  // wire first); they reach the engine as values.
  Result<Answer> Run(const Query& query, const Asker& asker,
                     const std::vector<std::optional<std::string>>& parameters = {},
                     const std::vector<Oid>& parameter_types = {}) const;

 private:
  struct State;
  explicit Catalog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tacit::catalog
