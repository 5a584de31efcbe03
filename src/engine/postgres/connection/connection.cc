#include "engine/postgres/connection/connection.h"

#include <poll.h>

#include <cerrno>
#include <cstring>

#include "engine/postgres/connection/hosts.h"
#include "engine/postgres/connection/libpq.h"

namespace tacit::engine::postgres {

const LateLibrary& Libpq() {
  static const LateLibrary library("libpq.so.5");
  return library;
}

namespace {

using Clock = std::chrono::steady_clock;

// Notices may quote rows; nobody reads them here.
void SilentNotice(void*, const PGresult*) {}

bool PollUntil(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || socket < 0) return false;
    pollfd one{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// The five letters are all that is taken of it: the rest may quote a row.
std::string StateOf(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state != nullptr ? std::string("SQLSTATE ") + state : "no SQLSTATE";
}

// Why 14: from there on fields of times are exact numbers. What changes the meaning or the text of
// a statement is said, whatever the role or the database has set: order of searching, zone, forms
// of values, hidden rows. A snapshot that nobody comes back for is given up after a minute.
std::string SettingsText(const TimeLimits& limits) {
  return "SET search_path = pg_catalog, pg_temp; SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; "
         "SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'; "
         "SET standard_conforming_strings = on; SET transform_null_equals = off; "
         "SET row_security = off; SET lc_time = 'C'; SET lc_numeric = 'C'; SET jit = off; "
         "SET plan_cache_mode = 'force_custom_plan'; SET client_min_messages = 'error'; "
         "SET default_transaction_read_only = on; "
         "SET default_transaction_isolation = 'repeatable read'; "
         "SET client_connection_check_interval = '10s'; SET lock_timeout = '20s'; "
         "SET idle_in_transaction_session_timeout = '60s'; SET statement_timeout = " +
         std::to_string(limits.statement.count());
}

Error OfNoUse(const std::string& what, const std::string& hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the PostgreSQL server of this policy cannot be used",
               .hint = hint,
               .position = std::nullopt,
               .private_detail = what};
}

}  // namespace

Reply::Reply(pg_result* result) : result_(result) {}
void Reply::Closer::operator()(pg_result* result) const { PQclear(result); }
size_t Reply::rows() const { return static_cast<size_t>(PQntuples(result_.get())); }
size_t Reply::columns() const { return static_cast<size_t>(PQnfields(result_.get())); }
unsigned Reply::TypeOf(size_t column) const {
  return PQftype(result_.get(), static_cast<int>(column));
}
std::string Reply::NameOf(size_t column) const {
  const char* name = PQfname(result_.get(), static_cast<int>(column));
  return name != nullptr ? name : "";
}
bool Reply::IsNull(size_t row, size_t column) const {
  return PQgetisnull(result_.get(), static_cast<int>(row), static_cast<int>(column)) != 0;
}
std::string_view Reply::Bytes(size_t row, size_t column) const {
  const int r = static_cast<int>(row), c = static_cast<int>(column);
  return {PQgetvalue(result_.get(), r, c), static_cast<size_t>(PQgetlength(result_.get(), r, c))};
}

void Connection::Closer::operator()(pg_conn* connection) const { PQfinish(connection); }

bool Connection::Wait(short events, Deadline deadline) const {
  return PollUntil(PQsocket(handle_.get()), events, deadline);
}

Failure Connection::Lost(const std::string& why) {
  handle_.reset();
  return {.text = why, .lost = true};
}

Result<Connection::Handle> Connection::OpenOne(
    const std::vector<std::pair<std::string, std::string>>& words, const TimeLimits& limits) {
  std::vector<const char*> names, values;
  for (const auto& [name, value] : words) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  Handle handle(PQconnectStartParams(names.data(), values.data(), 0));
  const Deadline deadline = Clock::now() + limits.connect;
  if (handle == nullptr) return OfNoUse("out of memory", "try again");
  PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
  while (PQstatus(handle.get()) != CONNECTION_BAD && wanted != PGRES_POLLING_OK) {
    const short events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!PollUntil(PQsocket(handle.get()), events, deadline)) {
      return OfNoUse("it did not answer within " + std::to_string(limits.connect.count()) + " ms",
                     "check host and port of engine: dsn");
    }
    wanted = PQconnectPoll(handle.get());
    if (wanted == PGRES_POLLING_FAILED) break;
  }
  if (PQstatus(handle.get()) != CONNECTION_OK) {
    // Nothing was asked yet, so that this is about the server alone.
    return OfNoUse(PQerrorMessage(handle.get()),
                   "check host, port, user and database of engine: dsn, and engine: password");
  }
  PQsetNoticeReceiver(handle.get(), SilentNotice, nullptr);
  if (PQsetnonblocking(handle.get(), 1) != 0) return OfNoUse("it blocks", "try again");
  return handle;
}

Result<Done> Connection::SayWhatIsMeant() {
  if (PQserverVersion(handle_.get()) < 140000) {
    return OfNoUse("its version is below 14", "PostgreSQL 14 or later is needed");
  }
  const char* encoding = PQparameterStatus(handle_.get(), "server_encoding");
  if (encoding == nullptr || std::strcmp(encoding, "UTF8") != 0) {
    return OfNoUse("the database's encoding is not UTF8",
                   "texts compare by their bytes, which are UTF-8 here: use a database in UTF8");
  }
  if (const auto failure = Execute(SettingsText(limits_))) {
    return OfNoUse("it does not take the settings: " + failure->text,
                   "a pooler between must keep sessions (pool_mode = session)");
  }
  return Done{};
}

