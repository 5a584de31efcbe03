#include "ledger/postgres/session.h"

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>

#include "ledger/postgres/libpq.h"

namespace tacit::ledger {

const LateLibrary& LibPq() {
  static const LateLibrary library("libpq.so.5");
  return library;
}

namespace {

int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Notices are for people at psql.
void PassOver(void*, const PGresult*) {}

struct Reason {
  const char* state;  // an SQLSTATE, or its class
  const char* message;
  const char* hint;
};

// The first that fits.
constexpr Reason kReasons[] = {
    {"55P03", "it is busy with other charges", ""},
    {"57014", "it is busy with other charges", ""},
    {"42501", "the role may not read or write the ledger's tables",
     "grant it what tacit ledger create --sql prints"},
    {"42P01", "a table of the ledger is missing", "make it: tacit ledger create"},
    {"3F000", "the ledger's schema is missing", "make it: tacit ledger create"},
    {"42703", "a table of the ledger has other columns than this program knows",
     "use the version of Tacit that made it, or a later one"},
    {"25006", "the database is read-only", "name the server that takes writes in the ledger's dsn"},
    {"53100", "the database's disk is full", "make room on it"},
    {"53", "the database has no room for it", ""},
    {"28", "the database refused the role", "look at the ledger's dsn and password in the policy"},
    {"XX001", "the database reports damaged data", "run: tacit ledger verify"},
    {"XX002", "the database reports damaged data", "run: tacit ledger verify"},
};

std::string FieldOf(const PGresult* result, int field) {
  const char* text = PQresultErrorField(result, field);
  return text != nullptr ? text : "";
}

int HexDigit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

Error PostgresUnavailable(std::string message, std::string hint, std::string detail) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = std::move(detail)};
}

void PgRows::Clear(pg_result* result) { PQclear(result); }
int PgRows::count() const { return PQntuples(result_.get()); }
int64_t PgRows::changed() const { return std::strtoll(PQcmdTuples(result_.get()), nullptr, 10); }
std::string PgRows::Tag() const { return PQcmdStatus(result_.get()); }
bool PgRows::IsNull(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0;
}
std::string PgRows::Text(int row, int column) const {
  return std::string(PQgetvalue(result_.get(), row, column),
                     static_cast<size_t>(PQgetlength(result_.get(), row, column)));
}
int64_t PgRows::Int(int row, int column) const {
  return std::strtoll(PQgetvalue(result_.get(), row, column), nullptr, 10);
}

// "\x6869", as every server since 9.0 writes it unless told otherwise; the session tells it so.
std::string PgRows::Bytes(int row, int column) const {
  const char* text = PQgetvalue(result_.get(), row, column);
  const size_t digits = static_cast<size_t>(PQgetlength(result_.get(), row, column));
  std::string bytes;
  bytes.reserve(digits / 2);
  for (size_t i = 2; i + 1 < digits; i += 2) {
    bytes.push_back(static_cast<char>(HexDigit(text[i]) * 16 + HexDigit(text[i + 1])));
  }
  return bytes;
}

Result<std::unique_ptr<PostgresSession>> PostgresSession::Connect(const PostgresPlace& place,
                                                                  int answer_timeout_ms) {
  TACIT_CHECK(LibPq().Loaded());
  // What stands before the policy's own words can be said otherwise there. A dead peer is noticed
  // by the keepalives, a silent one by answer_timeout_ms.
  const char* const names[] = {"fallback_application_name",
                               "connect_timeout",
                               "keepalives_idle",
                               "keepalives_interval",
                               "keepalives_count",
                               "dbname",
                               "client_encoding",
                               place.password.empty() ? nullptr : "password",
                               nullptr};
  const char* const values[] = {
      "tacit", "5", "10", "5", "3", place.dsn.c_str(), "UTF8", place.password.c_str(), nullptr};
  PGconn* const connection = PQconnectdbParams(names, values, /*expand_dbname=*/1);
  if (connection == nullptr) return PostgresUnavailable("there is no memory for the ledger");
  std::unique_ptr<PostgresSession> session(new PostgresSession(connection, answer_timeout_ms));
  if (PQstatus(connection) != CONNECTION_OK) {
    const bool password =
        PQconnectionNeedsPassword(connection) != 0 || PQconnectionUsedPassword(connection) != 0;
    return PostgresUnavailable(
        password ? "the ledger's database refused the role or its password"
                 : "the ledger's database cannot be reached",
        password ? "look at the ledger's dsn and password in the policy"
                 : "is the server running, and does the ledger's dsn in the policy lead to it?",
        PQerrorMessage(connection));
  }
  PQsetNoticeReceiver(connection, PassOver, nullptr);
  if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) != 1) {
    return session->Lose(PQerrorMessage(connection));
  }
  return session;
}

PostgresSession::~PostgresSession() { Drop(); }

void PostgresSession::Drop() noexcept {
  if (connection_ != nullptr) PQfinish(connection_);
  connection_ = nullptr;
}

Error PostgresSession::Lose(const std::string& why) {
  if (lost_why_.empty()) lost_why_ = why;
  Drop();
  queued_ = posted_ = 0;
  return PostgresUnavailable("the connection to the ledger's database was lost",
                             "ask again; look after the database if this stays", lost_why_);
}

