#include "ledger/ledger.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <span>

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

Database::Options ConnectionOf(const OpenOptions& options) {
  Database::Options how;
  how.vfs = options.vfs;
  how.busy_timeout_ms = options.busy_timeout_ms;
  how.key = OwnerKey(options.key);
  return how;
}

}  // namespace

// What is said when the program could not go on in the middle of a charge.
Error Interrupted() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger could not be written: the program was refused memory",
               .hint = "ask again; what was charged stays charged",
               .position = std::nullopt,
               .private_detail = ""};
}

// A charge that waits to be written; its caller waits too.
struct PendingCharge {
  const ChargeRequest* request = nullptr;
  // The writer's alone until `done`. Made before anybody writes: what can still be said when there
  // is no memory left to say anything.
  Result<Receipt> result = Interrupted();
  bool done = false;  // under queue_mutex
};

// An answer that waits to be kept; its caller waits for `mutex`.
struct PendingAnswer {
  const Receipt* receipt = nullptr;
  ReleaseId id;
  const std::string* bytes = nullptr;
  std::optional<Result<Done>> result = std::nullopt;  // under mutex
};

struct Ledger::State {
  std::mutex mutex;  // of what writes
  std::string path;
  OpenOptions options;
  FileIdentity identity;
  HeadFile head_file;
  std::unique_ptr<Database> writes;
  std::mutex seen_mutex;
  Head seen;  // the last record this handle knows to be durable
  std::atomic<bool> stopped = false;

  // Who only looks need not wait for those who wait for the disk.
  std::mutex reads_mutex;
  std::unique_ptr<Database> reads;  // opened when first needed

  // Charges that arrive while others are being written are written together next: the disk is
  // waited for once for all of them.
  std::mutex queue_mutex;
  std::condition_variable written;
  std::vector<PendingCharge*> queue;
  std::vector<PendingAnswer*> answers;  // likewise: whoever comes first keeps them all
  bool writing = false;

  Result<Done> CheckPlace() const;
  Head Seen();
  Result<std::unique_ptr<Database>> ConnectAgain() const;
  Result<Moment> ReadMoment();
  Result<Receipt> ReadOnly(Database& database, const ChargeRequest& request, bool& free);
  Result<Done> ChargeAll(std::span<PendingCharge* const> pending);
  Result<Done> WriteAll(std::span<PendingCharge* const> pending);
  // Whatever happens, everyone who waits has a result, and the next may write.
  void WriteFor(std::span<PendingCharge* const> pending) noexcept;
  Result<Done> WriteOne(const CheckedBooks& before, Decision& decision);
  Result<Done> WriteAnswer(const PendingAnswer& answer);
  Result<Done> WriteAnswers(PendingAnswer& mine);

  // Nobody looks at an answer whose caller is gone.
  class InQueue {
   public:
    InQueue(State& state, PendingAnswer& answer) : state_(state), answer_(&answer) {
      const std::lock_guard lock(state_.queue_mutex);
      state_.answers.push_back(answer_);
    }
    InQueue(const InQueue&) = delete;
    InQueue& operator=(const InQueue&) = delete;
    ~InQueue() {
      const std::lock_guard lock(state_.queue_mutex);
      std::erase(state_.answers, answer_);
    }

   private:
    State& state_;
    PendingAnswer* answer_;
  };

  // Runs one call under the lock, unless the ledger has stopped; stops it when the call says so.
  template <class Call>
  auto Guarded(Call call) -> decltype(call()) {
    const std::lock_guard lock(mutex);
    if (stopped) return Stopped();
    auto result = call();
    if (!result.ok() && MustStop(writes->last_failure())) stopped = true;
    return result;
  }

