// A ledger of exported records, where the file itself is lost.

#include <istream>

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/record/record_json.h"

namespace tacit::ledger {
namespace {

Error NotExported(int64_t line, const std::string& why) {
  return InvalidArgument("line " + std::to_string(line) + " of the export: " + why,
                         "give the file that tacit ledger export wrote, whole and unchanged");
}

// {"hash":"...","record":BODY}: the body's bytes are what was hashed, so they are cut out.
Result<StoredRecord> ReadLine(const std::string& line, int64_t number) {
  constexpr std::string_view kStart = "{\"hash\":\"", kMiddle = "\",\"record\":";
  constexpr size_t kHashDigits = 64;
  const size_t body = kStart.size() + kHashDigits + kMiddle.size();
  if (line.size() < body + 2 || !line.starts_with(kStart) || line.back() != '}' ||
      line.compare(kStart.size() + kHashDigits, kMiddle.size(), kMiddle) != 0) {
    return NotExported(number, "it is not a record");
  }
  return StoredRecord{.sequence = number,
                      .body = line.substr(body, line.size() - body - 1),
                      .hash = line.substr(kStart.size(), kHashDigits)};
}

}  // namespace

Result<Addition> AdditionOfExport(std::istream& exported, const std::string& reason,
                                  const std::string& head_before, const std::string& key) {
  std::vector<Record> records;
  Books books;
  std::string hash = kNoHash;
  for (std::string line; std::getline(exported, line);) {
    const int64_t number = books.sequence + 1;
    TACIT_TRY(const StoredRecord stored, ReadLine(line, number));
    hash = ChainHash(hash, stored.body);
    if (hash != stored.hash) return NotExported(number, "its hash does not fit");
    Result<Record> record = ReadRecord(stored.body);
    if (!record.ok()) return NotExported(number, record.error().public_message);
    const Result<Done> posted = Post(*record, books);
    if (!posted.ok()) return NotExported(number, posted.error().public_message);
    if (HashOf(books) != record->state) return NotExported(number, "its totals do not fit");
    records.push_back(std::move(record).value());
  }
  if (exported.bad()) return NotExported(books.sequence + 1, "it could not be read to its end");
  if (records.empty()) return NotExported(1, "there is no record");
  const OwnerKey owner(key);
  if (books.deployment != owner.deployment_id()) {
    return InvalidArgument("the exported ledger belongs to another key than the one that is here",
                           "put back the tacit.key that was here before");
  }
  Record record{.sequence = 0,
                .time = TimeText(nullptr),
                .state = "",
                .act = ImportAct{.reason = reason, .head_before = head_before}};
  TACIT_CHECK(PostNext(record, books));
  records.push_back(std::move(record));
  return AdditionOf(records, books);
}

}  // namespace tacit::ledger
