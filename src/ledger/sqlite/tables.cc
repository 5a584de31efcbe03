#include "ledger/sqlite/tables.h"

#include <algorithm>

#include "ledger/record_json.h"

namespace tacit::ledger {
namespace {

constexpr char kTables[] = R"sql(
CREATE TABLE record (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE book (analyst TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE declared (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE request (analyst TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (analyst, id)) STRICT, WITHOUT ROWID;
CREATE TABLE payment (analyst TEXT NOT NULL, release_seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (analyst, release_seq, ordinal)) STRICT, WITHOUT ROWID;
CREATE TABLE release (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, data_version INTEGER NOT NULL, sealed_by INTEGER NOT NULL,
  hash TEXT NOT NULL, UNIQUE (seq, ordinal)) STRICT;
CREATE TABLE answer (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE INDEX release_by_question ON release (fingerprint, data_version, seq, ordinal);
CREATE INDEX release_by_seal ON release (sealed_by);
)sql";

Error Damaged(std::string what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger is damaged: " + std::move(what),
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = ""};
}

std::string RecordName(int64_t sequence) { return "record " + std::to_string(sequence); }

BookEntry ReadEntry(const std::string& text) {
  const Json json = Json::parse(text);
  return {.spent = ReadCost(json.at("spent")),
          .budget = ReadBudget(json.at("budget")),
          .capacity = ReadCapacity(json.at("capacity")),
          .charges = json.at("charges").get<int64_t>()};
}

std::string WriteEntry(const BookEntry& entry) {
  const Json json = {{"spent", ToJson(entry.spent)},
                     {"budget", ToJson(entry.budget)},
                     {"capacity", ToJson(entry.capacity)},
                     {"charges", entry.charges}};
  return json.dump();
}

}  // namespace

Result<Done> MakeTables(Database& database) {
  TACIT_CHECK(database.Execute(kTables));
  const std::string marks = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(kFormatVersion);
  return database.Execute(marks.c_str());
}

Result<Done> CheckFormat(Database& database) {
  TACIT_TRY(const int64_t application, database.QueryInt("PRAGMA application_id"));
  if (application != kApplicationId) return Damaged("the file is not a ledger of Tacit");
  TACIT_TRY(const int64_t version, database.QueryInt("PRAGMA user_version"));
  if (version == kFormatVersion) return Done{};
  Error error = Damaged("");
  error.public_message = "the ledger has format " + std::to_string(version) +
                         ", this program knows format " + std::to_string(kFormatVersion);
  error.hint = "use the version of Tacit that wrote it, or a later one";
  return error;
}

Result<std::optional<StoredRecord>> FindRecord(Database& database, int64_t sequence) {
  TACIT_TRY(Statement query, database.Prepare("SELECT body, hash FROM record WHERE seq = ?"));
  TACIT_TRY(const bool found, query.Bind(sequence).Step());
  if (!found) return std::optional<StoredRecord>();
  return std::optional(
      StoredRecord{.sequence = sequence, .body = query.Text(0), .hash = query.Text(1)});
}

Result<ChainedRecord> LoadRecord(Database& database, int64_t sequence) {
  TACIT_TRY(const std::optional<StoredRecord> stored, FindRecord(database, sequence));
  if (!stored) return Damaged(RecordName(sequence) + " is missing");
  std::string previous_hash = kNoHash;
  if (sequence != kFirstSequence) {
    TACIT_TRY(const std::optional<StoredRecord> previous, FindRecord(database, sequence - 1));
    if (!previous) return Damaged(RecordName(sequence - 1) + " is missing");
    previous_hash = previous->hash;
  }
  if (ChainHash(previous_hash, stored->body) != stored->hash) {
    return Damaged(RecordName(sequence) + " does not fit its hash");
  }
  TACIT_TRY(Record record, ReadRecord(stored->body));
  if (record.sequence != sequence) return Damaged(RecordName(sequence) + " names another place");
  return ChainedRecord{.record = std::move(record), .hash = stored->hash};
}

Result<StoredRecord> LastRecord(Database& database) {
  TACIT_TRY(Statement query,
            database.Prepare("SELECT seq, body, hash FROM record ORDER BY seq DESC LIMIT 1"));
  TACIT_TRY(const bool found, query.Step());
  if (!found) return Damaged("it has no records");
  return StoredRecord{.sequence = query.Int(0), .body = query.Text(1), .hash = query.Text(2)};
}

Result<Done> CheckLastLinks(Database& database, int count) {
  TACIT_TRY(const StoredRecord last, LastRecord(database));
  const int64_t first = std::max<int64_t>(kFirstSequence, last.sequence - count + 1);
  std::string previous_hash = kNoHash;
  if (first != kFirstSequence) {
    TACIT_TRY(const std::optional<StoredRecord> before, FindRecord(database, first - 1));
    if (!before) return Damaged(RecordName(first - 1) + " is missing");
    previous_hash = before->hash;
  }
  for (int64_t sequence = first; sequence <= last.sequence; ++sequence) {
    TACIT_TRY(const std::optional<StoredRecord> record, FindRecord(database, sequence));
    if (!record) return Damaged(RecordName(sequence) + " is missing");
    if (ChainHash(previous_hash, record->body) != record->hash) {
      return Damaged(RecordName(sequence) + " does not fit its hash");
    }
    previous_hash = record->hash;
  }
  return Done{};
}

Result<std::string> AppendRecord(Database& database, const Record& record,
                                 const std::string& previous_hash) {
  const std::string body = WriteRecord(record);
  if (body.size() > kBodyBytesMax) {
    return InvalidArgument("the query's record would be longer than " +
                           std::to_string(kBodyBytesMax) + " bytes");
  }
  std::string hash = ChainHash(previous_hash, body);
  TACIT_TRY(Statement insert,
            database.Prepare("INSERT INTO record (seq, body, hash) VALUES (?, ?, ?)"));
  TACIT_CHECK(insert.Bind(record.sequence).Bind(body).Bind(hash).Execute());
  return hash;
}

Result<Books> ReadBooks(Database& database) {
  Books books;
  TACIT_TRY(const StoredRecord last, LastRecord(database));
  books.sequence = last.sequence;
  TACIT_TRY(Statement declared, database.Prepare("SELECT name, text FROM declared"));
  TACIT_TRY(Statement entries, database.Prepare("SELECT analyst, entry FROM book"));
  try {
    while (true) {
      TACIT_TRY(const bool row, declared.Step());
      if (!row) break;
      // Table names carry a prefix, so that none can pass for the terms.
      const std::string name = declared.Text(0);
      if (name == "terms") books.declarations.terms = declared.Text(1);
      if (name.starts_with("unit ")) books.declarations.units[name.substr(5)] = declared.Text(1);
    }
    while (true) {
      TACIT_TRY(const bool row, entries.Step());
      if (!row) break;
      books.entries[entries.Text(0)] = ReadEntry(entries.Text(1));
    }
  } catch (const std::exception&) {
    return Damaged("an account cannot be read");
  }
  return books;
}

Result<CheckedBooks> LoadBooks(Database& database) {
  TACIT_TRY(Books books, ReadBooks(database));
  TACIT_TRY(const ChainedRecord last, LoadRecord(database, books.sequence));
  std::string hash;
  try {
    hash = HashOf(books);
  } catch (const std::exception&) {  // bytes that are not UTF-8
    return Damaged("an account cannot be read");
  }
  if (hash != last.record.state) {
    return Damaged("the accounts are not those of " + RecordName(books.sequence));
  }
  return CheckedBooks{.books = std::move(books), .head_hash = last.hash};
}

Result<Done> SaveBooks(Database& database, const Books& before, const Books& after) {
  for (const auto& [analyst, now] : after.entries) {
    const auto known = before.entries.find(analyst);
    if (known != before.entries.end() && known->second == now) continue;
    TACIT_TRY(Statement save,
              database.Prepare("INSERT OR REPLACE INTO book (analyst, entry) VALUES (?, ?)"));
    TACIT_CHECK(save.Bind(analyst).Bind(WriteEntry(now)).Execute());
  }
  if (before.declarations == after.declarations) return Done{};
  const auto save = [&database](const std::string& name, const std::string& text) -> Result<Done> {
    TACIT_TRY(Statement insert,
              database.Prepare("INSERT OR REPLACE INTO declared (name, text) VALUES (?, ?)"));
    return insert.Bind(name).Bind(text).Execute();
  };
  TACIT_CHECK(save("terms", after.declarations.terms));
  for (const auto& [table, unit] : after.declarations.units) {
    TACIT_CHECK(save("unit " + table, unit));
  }
  return Done{};
}

}  // namespace tacit::ledger