void PostgresSession::Prepare(const std::string& name, const std::string& sql) {
  if (lost()) return;
  ++queued_;
  if (PQsendPrepare(connection_, name.c_str(), sql.c_str(), 0, nullptr) != 1) unsent_ = true;
}

void PostgresSession::Queue(const std::string& name, const std::vector<PgValue>& values) {
  if (lost()) return;
  std::vector<const char*> texts;
  std::vector<int> lengths, formats;
  for (const PgValue& value : values) {
    texts.push_back(value.bytes.c_str());
    lengths.push_back(static_cast<int>(value.bytes.size()));
    formats.push_back(value.binary ? 1 : 0);
  }
  ++queued_;
  if (PQsendQueryPrepared(connection_, name.c_str(), static_cast<int>(values.size()), texts.data(),
                          lengths.data(), formats.data(), /*resultFormat=*/0) != 1) {
    unsent_ = true;
  }
}

void PostgresSession::QueueText(const std::string& sql) {
  if (lost()) return;
  ++queued_;
  if (PQsendQueryParams(connection_, sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) != 1) {
    unsent_ = true;
  }
}

bool PostgresSession::AwaitSocket(int64_t deadline_ms) {
  const int flushed = PQflush(connection_);
  if (flushed < 0) return false;
  const int64_t left = deadline_ms - SteadyMs();
  if (left <= 0) {
    lost_why_ = "the server did not answer in time";
    return false;
  }
  pollfd wait{.fd = PQsocket(connection_),
              .events = static_cast<short>(flushed == 1 ? POLLIN | POLLOUT : POLLIN),
              .revents = 0};
  if (poll(&wait, 1, static_cast<int>(left)) < 0) return errno == EINTR;
  if ((wait.revents & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
  return PQconsumeInput(connection_) == 1;
}

pg_result* PostgresSession::Next(int64_t deadline_ms) {
  // A null result stands behind those of each statement, and behind nothing else.
  for (int nulls = 0; nulls < 3; ++nulls) {
    while (PQisBusy(connection_) != 0) {
      if (!AwaitSocket(deadline_ms)) return nullptr;
    }
    if (PGresult* result = PQgetResult(connection_); result != nullptr) return result;
    if (PQstatus(connection_) != CONNECTION_OK) return nullptr;
  }
  return nullptr;
}

Error PostgresSession::FailureOf(const pg_result* result) {
  last_state_ = FieldOf(result, PG_DIAG_SQLSTATE);
  const std::string said = FieldOf(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string severity = FieldOf(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const std::string detail = "PostgreSQL " + last_state_ + ": " + said;
  // The server ends the conversation.
  if (last_state_.empty() || severity == "FATAL" || severity == "PANIC" ||
      PQstatus(connection_) != CONNECTION_OK) {
    return Lose(last_state_.empty() ? PQerrorMessage(connection_) : detail);
  }
  for (const Reason& reason : kReasons) {
    if (!last_state_.starts_with(reason.state)) continue;
    return PostgresUnavailable(
        std::string("the ledger could not be read or written: ") + reason.message, reason.hint,
        detail);
  }
  return PostgresUnavailable(
      "the ledger could not be read or written: the database reported an error", "", detail);
}

Result<std::vector<PgRows>> PostgresSession::Run() {
  last_state_.clear();
  if (lost()) return Lose("");
  if (unsent_ || PQpipelineSync(connection_) != 1) return Lose(PQerrorMessage(connection_));
  const int64_t deadline_ms = SteadyMs() + answer_timeout_ms_;
  // What was posted first: each with a mark of its own behind it.
  while (posted_ > 0) {
    PGresult* const passed = Next(deadline_ms);
    if (passed == nullptr) return Lose(PQerrorMessage(connection_));
    if (PQresultStatus(passed) == PGRES_PIPELINE_SYNC) --posted_;
    PQclear(passed);
  }
  std::vector<PgRows> all;
  std::optional<Error> failure;
  const int expected = std::exchange(queued_, 0);
  while (true) {
    PGresult* const result = Next(deadline_ms);
    if (result == nullptr) return Lose(PQerrorMessage(connection_));
    PgRows rows(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) break;
    if (status == PGRES_FATAL_ERROR && !failure) {
      failure = FailureOf(result);
      if (lost()) return std::move(*failure);
    }
    all.push_back(std::move(rows));
  }
  if (failure) return std::move(*failure);
  if (static_cast<int>(all.size()) != expected) return Lose("results and statements do not match");
  return all;
}

void PostgresSession::Post(const char* sql) noexcept {
  if (lost()) return;
  // Statements of before that were never run belong to what is given up.
  if (unsent_ || queued_ != 0) return Drop();
  if (PQsendQueryParams(connection_, sql, 0, nullptr, nullptr, nullptr, nullptr, 0) != 1 ||
      PQpipelineSync(connection_) != 1 || PQflush(connection_) != 0) {
    return Drop();
  }
  ++posted_;
}

PgArray& PgArray::Add(std::string_view text) {
  text_ += text_.size() == 1 ? "\"" : ",\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

PgArray& PgArray::Add(int64_t number) {
  if (text_.size() != 1) text_ += ',';
  text_ += std::to_string(number);
  return *this;
}

}  // namespace tacit::ledger
