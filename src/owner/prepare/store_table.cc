#include "owner/prepare/store_table.h"

#include "base/assert.h"
#include "engine/duckdb/functions/looked_up/row_places.h"
#include "engine/duckdb/values/cells.h"
#include "owner/progress.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::PreparedTable;
using engine::duckdb::QuoteName;
using engine::duckdb::RowOrder;
using engine::duckdb::RowPlaces;

Error NotInOrder(const std::string& table) {
  return InvalidArgument(
      "cannot prepare table " + table + ": the engine did not keep the order of its rows",
      "queries are right without it; please report this");
}

// The one BIGINT of a statement.
Result<int64_t> NumberOf(const Connection::Statement& statement, const std::string& table,
                         Connection& connection, const Progress& progress) {
  std::optional<int64_t> number;
  const auto failure =
      RunWithProgress(connection, statement, table, progress, [&](duckdb_data_chunk chunk) {
        duckdb_vector column = duckdb_data_chunk_get_vector(chunk, 0);
        TACIT_ASSERT(engine::duckdb::StoredTypeOf(column) == DUCKDB_TYPE_BIGINT);
        number = *static_cast<const int64_t*>(duckdb_vector_get_data(column));
        return true;
      });
  if (failure) return CannotPrepare("table " + table, *failure);
  TACIT_ASSERT(number.has_value());
  return *number;
}

// Where every row goes: by unit and hash, and by all values too where a hash stands for different
// rows.
class Placing {
 public:
  Placing(const PreparedTable& table, const StoreRequest& request, Connection& connection,
          Progress progress)
      : table_(table), request_(request), connection_(connection), progress_(std::move(progress)) {}

  Result<std::shared_ptr<RowPlaces>> Run() {
    const RowOrder& order = *table_.order;
    TACIT_TRY(const int64_t rows,
              NumberOf({.sql = order.rows}, table_.name, connection_, Between(progress_, 0, 0)));
    const uint64_t cap =
        order.rows_per_unit.fits_ulong_p() ? order.rows_per_unit.get_ui() : UINT64_MAX;
    TACIT_TRY(places_,
              RowPlaces::Make(request_.folder + "/places", static_cast<uint64_t>(rows), cap));
    TACIT_CHECK(Fill(order.by_hash));
    if (!places_->has_ties()) return places_;
    Connection::Statement collisions = WithKey(order.collisions);
    collisions.parameters.emplace_back(places_->name());
    TACIT_TRY(const int64_t collided,
              NumberOf(collisions, table_.name, connection_, Between(progress_, 100, 100)));
    if (collided == 0) return places_;
    places_->Clear();
    TACIT_CHECK(Fill(order.by_values));
    return places_;
  }

 private:
  Connection::Statement WithKey(const std::string& sql) const {
    Connection::Statement statement{.sql = sql};
    if (table_.order->uses_deployment_key)
      statement.parameters.emplace_back(std::string(request_.key));
    return statement;
  }

  Result<Done> Fill(const std::string& sql) {
    bool good = true;
    const auto failure =
        RunWithProgress(connection_, WithKey(sql), table_.name, progress_,
                        [&](duckdb_data_chunk chunk) { return good = places_->Read(chunk); });
    if (!good) return NotInOrder(table_.name);
    if (failure) return CannotPrepare("table " + table_.name, *failure);
    return Done{};
  }

  const PreparedTable& table_;
  const StoreRequest& request_;
  Connection& connection_;
  Progress progress_;
  std::shared_ptr<RowPlaces> places_;
};

// What was stored is what queries rely on, or it is not used.
Result<Done> CheckStored(const PreparedTable& table, const std::string& copy, uint64_t placed,
                         Connection& connection, const Progress& progress) {
  TACIT_TRY(const int64_t stored, NumberOf({.sql = "SELECT count(*) FROM " + copy}, table.name,
                                           connection, Between(progress, 0, 0)));
  const std::string mark = engine::duckdb::kCopyMark;
  std::string sql = table.broken_rows;
  sql.replace(sql.find(mark), mark.size(), copy);
  TACIT_TRY(const int64_t broken, NumberOf({.sql = sql}, table.name, connection, progress));
  if (broken != 0 || static_cast<uint64_t>(stored) != placed) return NotInOrder(table.name);
  return Done{};
}

}  // namespace

Error CannotPrepare(const std::string& what, const engine::duckdb::Failure& failure) {
  if (WasInterrupted(failure)) {
    return Interrupted("nothing was changed, and nothing is left behind",
                       "run tacit prepare again");
  }
  // The owner's own screen: the engine's text helps here.
  return InvalidArgument("cannot prepare " + what + ": " + failure.text.substr(0, 600));
}

Result<Done> StoreTable(const PreparedTable& table, const StoreRequest& request,
                        Connection& connection, const Progress& progress) {
  const std::string copy = request.schema + "." + QuoteName(table.name);
  Connection::Statement statement{.sql = "CREATE TABLE " + copy + " AS " + table.select};
  if (!table.order) {
    const auto failure = RunWithProgress(connection, statement, table.name, progress);
    if (failure) return CannotPrepare("table " + table.name, *failure);
    return Done{};
  }
  // Why 30 and 97: about the parts of the time that the three steps take.
  TACIT_TRY(const std::shared_ptr<RowPlaces> places,
            Placing(table, request, connection, Between(progress, 0, 30)).Run());
  statement.parameters.emplace_back(places->name());
  const auto failure =
      RunWithProgress(connection, statement, table.name, Between(progress, 30, 97));
  if (failure) return CannotPrepare("table " + table.name, *failure);
  return CheckStored(table, copy, places->placed(), connection, Between(progress, 97, 100));
}

}  // namespace tacit::owner