  // Runs one call that only reads: on the connection that writes when nobody is writing, so that a
  // single caller needs no second one.
  template <class Call>
  auto Reading(Call call) -> decltype(call(*writes)) {
    std::unique_lock idle(mutex, std::try_to_lock);
    std::unique_lock<std::mutex> alone;
    if (!idle.owns_lock()) {
      alone = std::unique_lock(reads_mutex);
      if (reads == nullptr && !stopped) {
        TACIT_TRY(reads, ConnectAgain());
      }
    }
    if (stopped) return Stopped();
    Database& database = idle.owns_lock() ? *writes : *reads;
    auto result = call(database);
    if (!result.ok() && MustStop(database.last_failure())) stopped = true;
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
  const Database::Options how = ConnectionOf(options);
  // Connected first: from here on nobody can accept another head.
  TACIT_TRY(std::unique_ptr<Database> database, Connect(path, how));
  {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(*database, Transaction::Kind::kRead));
    TACIT_CHECK(CheckOwner(*database));
  }
  // Before the snapshot that it is compared with: the head may only be behind it.
  TACIT_TRY(HeadFile head_file, HeadFile::Open(head_path, how.key));
  TACIT_TRY(const Head head, head_file.Read());
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
                                                 .writes = std::move(database),
                                                 .seen_mutex = {},
                                                 .seen = head,
                                                 .stopped = false,
                                                 .reads_mutex = {},
                                                 .reads = nullptr,
                                                 .queue_mutex = {},
                                                 .written = {},
                                                 .queue = {},
                                                 .answers = {},
                                                 .writing = false}));
}

// Charges written to a file that was renamed or deleted would be lost with it.
Result<Done> Ledger::State::CheckPlace() const {
  TACIT_TRY(const FileIdentity now, CheckFile(path));
  if (now == identity) return head_file.CheckPlace();
  Error error = Stopped();
  error.public_message = "another file took the place of the ledger " + path;
  error.hint = "start the program again; it checks the file that is there now";
  return error;
}

Head Ledger::State::Seen() {
  const std::lock_guard lock(seen_mutex);
  return seen;
}

Result<std::unique_ptr<Database>> Ledger::State::ConnectAgain() const {
  return Connect(path, ConnectionOf(options));
}

// What a charge would say, without writing it: complete when the request is free.
Result<Receipt> Ledger::State::ReadOnly(Database& database, const ChargeRequest& request,
                                        bool& free) {
  const Head durable = Seen();  // before the snapshot, which may only be newer
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(database, Transaction::Kind::kRead));
  TACIT_CHECK(CheckHead(database, durable));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(database));
  TACIT_TRY(Decision decision, Decide(database, *checked.books, request,
                                      {.time = TimeText(options), .is_quote = true}));
  free = decision.records.empty();
  return std::move(decision.receipt);
}

// Inside the caller's transaction, which has to be given up after an error.
Result<Done> Ledger::State::WriteOne(const CheckedBooks& before, Decision& decision) {
  std::string hash = before.head_hash;
  for (Record& record : decision.records) {
    if (ChargeAct* charge = std::get_if<ChargeAct>(&record.act)) {
      TACIT_TRY(charge->seal, SealReleases(*writes, record.sequence));
      for (const PaidRelease& release : charge->releases) {
        if (!release.analyst_pays) continue;
        TACIT_CHECK(SavePayment(*writes, charge->analyst, release.id, record.sequence));
      }
      if (!charge->request_id.empty()) {
        TACIT_CHECK(SaveRequest(*writes, charge->analyst, charge->request_id, record.sequence));
      }
    }
    TACIT_TRY(hash, AppendRecord(*writes, record, hash));
  }
  TACIT_CHECK(SaveBooks(*writes, *before.books, decision.books, decision.records.back().state));
  decision.receipt.hash = hash;
  decision.receipt.name = writes->key().ReceiptName(
      std::get<ChargeAct>(decision.records.back().act).analyst, decision.receipt.sequence, hash);
  return Done{};
}

// All of them in one transaction, in order: each is decided with the earlier ones written. What
// does not fit is refused alone; a failing disk fails them all.
Result<Done> Ledger::State::WriteAll(std::span<PendingCharge* const> pending) {
  TACIT_TRY(Transaction transaction, Transaction::Begin(*writes, Transaction::Kind::kWrite));
  const Head before_all = Seen();
  TACIT_CHECK(CheckHead(*writes, before_all));
  std::vector<Result<Receipt>> results;
  Head last = before_all;
  TACIT_TRY(CheckedBooks before, LoadBooks(*writes));
  for (const PendingCharge* charge : pending) {
    // Decided here, whatever a quote said: since then another charge may have been written.
    Result<Decision> decided = Decide(*writes, *before.books, *charge->request,
                                      {.time = TimeText(options), .is_quote = false});
    if (!decided.ok()) {
      if (MustStop(writes->last_failure())) return std::move(decided).error();
      results.emplace_back(std::move(decided).error());
      continue;
    }
    Decision decision = std::move(decided).value();
    if (!decision.records.empty()) {
      TACIT_CHECK(WriteOne(before, decision));
      last = Head{.records = decision.receipt.sequence, .hash = decision.receipt.hash};
      before = {.books = std::make_shared<const Books>(std::move(decision.books)),
                .head_hash = last.hash};
    }
    results.emplace_back(std::move(decision.receipt));
  }
  if (last.records != before_all.records) {
    Head durable = last;                // copied while it can still fail
    TACIT_CHECK(transaction.Commit());  // returns when the log is on stable storage
    {
      const std::lock_guard lock(seen_mutex);
      std::swap(seen, durable);
    }
    if (Result<Done> advanced = head_file.Advance(last); !advanced.ok()) {
      stopped = true;
      return std::move(advanced).error();
    }
  }
  for (size_t i = 0; i < pending.size(); ++i) pending[i]->result = std::move(results[i]);
  return Done{};
}

