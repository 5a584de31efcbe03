#include "ledger/ledger.h"

#include <mutex>

#include "ledger/sqlite/decide.h"
#include "ledger/sqlite/files.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

// Why 64 MiB: a released table of a million groups.
constexpr size_t kAnswerBytesMax = size_t{64} << 20;

// Why 1000: 4 MB of log, some two hundred charges, between the two fsyncs of a checkpoint.
constexpr int kLogFramesMax = 1000;

Error Stopped() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger stopped after a failed write",
               .hint = "look after the disk, run tacit ledger verify, then start the program again",
               .position = std::nullopt,
               .private_detail = ""};
}

// After these codes nobody knows what the file holds, and a second fsync may report success for
// what the first one lost.
bool MustStop(int code) {
  const int kind = code & 0xff;
  return kind == SQLITE_IOERR || kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

}  // namespace

struct Ledger::State {
  std::mutex mutex;
  std::string path;
  OpenOptions options;
  FileIdentity identity;
  HeadFile head_file;
  std::unique_ptr<Database> charges;  // waits for the disk
  std::unique_ptr<Database> answers;  // does not; opened when first needed
  Head seen;                          // the last record this handle knows to be durable
  bool stopped = false;

  Result<Done> CheckPlace() const;
  Result<Done> CheckSeen();
  Result<Receipt> ReadOnly(const ChargeRequest& request, bool& free);
  Result<Receipt> Write(const ChargeRequest& request);
  Result<Done> WriteAnswer(const Receipt& receipt, const ReleaseId& id, const std::string& bytes);

  // Runs one call under the lock, unless the ledger has stopped; stops it when the call says so.
  template <class Call>
  auto Guarded(Call call) -> decltype(call()) {
    const std::lock_guard lock(mutex);
    if (stopped) return Stopped();
    auto result = call();
    if (!result.ok()) {
      stopped = stopped || MustStop(charges->last_failure()) ||
                (answers != nullptr && MustStop(answers->last_failure()));
    }
    return result;
  }
};

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Result<Ledger> Ledger::Open(const std::string& path, const OpenOptions& options) {
  TACIT_TRY(const FileIdentity identity, CheckFile(path));
  const std::string head_path = HeadFile::PathOf(path);
  TACIT_TRY(HeadFile head_file, HeadFile::Open(head_path));
  // Before the database: the head may only be behind what is read next.
  TACIT_TRY(const Head head, head_file.Read());
  Database::Options how;
  how.vfs = options.vfs;
  how.busy_timeout_ms = options.busy_timeout_ms;
  TACIT_TRY(std::unique_ptr<Database> database, Connect(path, how));
  {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
    TACIT_CHECK(CheckHead(*database, head));
    TACIT_CHECK(CheckLastLinks(*database, kQuickCheckRecords));
    TACIT_CHECK(LoadBooks(*database));
  }
  return Ledger(std::unique_ptr<State>(new State{.mutex = {},
                                                 .path = path,
                                                 .options = options,
                                                 .identity = identity,
                                                 .head_file = std::move(head_file),
                                                 .charges = std::move(database),
                                                 .answers = nullptr,
                                                 .seen = head,
                                                 .stopped = false}));
}

// Charges written to a file that was renamed or deleted would be lost with it.
Result<Done> Ledger::State::CheckPlace() const {
  TACIT_TRY(const FileIdentity now, CheckFile(path));
  if (now == identity) return Done{};
  Error error = Stopped();
  error.public_message = "another file took the place of the ledger " + path;
  error.hint = "start the program again; it checks the file that is there now";
  return error;
}

Result<Done> Ledger::State::CheckSeen() { return CheckHead(*charges, seen); }

// The part of Charge that needs no write: complete when the request is free.
Result<Receipt> Ledger::State::ReadOnly(const ChargeRequest& request, bool& free) {
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(*charges, Transaction::Kind::kRead));
  TACIT_CHECK(CheckSeen());
  TACIT_TRY(Decision decision, Decide(*charges, request, TimeText(options)));
  free = decision.records.empty();
  return std::move(decision.receipt);
}

