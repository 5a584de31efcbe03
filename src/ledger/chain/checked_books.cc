#include "ledger/chain/checked_books.h"

#include <cstdlib>

#include "base/process/memory_reserve.h"
#include "ledger/record/record_json.h"

namespace tacit::ledger {
namespace {

Error NotOwned(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

BookEntry ReadEntry(const std::string& text) {
  const MustHaveMemory must;  // a JSON tree allocates in its destructor
  const Json json = Json::parse(text);
  return {.spent = ReadCost(json.at("spent")),
          .budget = ReadBudget(json.at("budget")),
          .capacity = ReadCapacity(json.at("capacity")),
          .charges = ReadWhole(json.at("charges"), 0)};
}

std::string WriteEntry(const BookEntry& entry) {
  JsonText json;
  WriteMembers(entry, json.Open('{'));
  return json.Close('}').text();
}

Result<Books> BooksOf(int64_t sequence, const BookRows& rows) {
  Books books;
  books.sequence = sequence;
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
    if (name == "imported") books.imported_at = std::strtoll(text.c_str(), nullptr, 10);
    if (name == "rekeyed") books.rekeyed_at = std::strtoll(text.c_str(), nullptr, 10);
  }
  try {
    for (const auto& [analyst, entry] : rows.accounts) books.entries[analyst] = ReadEntry(entry);
  } catch (const std::bad_alloc&) {
    throw;  // no word about the ledger
  } catch (const std::exception&) {
    return Damaged("an account cannot be read");
  }
  return books;
}

}  // namespace

BookRows RowsOf(const Books& books) {
  BookRows rows;
  if (!books.deployment.empty()) {
    rows.declared.emplace_back("deployment",
                               std::to_string(books.bound_at) + " " + books.deployment);
  }
  if (books.imported_at != 0) {
    rows.declared.emplace_back("imported", std::to_string(books.imported_at));
  }
  if (books.rekeyed_at != 0) {
    rows.declared.emplace_back("rekeyed", std::to_string(books.rekeyed_at));
  }
  if (!books.declarations.terms.empty()) {
    rows.declared.emplace_back("terms", books.declarations.terms);
  }
  for (const auto& [table, unit] : books.declarations.units) {
    rows.declared.emplace_back("unit " + table, unit);
  }
  for (const auto& [analyst, entry] : books.entries) {
    rows.accounts.emplace_back(analyst, WriteEntry(entry));
  }
  return rows;
}

std::string BytesOf(int64_t sequence, const BookRows& rows) {
  std::string bytes = std::to_string(sequence);
  for (const auto* part : {&rows.declared, &rows.accounts}) {
    bytes += '|';
    for (const auto& [name, text] : *part) {
      bytes.append(std::to_string(name.size())).append(":").append(name);
      bytes.append(std::to_string(text.size())).append(":").append(text);
    }
  }
  return bytes;
}

Result<Books> ReadBooks(Chain& chain) {
  TACIT_TRY(const StoredRecord last, LastRecord(chain));
  TACIT_TRY(const BookRows rows, chain.rows->ReadBooks());
  return BooksOf(last.sequence, rows);
}

// proof: ledger/recovery.md#where-sqlite-goes-back-silently-and-how-that-is-noticed
Result<CheckedBooks> LoadBooks(Chain& chain) {
  TACIT_TRY(const StoredRecord last, LastRecord(chain));
  TACIT_TRY(const BookRows rows, chain.rows->ReadBooks());
  Recollection& known = chain.known;
  std::string bytes = BytesOf(last.sequence, rows);
  if (known.books == nullptr || known.book_rows != bytes) {
    TACIT_TRY(Books books, BooksOf(last.sequence, rows));
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
  TACIT_TRY(const ChainedRecord head, LoadRecord(chain, last.sequence));
  if (known.book_hash != head.record->state) {
    return Damaged("the accounts are not those of " + RecordName(last.sequence));
  }
  return CheckedBooks{.books = known.books, .head_hash = head.hash};
}

Result<Done> CheckOwner(Chain& chain) {
  TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
  const std::string& deployment = checked.books->deployment;
  if (deployment == chain.key.deployment_id()) return Done{};
  if (deployment.empty()) {
    return NotOwned("the ledger does not say whose it is: it was made by an older version",
                    "if it is this deployment's own, run: tacit ledger accept DIR --reason "
                    "'made by an older version'");
  }
  if (chain.key.empty()) {
    return NotOwned("the ledger belongs to a deployment, whose key is needed to open it",
                    "tacit.key is beside the policy");
  }
  return NotOwned(
      "the ledger is not this deployment's: it belongs to the key " + deployment +
          ", and the one that is here is " + chain.key.deployment_id(),
      "put back the ledger, or tacit.key, that was here before: another ledger would "
      "give the budget back. If the key is lost, run: tacit ledger accept DIR --new-key "
      "--reason 'the key was lost'");
}

}  // namespace tacit::ledger
