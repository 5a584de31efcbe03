#include "ledger/chain/append.h"

#include "base/secrets/entropy.h"
#include "ledger/chain/answers.h"

namespace tacit::ledger {
namespace {

Seal* SealIn(Record& record) {
  if (ChargeAct* charge = std::get_if<ChargeAct>(&record.act)) return &charge->seal;
  if (BindAct* bind = std::get_if<BindAct>(&record.act)) return &bind->seal;
  if (RekeyAct* rekey = std::get_if<RekeyAct>(&record.act)) return &rekey->seal;
  return nullptr;
}

// The payments and the request id of a charge.
void AddRowsOf(const Record& record, Addition& rows) {
  const ChargeAct* charge = std::get_if<ChargeAct>(&record.act);
  if (charge == nullptr) return;
  for (const PaidRelease& release : charge->releases) {
    if (!release.analyst_pays) continue;
    rows.payments.push_back(
        {.analyst = charge->analyst, .release = release.id, .sequence = record.sequence});
  }
  if (charge->request_id.empty()) return;
  rows.requests.push_back(
      {.analyst = charge->analyst, .id = charge->request_id, .sequence = record.sequence});
}

Result<Done> AddRecord(const Record& record, std::string& hash, Addition& rows) {
  StoredRecord stored{.sequence = record.sequence, .body = WriteRecord(record), .hash = ""};
  if (stored.body.size() > kBodyBytesMax) {
    return InvalidArgument("the query's record would be longer than " +
                           std::to_string(kBodyBytesMax) + " bytes");
  }
  hash = ChainHash(hash, stored.body);
  stored.hash = hash;
  rows.records.push_back(std::move(stored));
  return Done{};
}

// Of all the rows of the books after, those that are not the same before.
BookRows ChangedRows(const Books& before, const Books& after, BookRows rows) {
  std::erase_if(rows.accounts, [&](const NamedText& row) {
    const auto known = before.entries.find(row.first);
    return known != before.entries.end() && known->second == after.entries.at(row.first);
  });
  if (before.declarations == after.declarations && before.deployment == after.deployment &&
      before.rekeyed_at == after.rekeyed_at && before.imported_at == after.imported_at) {
    rows.declared.clear();
  }
  return rows;
}

std::string RandomId() {
  char text[40];
  Entropy& entropy = Entropy::ForThisThread();
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(entropy.NextWord()),
                static_cast<unsigned long long>(entropy.NextWord()));
  return text;
}

}  // namespace

Result<ChainedAddition> ChainTo(const CheckedBooks& before, PostedRecords posted,
                                const std::vector<AnswerHash>& unsealed) {
  TACIT_ASSERT(!posted.records.empty());
  ChainedAddition made{.rows = {},
                       .records = std::move(posted.records),
                       .books = std::move(posted.books),
                       .book_rows = {},
                       .book_hash = {},
                       .previous_hash = before.head_hash,
                       .head_hash = before.head_hash};
  if (Seal* seal = SealIn(made.records.back())) {
    *seal = SealOf(unsealed);
    if (!unsealed.empty()) made.rows.seal = made.records.back().sequence;
  }
  for (const Record& record : made.records) {
    AddRowsOf(record, made.rows);
    TACIT_CHECK(AddRecord(record, made.head_hash, made.rows));
  }
  made.book_hash = made.records.back().state;
  BookRows all = RowsOf(made.books);
  made.book_rows = BytesOf(made.books.sequence, all);
  made.rows.books = ChangedRows(*before.books, made.books, std::move(all));
  return made;
}

Result<CheckedBooks> Append(Chain& chain, ChainedAddition addition) {
  TACIT_CHECK(chain.rows->Append(addition.rows));
  // What was written need not be parsed and hashed again, as long as the store holds it.
  std::string previous_hash = addition.previous_hash;
  for (size_t i = 0; i < addition.records.size(); ++i) {
    StoredRecord& row = addition.rows.records[i];
    Remember(chain, row.sequence,
             {.previous_hash = std::exchange(previous_hash, row.hash),
              .body = std::move(row.body),
              .hash = row.hash,
              .record = std::make_shared<const Record>(std::move(addition.records[i]))});
  }
  const auto books = std::make_shared<const Books>(std::move(addition.books));
  chain.known.Know(std::move(addition.book_rows), std::move(addition.book_hash), books);
  return CheckedBooks{.books = books, .head_hash = std::move(addition.head_hash)};
}

Result<Addition> AdditionOf(const std::vector<Record>& records, const Books& books) {
  Addition rows;
  std::string hash = kNoHash;
  for (const Record& record : records) {
    AddRowsOf(record, rows);
    TACIT_CHECK(AddRecord(record, hash, rows));
  }
  rows.books = RowsOf(books);
  return rows;
}

Result<Addition> FirstAddition(const OpenOptions& options) {
  const CheckedBooks nothing{.books = std::make_shared<const Books>(), .head_hash = kNoHash};
  Record record{.sequence = 0,
                .time = TimeText(options.clock),
                .state = "",
                .act = CreateAct{.ledger_id = RandomId(),
                                 .deployment = OwnerKey(options.key).deployment_id()}};
  PostedRecords posted;
  TACIT_CHECK(PostNext(record, posted.books));
  posted.records.push_back(std::move(record));
  TACIT_TRY(ChainedAddition first, ChainTo(nothing, std::move(posted), {}));
  return std::move(first.rows);
}

}  // namespace tacit::ledger
