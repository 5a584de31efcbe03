#include "local/survey/store.h"

#include <sqlite3.h>

#include "local/survey/random_name.h"

namespace tacit::local {
namespace {

// "Tloc": a file that is not ours is not touched.
constexpr int kApplicationId = 0x546c6f63;
constexpr int kSchemaVersion = 1;

constexpr const char* kSchema =
    "CREATE TABLE survey (fingerprint TEXT NOT NULL) STRICT;"
    "CREATE TABLE submissions (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;"
    "CREATE TABLE tokens (hash BLOB PRIMARY KEY, submission BLOB) STRICT, WITHOUT ROWID;"
    "CREATE TABLE reports (id TEXT PRIMARY KEY, question TEXT NOT NULL, report TEXT NOT NULL)"
    " STRICT, WITHOUT ROWID;"
    "PRAGMA application_id = 1416392547;"
    "PRAGMA user_version = 1;";
static_assert(kApplicationId == 1416392547);

Error Unavailable(std::string message, std::string hint, std::string detail = "") {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = std::move(detail)};
}

// A prepared statement; bound bytes must outlive the step.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& BindBlob(int index, std::string_view bytes) {
    sqlite3_bind_blob(statement_, index, bytes.data(), static_cast<int>(bytes.size()),
                      SQLITE_STATIC);
    return *this;
  }
  Statement& Bind(int index, std::string_view text) {
    sqlite3_bind_text(statement_, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE, or an error; a statement that was not prepared is one.
  int Step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }
  int64_t Number(int column) { return sqlite3_column_int64(statement_, column); }
  bool IsNull(int column) { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  std::string_view Bytes(int column) {
    const void* bytes = sqlite3_column_blob(statement_, column);
    return {static_cast<const char*>(bytes),
            static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

ReportStore::~ReportStore() { sqlite3_close(database_); }

Error ReportStore::Failed(const std::string& what) const {
  return Unavailable(what, "nothing was changed; look at the disk and the log",
                     sqlite3_errmsg(database_));
}

Result<Done> ReportStore::Execute(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return Failed("the file of reports could not be written");
  }
  return Done{};
}

Result<std::unique_ptr<ReportStore>> ReportStore::Open(const std::string& path,
                                                       const Survey& survey) {
  sqlite3* database = nullptr;
  const int opened =
      sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  std::unique_ptr<ReportStore> store(new ReportStore(database));
  if (opened != SQLITE_OK) {
    return Unavailable("cannot open " + path, "does the folder exist, and may it be written?");
  }
  TACIT_CHECK(store->Prepare(path, FingerprintOf(survey)));
  return store;
}

Result<Done> ReportStore::Prepare(const std::string& path, const std::string& fingerprint) {
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    return Unavailable(path + " " + what, hint, sqlite3_errmsg(database_));
  };
  sqlite3_extended_result_codes(database_, 1);
  // Exclusive: counts are kept in memory, and a second server beside this one would not see ours.
  for (const char* pragma : {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL",
                             "PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"}) {
    if (sqlite3_exec(database_, pragma, nullptr, nullptr, nullptr) != SQLITE_OK) {
      const int code = sqlite3_errcode(database_) & 0xff;
      return code == SQLITE_BUSY
                 ? refuse("is in use", "is this survey already being served?")
                 : refuse("is not a file of reports, or is damaged", "restore it from a backup");
    }
  }
  Statement check(database_, "PRAGMA integrity_check");
  if (check.Step() != SQLITE_ROW || check.Bytes(0) != "ok") {
    return refuse("is damaged", "restore it from a backup; it was not changed");
  }
  Statement header(database_,
                   "SELECT (SELECT application_id FROM pragma_application_id), "
                   "(SELECT user_version FROM pragma_user_version), "
                   "(SELECT count(*) FROM sqlite_schema)");
  if (header.Step() != SQLITE_ROW) return refuse("is damaged", "restore it from a backup");
  if (header.Number(0) == 0 && header.Number(1) == 0 && header.Number(2) == 0) {
    TACIT_CHECK(Execute(kSchema));
    Statement insert(database_, "INSERT INTO survey VALUES (?)");
    if (insert.Bind(1, fingerprint).Step() != SQLITE_DONE) return Failed("cannot write " + path);
  } else if (header.Number(0) != kApplicationId) {
    return refuse("is not a file of reports", "name another file in `storage:`");
  } else if (header.Number(1) != kSchemaVersion) {
    return refuse("was written by a newer tacit", "use that one");
  }
  Statement stored(database_, "SELECT fingerprint FROM survey");
  if (stored.Step() != SQLITE_ROW) return refuse("is damaged", "restore it from a backup");
  if (stored.Bytes(0) != fingerprint) {
    return refuse("holds the reports of other questions",
                  "questions, options and epsilons cannot change once reports are in; name a new "
                  "file in `storage:`");
  }
  return Execute("COMMIT");
}

Result<ReportStore::Outcome> ReportStore::Submit(const Survey& survey, const Submission& submission,
                                                 Entropy& entropy) {
  TACIT_CHECK(Execute("BEGIN IMMEDIATE"));
  Result<Outcome> outcome = SubmitInside(survey, submission, entropy);
  if (outcome.ok() && *outcome == Outcome::kStored) {
    const Result<Done> committed = Execute("COMMIT");
    if (committed.ok()) return outcome;
    outcome = committed.error();
  }
  sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
  return outcome;
}

Result<ReportStore::Outcome> ReportStore::SubmitInside(const Survey& survey,
                                                       const Submission& submission,
                                                       Entropy& entropy) {
  const std::string id = Sha256(submission.id);
  const std::string token = Sha256(submission.token);
  if (survey.tokens) {
    Statement find(database_, "SELECT submission FROM tokens WHERE hash = ?");
    const int found = find.BindBlob(1, token).Step();
    if (found == SQLITE_DONE) return Outcome::kUnknownToken;
    if (found != SQLITE_ROW) return Failed("the file of reports could not be read");
    if (!find.IsNull(0)) {
      return find.Bytes(0) == id ? Outcome::kAlreadyStored : Outcome::kTokenUsed;
    }
  }
  Statement insert(database_, "INSERT INTO submissions VALUES (?)");
  const int inserted = insert.BindBlob(1, id).Step();
  if (inserted == SQLITE_CONSTRAINT_PRIMARYKEY) return Outcome::kAlreadyStored;
  if (inserted != SQLITE_DONE) return Failed("the reports could not be stored");
  if (survey.tokens) {
    Statement use(database_, "UPDATE tokens SET submission = ? WHERE hash = ?");
    if (use.BindBlob(1, id).BindBlob(2, token).Step() != SQLITE_DONE) {
      return Failed("the reports could not be stored");
    }
  }
  for (const Submission::OneReport& one : submission.reports) {
    const std::string key = RandomName(entropy);
    Statement report(database_, "INSERT INTO reports VALUES (?, ?, ?)");
    report.Bind(1, key).Bind(2, survey.questions[one.question].id).Bind(3, one.text);
    if (report.Step() != SQLITE_DONE) return Failed("the reports could not be stored");
  }
  return Outcome::kStored;
}

Result<Done> ReportStore::ForEach(
    const std::function<Result<Done>(std::string_view, std::string_view)>& visit) const {
  Statement all(database_, "SELECT question, report FROM reports");
  while (true) {
    const int step = all.Step();
    if (step == SQLITE_DONE) return Done{};
    if (step != SQLITE_ROW) return Failed("the file of reports could not be read");
    TACIT_CHECK(visit(all.Bytes(0), all.Bytes(1)));
  }
}

Result<std::vector<std::string>> ReportStore::MakeTokens(uint32_t count, Entropy& entropy) {
  std::vector<std::string> tokens;
  TACIT_CHECK(Execute("BEGIN IMMEDIATE"));
  for (uint32_t i = 0; i < count; ++i) {
    tokens.push_back(RandomName(entropy));
    const std::string hash = Sha256(tokens.back());
    Statement insert(database_, "INSERT INTO tokens VALUES (?, NULL)");
    if (insert.BindBlob(1, hash).Step() != SQLITE_DONE) {
      Error failed = Failed("the tokens could not be stored");
      sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
      return failed;
    }
  }
  TACIT_CHECK(Execute("COMMIT"));
  return tokens;
}

}  // namespace tacit::local
