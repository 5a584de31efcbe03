#include "attack/server/pg_server.h"

#include <cstdio>
#include <cstdlib>
#include <set>

#include "attack/server/libpq.h"

namespace tacit::attack {

const LateLibrary& LibPq() {
  static const LateLibrary library("libpq.so.5");
  return library;
}

namespace {

struct Closer {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Closer>;
using Answer = std::unique_ptr<PGresult, Closer>;

Error Unavailable(std::string message, const PGconn* connection) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message) + ": " + PQerrorMessage(connection),
               .hint = "check host, port, user and password of --pg",
               .position = std::nullopt,
               .private_detail = ""};
}

std::string SqlState(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state != nullptr ? state : "";
}

std::string MessageOf(const PGresult* result) {
  const char* text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return text != nullptr ? text : "the connection was lost";
}

// Notices are for people at psql.
void Silent(void*, const PGresult*) {}

class PgServer final : public Server {
 public:
  PgServer(Connection connection, bool is_tacit, const PgSettings& settings, const People& people)
      : connection_(std::move(connection)),
        is_tacit_(is_tacit),
        epsilon_(settings.epsilon),
        people_(people) {
    spent_.zcdp = settings.zcdp;
  }

  Result<Reply> Ask(const Question& question) override {
    const std::string sql = SqlOf(question, people_);
    const Answer answer(PQexec(connection_.get(), sql.c_str()));
    if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) {
      // Budget exhausted: the server's no.
      if (SqlState(answer.get()) == "53400") return Reply{std::nullopt, MessageOf(answer.get())};
      return Unavailable("the server did not answer '" + sql.substr(0, 200) + "'",
                         connection_.get());
    }
    if (PQntuples(answer.get()) != 1 || PQgetisnull(answer.get(), 0, 0) != 0) {
      return InvalidArgument("the server answered a count with something else",
                             "is --pg a database with the table " + people_.table + "?");
    }
    // The same question again is a stored answer; a gateway charges it once.
    if (is_tacit_ && asked_.insert(sql).second) {
      spent_.epsilon += epsilon_ * (1 + 0x1p-40);
      spent_.rho += epsilon_ * epsilon_ / 2 * (1 + 0x1p-40);
    }
    return Reply{std::strtod(PQgetvalue(answer.get(), 0, 0), nullptr), ""};
  }

  std::string name() const override {
    return is_tacit_ ? "Tacit over the PostgreSQL protocol" : "PostgreSQL, exact";
  }
  bool IsTacit() const override { return is_tacit_; }
  std::optional<Spent> spent() const override {
    return is_tacit_ ? std::optional(spent_) : std::nullopt;
  }

 private:
  Connection connection_;
  bool is_tacit_;
  double epsilon_;
  const People& people_;
  std::set<std::string> asked_;
  Spent spent_;
};

}  // namespace

Result<std::unique_ptr<Server>> MakePgServer(const PgSettings& settings, const People& people) {
  TACIT_CHECK(LibPq().Loaded());
  Connection connection(PQconnectdb(settings.conninfo.c_str()));
  if (connection == nullptr || PQstatus(connection.get()) != CONNECTION_OK) {
    return Unavailable("there is no PostgreSQL server behind --pg", connection.get());
  }
  PQsetNoticeReceiver(connection.get(), Silent, nullptr);
  const Answer shown(PQexec(connection.get(), "SHOW tacit.epsilon"));
  const bool is_tacit = PQresultStatus(shown.get()) == PGRES_TUPLES_OK;
  if (is_tacit) {  // said outright, so that what was spent is known
    char set[64];
    std::snprintf(set, sizeof set, "SET tacit.epsilon = %.12g", settings.epsilon);
    const Answer done(PQexec(connection.get(), set));
    if (PQresultStatus(done.get()) != PGRES_COMMAND_OK) {
      return InvalidArgument("the gateway did not take --epsilon: " + MessageOf(done.get()));
    }
  }
  return std::unique_ptr<Server>(
      std::make_unique<PgServer>(std::move(connection), is_tacit, settings, people));
}

}  // namespace tacit::attack
