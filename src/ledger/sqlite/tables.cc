#include "ledger/sqlite/tables.h"

#include <algorithm>
#include <cstdlib>

#include "base/memory_reserve.h"
#include "ledger/record_json.h"
#include "ledger/sqlite/recollection.h"

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

BookEntry ReadEntry(const std::string& text) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  const Json json = Json::parse(text);
  return {.spent = ReadCost(json.at("spent")),
          .budget = ReadBudget(json.at("budget")),
          .capacity = ReadCapacity(json.at("capacity")),
          .charges = json.at("charges").get<int64_t>()};
}

std::string WriteEntry(const BookEntry& entry) {
  JsonText json;
  WriteMembers(entry, json.Open('{'));
  return json.Close('}').text();
}

}  // namespace

Error Damaged(std::string what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger is damaged: " + std::move(what),
               .hint = "run: tacit ledger verify",
               .position = std::nullopt,
               .private_detail = ""};
}

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

Result<Done> WriteFormatAgain(Database& database) {
  const std::string mark = "PRAGMA user_version = " + std::to_string(kFormatVersion);
  return database.Execute(mark.c_str());
}

Result<std::optional<StoredRecord>> FindRecord(Database& database, int64_t sequence) {
  TACIT_TRY(Statement query, database.Prepare("SELECT body, hash FROM record WHERE seq = ?"));
  TACIT_TRY(const bool found, query.Bind(sequence).Step());
  if (!found) return std::optional<StoredRecord>();
  return std::optional(
      StoredRecord{.sequence = sequence, .body = query.Text(0), .hash = query.Text(1)});
}

namespace {

std::shared_ptr<const Record> Remember(Database& database, int64_t sequence,
                                       Recollection::Link link) {
  std::map<int64_t, Recollection::Link>& links = database.recollection().links;
  if (links.size() >= kLinksMax) links.clear();
  database.recollection().compared.insert(sequence);
  return links.insert_or_assign(sequence, std::move(link)).first->second.record;
}

}  // namespace

Result<ChainedRecord> LoadRecord(Database& database, int64_t sequence) {
  Recollection& recollection = database.recollection();
  const std::map<int64_t, Recollection::Link>& links = recollection.links;
  if (recollection.compared.contains(sequence)) {
    if (const auto known = links.find(sequence); known != links.end()) {
      return ChainedRecord{.record = known->second.record, .hash = known->second.hash};
    }
  }
  TACIT_TRY(const std::optional<StoredRecord> stored, FindRecord(database, sequence));
  if (!stored) return Damaged(RecordName(sequence) + " is missing");
  std::string previous_hash = kNoHash;
  if (sequence != kFirstSequence) {
    TACIT_TRY(const std::optional<StoredRecord> previous, FindRecord(database, sequence - 1));
    if (!previous) return Damaged(RecordName(sequence - 1) + " is missing");
    previous_hash = previous->hash;
  }
  if (const auto known = links.find(sequence);
      known != links.end() && known->second.previous_hash == previous_hash &&
      known->second.body == stored->body && known->second.hash == stored->hash) {
    recollection.compared.insert(sequence);
    return ChainedRecord{.record = known->second.record, .hash = stored->hash};
  }
  if (ChainHash(previous_hash, stored->body) != stored->hash) {
    return Damaged(RecordName(sequence) + " does not fit its hash");
  }
  TACIT_TRY(Record record, ReadRecord(stored->body));
  if (record.sequence != sequence) return Damaged(RecordName(sequence) + " names another place");
  const auto remembered = Remember(database, sequence,
                                   {.previous_hash = std::move(previous_hash),
                                    .body = stored->body,
                                    .hash = stored->hash,
                                    .record = std::make_shared<const Record>(std::move(record))});
  return ChainedRecord{.record = remembered, .hash = stored->hash};
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
  std::string body = WriteRecord(record);
  if (body.size() > kBodyBytesMax) {
    return InvalidArgument("the query's record would be longer than " +
                           std::to_string(kBodyBytesMax) + " bytes");
  }
  std::string hash = ChainHash(previous_hash, body);
  TACIT_TRY(Statement insert,
            database.Prepare("INSERT INTO record (seq, body, hash) VALUES (?, ?, ?)"));
  TACIT_CHECK(insert.Bind(record.sequence).Bind(body).Bind(hash).Execute());
  Remember(database, record.sequence,
           {.previous_hash = previous_hash,
            .body = std::move(body),
            .hash = hash,
            .record = std::make_shared<const Record>(record)});
  return hash;
}

namespace {

// The rows that the books are made of, as they are stored.
struct BookRows {
  int64_t sequence = 0;
  std::vector<std::pair<std::string, std::string>> declared;
  std::vector<std::pair<std::string, std::string>> entries;