Result<Done> Ledger::State::ChargeAll(std::span<PendingCharge* const> pending) {
  TACIT_CHECK(CheckPlace());
  TACIT_CHECK(writes->CheckpointBeyond(4 * kLogFramesMax));
  return WriteAll(pending);
}

void Ledger::State::WriteFor(std::span<PendingCharge* const> pending) noexcept {
  try {
    const Result<Done> charged = Guarded([&] { return ChargeAll(pending); });
    if (charged.ok()) return;
    for (PendingCharge* charge : pending) charge->result = charged.error();
  } catch (...) {
    // The transaction rolled itself back, or was written already: then it stands. Either way those
    // who wait keep what they came with, and the ledger goes on.
  }
}

Result<Receipt> Ledger::Charge(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  PendingCharge mine{.request = &request};
  std::unique_lock lock(state_->queue_mutex);
  state_->queue.push_back(&mine);
  // Whoever comes while nobody writes, writes for all who wait.
  state_->written.wait(lock, [&] { return mine.done || !state_->writing; });
  if (mine.done) return std::move(mine.result);
  state_->writing = true;
  const std::vector<PendingCharge*> batch = std::exchange(state_->queue, {});
  lock.unlock();
  state_->WriteFor(batch);
  lock.lock();
  for (PendingCharge* charge : batch) charge->done = true;
  state_->writing = false;
  state_->written.notify_all();
  return std::move(mine.result);
}

Result<Receipt> Ledger::Quote(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  return state_->Reading([&](Database& database) -> Result<Receipt> {
    bool free = false;
    TACIT_TRY(Receipt receipt, state_->ReadOnly(database, request, free));
    if (!free) receipt.sequence = 0;  // nothing has been paid
    return receipt;
  });
}

// Inside the caller's transaction.
Result<Done> Ledger::State::WriteAnswer(const PendingAnswer& answer) {
  const ReleaseId& id = answer.id;
  TACIT_TRY(const ChainedRecord paid, LoadRecord(*writes, id.sequence));
  const ChargeAct* charge = std::get_if<ChargeAct>(&paid.record->act);
  if (charge == nullptr || id.ordinal >= charge->releases.size() ||
      charge->releases[id.ordinal].id != id || paid.hash != answer.receipt->hash) {
    return InvalidArgument("the receipt did not pay for release " + ToString(id));
  }
  const std::string& bytes = *answer.bytes;
  return SaveRelease(*writes, id, charge->releases[id.ordinal].fingerprint, charge->data_version,
                     bytes, writes->key().AnswerHash(paid.hash, id.ordinal, bytes));
}

// Under the lock, for which answers wait while charges are written: whoever gets it keeps all that
// wait, in one transaction, and the others find theirs done. One that is refused is refused alone;
// a failing disk fails them all.
Result<Done> Ledger::State::WriteAnswers(PendingAnswer& mine) {
  if (mine.result) return *mine.result;
  std::vector<PendingAnswer*> all;
  {
    const std::lock_guard lock(queue_mutex);
    all = std::exchange(answers, {});
  }
  // Somebody took it along and could not finish.
  if (std::find(all.begin(), all.end(), &mine) == all.end()) all.push_back(&mine);
  TACIT_CHECK(CheckPlace());
  TACIT_TRY(Transaction transaction,
            Transaction::Begin(*writes, Transaction::Kind::kWriteUnsynced));
  std::vector<Result<Done>> results;
  for (const PendingAnswer* answer : all) {
    TACIT_CHECK(writes->Run("SAVEPOINT answer"));
    results.push_back(WriteAnswer(*answer));
    if (!results.back().ok()) {
      if (MustStop(writes->last_failure())) return results.back();
      TACIT_CHECK(writes->Run("ROLLBACK TO answer"));
    }
    TACIT_CHECK(writes->Run("RELEASE answer"));
  }
  TACIT_CHECK(transaction.Commit());
  for (size_t i = 0; i < all.size(); ++i) all[i]->result = std::move(results[i]);
  TACIT_CHECK(writes->CheckpointBeyond(kLogFramesMax));
  return *mine.result;
}