Result<Connection> Connection::Open(const policy::PostgresSettings& settings,
                                    const TimeLimits& limits) {
  TACIT_CHECK(Libpq().Loaded());
  TACIT_TRY(const std::vector<HostWords> hosts, HostsOf(settings));
  std::string said;
  std::optional<Error> last;
  for (const HostWords& host : hosts) {
    Result<Handle> handle = OpenOne(host.words, limits);
    if (handle.ok()) {
      Connection connection(std::move(handle).value(), limits);
      const Result<Done> usable = connection.SayWhatIsMeant();
      if (usable.ok()) return connection;
      last = usable.error();
    } else {
      last = handle.error();
    }
    said += (said.empty() ? "" : "; ") + host.name + ": " + last->private_detail;
  }
  last->private_detail = said;
  return *last;
}

std::optional<Failure> Connection::Finish(bool sent, std::chrono::milliseconds limit,
                                          std::optional<Reply>* reply) {
  if (!sent) return Lost("the statement could not be sent");
  const Deadline deadline = Clock::now() + limit;
  for (int left = PQflush(handle_.get()); left != 0; left = PQflush(handle_.get())) {
    if (left < 0) return Lost("the connection was lost");
    if (!Wait(POLLIN | POLLOUT, deadline)) return Lost("the server was silent too long");
    if (PQconsumeInput(handle_.get()) == 0) return Lost("the connection was lost");
  }
  std::optional<Failure> failure;
  for (;;) {
    while (PQisBusy(handle_.get()) != 0) {
      if (!Wait(POLLIN, deadline)) return Lost("the server was silent too long");
      if (PQconsumeInput(handle_.get()) == 0) return Lost("the connection was lost");
    }
    pg_result* const result = PQgetResult(handle_.get());
    if (result == nullptr) break;
    Reply read(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
      return Lost("the server began to copy");
    }
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
      failure = Failure{.text = StateOf(result), .lost = false};
    } else if (reply != nullptr) {
      reply->emplace(std::move(read));
    }
  }
  if (PQstatus(handle_.get()) != CONNECTION_OK) {
    return Lost(failure ? failure->text : "the connection was lost");
  }
  return failure;
}

std::optional<Failure> Connection::Execute(const std::string& sql) {
  if (handle_ == nullptr) return Failure{.text = "there is no connection", .lost = true};
  return Finish(PQsendQuery(handle_.get(), sql.c_str()) == 1, limits_.catalog, nullptr);
}

namespace {

std::vector<const char*> ValuesOf(const std::vector<Connection::Parameter>& parameters) {
  std::vector<const char*> values;
  for (const Connection::Parameter& parameter : parameters) {
    values.push_back(parameter.text ? parameter.text->c_str() : nullptr);
  }
  return values;
}

constexpr int kBinary = 1;

}  // namespace

std::optional<Failure> Connection::Query(const std::string& sql,
                                         const std::vector<Parameter>& parameters,
                                         std::optional<Reply>* reply) {
  if (handle_ == nullptr) return Failure{.text = "there is no connection", .lost = true};
  const std::vector<const char*> values = ValuesOf(parameters);
  const bool sent = PQsendQueryParams(handle_.get(), sql.c_str(), static_cast<int>(values.size()),
                                      nullptr, values.data(), nullptr, nullptr, kBinary) == 1;
  return Finish(sent, limits_.catalog, reply);
}

std::optional<Failure> Connection::Prepare(const std::string& name, const std::string& sql,
                                           std::optional<Reply>* columns) {
  if (handle_ == nullptr) return Failure{.text = "there is no connection", .lost = true};
  const bool sent = PQsendPrepare(handle_.get(), name.c_str(), sql.c_str(), 0, nullptr) == 1;
  if (auto failure = Finish(sent, limits_.catalog, nullptr)) return failure;
  return Finish(PQsendDescribePrepared(handle_.get(), name.c_str()) == 1, limits_.catalog, columns);
}

std::optional<Failure> Connection::Run(const std::string& name,
                                       const std::vector<Parameter>& parameters,
                                       std::optional<Reply>* reply) {
  if (handle_ == nullptr) return Failure{.text = "there is no connection", .lost = true};
  const std::vector<const char*> values = ValuesOf(parameters);
  const bool sent =
      PQsendQueryPrepared(handle_.get(), name.c_str(), static_cast<int>(values.size()),
                          values.data(), nullptr, nullptr, kBinary) == 1;
  return Finish(sent, limits_.statement + limits_.grace, reply);
}

bool Connection::IsAlive() const {
  if (handle_ == nullptr || PQstatus(handle_.get()) != CONNECTION_OK) return false;
  // Nobody was asked: what there is to read is a word about the server, or its farewell.
  for (int i = 0; i < 100; ++i) {
    pollfd one{.fd = PQsocket(handle_.get()), .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, 0) <= 0) return true;
    if (PQconsumeInput(handle_.get()) == 0 || PQstatus(handle_.get()) != CONNECTION_OK) break;
  }
  return false;
}

}  // namespace tacit::engine::postgres