  std::string Bytes() const {
    std::string bytes = std::to_string(sequence);
    for (const auto* rows : {&declared, &entries}) {
      bytes += '|';
      for (const auto& [name, text] : *rows) {
        bytes.append(std::to_string(name.size())).append(":").append(name);
        bytes.append(std::to_string(text.size())).append(":").append(text);
      }
    }
    return bytes;
  }
};

// As they will be read: both tables are stored in the order of their names.
BookRows RowsOf(const Books& books) {
  BookRows rows;
  rows.sequence = books.sequence;
  if (!books.deployment.empty()) {
    rows.declared.emplace_back("deployment",
                               std::to_string(books.bound_at) + " " + books.deployment);
  }
  if (!books.declarations.terms.empty()) {
    rows.declared.emplace_back("terms", books.declarations.terms);
  }
  for (const auto& [table, unit] : books.declarations.units) {
    rows.declared.emplace_back("unit " + table, unit);
  }
  for (const auto& [analyst, entry] : books.entries) {
    rows.entries.emplace_back(analyst, WriteEntry(entry));
  }
  return rows;
}

Result<BookRows> ReadBookRows(Database& database) {
  BookRows rows;
  TACIT_TRY(const StoredRecord last, LastRecord(database));
  rows.sequence = last.sequence;
  const auto read = [&](const char* sql, auto& into) -> Result<Done> {
    TACIT_TRY(Statement query, database.Prepare(sql));
    while (true) {
      TACIT_TRY(const bool row, query.Step());
      if (!row) return Done{};
      into.emplace_back(query.Text(0), query.Text(1));
    }
  };
  TACIT_CHECK(read("SELECT name, text FROM declared", rows.declared));
  TACIT_CHECK(read("SELECT analyst, entry FROM book", rows.entries));
  return rows;
}

Result<Books> BooksOf(const BookRows& rows) {
  Books books;
  books.sequence = rows.sequence;
  for (const auto& [name, text] : rows.declared) {
    // Table names carry a prefix, so that none can pass for the terms.
    if (name == "terms") books.declarations.terms = text;
    if (name.starts_with("unit ")) books.declarations.units[name.substr(5)] = text;
    if (name == "deployment") {
      const size_t space = text.find(' ');
      if (space == std::string::npos) return Damaged("whose it is cannot be read");
      books.bound_at = std::strtoll(text.c_str(), nullptr, 10);
      books.deployment = text.substr(space + 1);
    }
  }
  try {
    for (const auto& [analyst, entry] : rows.entries) books.entries[analyst] = ReadEntry(entry);
  } catch (const std::bad_alloc&) {
    throw;  // no word about the file
  } catch (const std::exception&) {
    return Damaged("an account cannot be read");
  }
  return books;
}

}  // namespace

Result<Books> ReadBooks(Database& database) {
  TACIT_TRY(const BookRows rows, ReadBookRows(database));
  return BooksOf(rows);
}

Result<CheckedBooks> LoadBooks(Database& database) {
  TACIT_TRY(const BookRows rows, ReadBookRows(database));
  Recollection& known = database.recollection();
  std::string bytes = rows.Bytes();
  if (known.books == nullptr || known.book_rows != bytes) {
    TACIT_TRY(Books books, BooksOf(rows));
    std::string hash;
    try {
      hash = HashOf(books);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {  // bytes that are not UTF-8
      return Damaged("an account cannot be read");
    }
    known.Know(std::move(bytes), std::move(hash), std::make_shared<const Books>(std::move(books)));
  }
  TACIT_TRY(const ChainedRecord last, LoadRecord(database, rows.sequence));
  if (known.book_hash != last.record->state) {
    return Damaged("the accounts are not those of " + RecordName(rows.sequence));
  }
  return CheckedBooks{.books = known.books, .head_hash = last.hash};
}

Result<Done> SaveBooks(Database& database, const Books& before, const Books& after,
                       const std::string& hash) {
  const BookRows rows = RowsOf(after);
  for (const auto& [analyst, text] : rows.entries) {
    const auto known = before.entries.find(analyst);
    if (known != before.entries.end() && known->second == after.entries.at(analyst)) continue;
    TACIT_TRY(Statement save,
              database.Prepare("INSERT OR REPLACE INTO book (analyst, entry) VALUES (?, ?)"));
    TACIT_CHECK(save.Bind(analyst).Bind(text).Execute());
  }
  if (before.declarations != after.declarations || before.deployment != after.deployment) {
    for (const auto& [name, text] : rows.declared) {
      TACIT_TRY(Statement save,
                database.Prepare("INSERT OR REPLACE INTO declared (name, text) VALUES (?, ?)"));
      TACIT_CHECK(save.Bind(name).Bind(text).Execute());
    }
  }
  // What was saved need not be parsed and hashed again, as long as the file holds it.
  database.recollection().Know(rows.Bytes(), hash, std::make_shared<const Books>(after));
  return Done{};
}

}  // namespace tacit::ledger