Result<Receipt> Ledger::State::Write(const ChargeRequest& request) {
  TACIT_TRY(Transaction transaction, Transaction::Begin(*charges, Transaction::Kind::kWrite));
  TACIT_CHECK(CheckSeen());
  TACIT_TRY(const CheckedBooks before, LoadBooks(*charges));
  // Decided again: between the two transactions another process may have charged.
  TACIT_TRY(Decision decision, Decide(*charges, request, TimeText(options)));
  Receipt& receipt = decision.receipt;
  if (decision.records.empty()) return std::move(receipt);
  std::string hash = before.head_hash;
  for (Record& record : decision.records) {
    if (ChargeAct* charge = std::get_if<ChargeAct>(&record.act)) {
      TACIT_TRY(charge->seal, SealReleases(*charges, record.sequence));
      for (const PaidRelease& release : charge->releases) {
        if (!release.analyst_pays) continue;
        TACIT_CHECK(SavePayment(*charges, charge->analyst, release.id, record.sequence));
      }
      if (!charge->request_id.empty()) {
        TACIT_CHECK(SaveRequest(*charges, charge->analyst, charge->request_id, record.sequence));
      }
    }
    TACIT_TRY(hash, AppendRecord(*charges, record, hash));
  }
  TACIT_CHECK(SaveBooks(*charges, before.books, decision.books));
  TACIT_CHECK(transaction.Commit());  // returns when the log is on stable storage

  receipt.hash = hash;
  seen = Head{.records = receipt.sequence, .hash = hash};
  if (Result<Done> advanced = head_file.Advance(seen); !advanced.ok()) {
    stopped = true;
    return std::move(advanced).error();
  }
  return std::move(receipt);
}

Result<Receipt> Ledger::Charge(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  return state_->Guarded([&]() -> Result<Receipt> {
    TACIT_CHECK(state_->CheckPlace());
    bool free = false;
    TACIT_TRY(Receipt receipt, state_->ReadOnly(request, free));
    if (free) return receipt;
    TACIT_CHECK(state_->charges->CheckpointBeyond(4 * kLogFramesMax));
    return state_->Write(request);
  });
}

Result<Receipt> Ledger::Quote(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  return state_->Guarded([&]() -> Result<Receipt> {
    bool free = false;
    TACIT_TRY(Receipt receipt, state_->ReadOnly(request, free));
    if (!free) receipt.sequence = 0;  // nothing has been paid
    return receipt;
  });
}

Result<Done> Ledger::State::WriteAnswer(const Receipt& receipt, const ReleaseId& id,
                                        const std::string& bytes) {
  TACIT_TRY(Transaction transaction, Transaction::Begin(*answers, Transaction::Kind::kWrite));
  TACIT_TRY(const ChainedRecord paid, LoadRecord(*answers, id.sequence));
  const ChargeAct* charge = std::get_if<ChargeAct>(&paid.record.act);
  if (charge == nullptr || id.ordinal >= charge->releases.size() ||
      charge->releases[id.ordinal].id != id || paid.hash != receipt.hash) {
    return InvalidArgument("the receipt did not pay for release " + ToString(id));
  }
  TACIT_CHECK(SaveRelease(*answers, id, charge->releases[id.ordinal].fingerprint,
                          charge->data_version, bytes, ReleaseHash(paid.hash, id.ordinal, bytes)));
  TACIT_CHECK(transaction.Commit());
  return answers->CheckpointBeyond(kLogFramesMax);
}

Result<Done> Ledger::Store(const Receipt& receipt, size_t ordinal, const std::string& bytes) {
  if (ordinal >= receipt.releases.size() || receipt.releases[ordinal].bytes.has_value()) {
    return InvalidArgument("the receipt granted no new release of that number");
  }
  if (bytes.size() > kAnswerBytesMax) return InvalidArgument("the answer is too large to be kept");
  return state_->Guarded([&]() -> Result<Done> {
    TACIT_CHECK(state_->CheckPlace());
    if (state_->answers == nullptr) {
      Database::Options how;
      how.vfs = state_->options.vfs;
      how.busy_timeout_ms = state_->options.busy_timeout_ms;
      how.wait_for_disk = false;
      TACIT_TRY(state_->answers, Connect(state_->path, how));
    }
    return state_->WriteAnswer(receipt, receipt.releases[ordinal].id, bytes);
  });
}

Result<Balance> Ledger::BalanceOf(const std::string& analyst, Accounting accounting,
                                  const std::optional<Budget>& budget) {
  return state_->Guarded([&]() -> Result<Balance> {
    TACIT_TRY(const Transaction snapshot,
              Transaction::Begin(*state_->charges, Transaction::Kind::kRead));
    TACIT_TRY(const CheckedBooks checked, LoadBooks(*state_->charges));
    const auto entry = checked.books.entries.find(analyst);
    const Cost spent = entry == checked.books.entries.end() ? Cost{} : entry->second.spent;
    if (!budget) return BalanceUnder(accounting, spent, std::nullopt);
    TACIT_TRY(const Cost capacity, CapacityOf(accounting, *budget));
    return BalanceUnder(accounting, spent, capacity);
  });
}

Result<Head> Ledger::ReadHead() {
  return state_->Guarded([&]() -> Result<Head> {
    TACIT_TRY(const Transaction snapshot,
              Transaction::Begin(*state_->charges, Transaction::Kind::kRead));
    TACIT_TRY(const StoredRecord last, LastRecord(*state_->charges));
    return Head{.records = last.sequence, .hash = last.hash};
  });
}

}  // namespace tacit::ledger