Result<Done> Ledger::Store(const Receipt& receipt, size_t ordinal, const std::string& bytes) {
  if (ordinal >= receipt.releases.size() || receipt.releases[ordinal].bytes.has_value()) {
    return InvalidArgument("the receipt granted no new release of that number");
  }
  if (bytes.size() > kAnswerBytesMax) return InvalidArgument("the answer is too large to be kept");
  PendingAnswer mine{.receipt = &receipt, .id = receipt.releases[ordinal].id, .bytes = &bytes};
  const State::InQueue waits(*state_, mine);
  return state_->Guarded([&] { return state_->WriteAnswers(mine); });
}

Result<Balance> Ledger::BalanceOf(const std::string& analyst, Accounting accounting,
                                  const std::optional<Budget>& budget) {
  return state_->Reading([&](Database& database) -> Result<Balance> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(database, Transaction::Kind::kRead));
    TACIT_TRY(const CheckedBooks checked, LoadBooks(database));
    const auto entry = checked.books->entries.find(analyst);
    const Cost spent = entry == checked.books->entries.end() ? Cost{} : entry->second.spent;
    if (!budget) return BalanceUnder(accounting, spent, std::nullopt);
    TACIT_TRY(const Cost capacity, CapacityOf(accounting, *budget));
    return BalanceUnder(accounting, spent, capacity);
  });
}

// The file's own mark, as it is: the page is written, and waited for, like those of a charge.
Result<Done> Ledger::TryToWrite() {
  return state_->Guarded([&]() -> Result<Done> {
    TACIT_CHECK(state_->CheckPlace());
    TACIT_CHECK(CheckRoomBeside(state_->path));
    Database& writes = *state_->writes;
    TACIT_TRY(Transaction transaction, Transaction::Begin(writes, Transaction::Kind::kWrite));
    TACIT_CHECK(CheckHead(writes, state_->Seen()));
    TACIT_CHECK(WriteFormatAgain(writes));
    TACIT_CHECK(transaction.Commit());
    return writes.CheckpointBeyond(kLogFramesMax);
  });
}

// For whoever holds reads_mutex.
Result<Moment> Ledger::State::ReadMoment() {
  if (stopped) return Stopped();
  if (reads == nullptr) {
    TACIT_TRY(reads, ConnectAgain());
  }
  // Always on this connection, which never writes: it counts what all others do. And what is known
  // to be durable has to be in what it counts: when only that has moved on, nothing is equal.
  const int64_t records = Seen().records;
  const Result<int64_t> version = reads->QueryInt("PRAGMA data_version");
  if (version.ok()) return Moment{.version = *version, .records = records};
  if (MustStop(reads->last_failure())) stopped = true;
  return version.error();
}

Result<Moment> Ledger::Now() {
  const std::lock_guard alone(state_->reads_mutex);
  return state_->ReadMoment();
}

std::optional<Moment> Ledger::TryNow() {
  const std::unique_lock alone(state_->reads_mutex, std::try_to_lock);
  if (!alone.owns_lock() || state_->reads == nullptr) return std::nullopt;
  const Result<Moment> now = state_->ReadMoment();
  return now.ok() ? std::optional(*now) : std::nullopt;
}

std::string Ledger::ReceiptName(const std::string& analyst, int64_t sequence,
                                const std::string& hash) const {
  return state_->writes->key().ReceiptName(analyst, sequence, hash);
}

Result<Head> Ledger::ReadHead() {
  return state_->Reading([&](Database& database) -> Result<Head> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(database, Transaction::Kind::kRead));
    TACIT_TRY(const StoredRecord last, LastRecord(database));
    return Head{.records = last.sequence, .hash = last.hash};
  });
}

}  // namespace tacit::ledger
