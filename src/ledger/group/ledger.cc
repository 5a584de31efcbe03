#include "ledger/ledger.h"

#include "ledger/chain/checked_books.h"
#include "ledger/decide/check_request.h"
#include "ledger/decide/own_releases.h"
#include "ledger/decide/room.h"
#include "ledger/group/state.h"

namespace tacit::ledger {

Error Stopped() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger stopped after a failed write",
               .hint = "look after the disk, run tacit ledger verify, then start the program again",
               .position = std::nullopt,
               .private_detail = ""};
}

Error Interrupted() {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger could not be written: the program was refused memory",
               .hint = "ask again; what was charged stays charged",
               .position = std::nullopt,
               .private_detail = ""};
}

Ledger::Ledger(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

// proof: ledger/recovery.md#where-sqlite-goes-back-silently-and-how-that-is-noticed
Result<Ledger> Ledger::Open(std::unique_ptr<Storage> storage, const OpenOptions& options) {
  OwnerKey key(options.key);
  // Connected first: from here on nobody can accept another head.
  TACIT_TRY(std::unique_ptr<Chain> chain, Chain::Connect(*storage, key));
  {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
    TACIT_CHECK(CheckOwner(*chain));
  }
  // Before the snapshot that it is compared with: the head may only be behind it.
  TACIT_TRY(const Head head, storage->RecallHead(key));
  {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(*chain, Transaction::Access::kRead));
    TACIT_CHECK(CheckHead(*chain, head));
    TACIT_CHECK(CheckLastLinks(*chain, kQuickCheckRecords));
    TACIT_TRY(const CheckedBooks now, LoadBooks(*chain));
    TACIT_CHECK(FollowRecords(*chain, now));  // from here on
  }
  auto state = std::make_unique<State>();
  state->storage = std::move(storage);
  state->options = options;
  state->key = std::move(key);
  state->writes = std::move(chain);
  state->seen = head;
  if (!options.questions.empty()) {
    state->questions = std::make_unique<Questions>(options.questions, options.questions_days);
    state->questions->Forget(state->TimeNow());
  }
  return Ledger(std::move(state));
}

Head Ledger::State::Seen() {
  const std::lock_guard lock(seen_mutex);
  return seen;
}

Result<Done> Ledger::State::ConnectReads() {
  if (reads != nullptr) return Done{};
  TACIT_TRY(reads, Chain::Connect(*storage, key));
  return Done{};
}

ExpectedLookup LookupOf(const ChargeRequest& request) {
  ExpectedLookup lookup{.analyst = request.analyst,
                        .request_id = request.request_id,
                        .fingerprints = {},
                        .data_version = request.data_version};
  for (const ReleaseWish& wish : request.releases) lookup.fingerprints.push_back(wish.fingerprint);
  return lookup;
}

// What a charge would say, without writing it: complete when the request is free.
Result<Receipt> Ledger::State::ReadOnly(Chain& chain, const ChargeRequest& request, bool& free) {
  const Head durable = Seen();  // before the snapshot, which may only be newer
  chain.rows->Expect({.lookups = {LookupOf(request)}, .records = {durable.records}});
  TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
  TACIT_CHECK(CheckHead(chain, durable));
  TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
  TACIT_TRY(Decision decision,
            Decide(chain, *checked.books, request, {.time = TimeNow(), .is_quote = true}));
  free = decision.records.empty();
  return std::move(decision.receipt);
}

Result<Receipt> Ledger::Quote(const ChargeRequest& request) {
  TACIT_CHECK(CheckRequest(request));
  return state_->Reading([&](Chain& chain) -> Result<Receipt> {
    bool free = false;
    TACIT_TRY(Receipt receipt, state_->ReadOnly(chain, request, free));
    if (!free) receipt.sequence = 0;  // nothing has been paid
    return receipt;
  });
}

Result<OwnCharges> Ledger::OwnChargesAfter(const std::string& analyst, int64_t data_version,
                                           int64_t after) {
  return state_->Reading([&](Chain& chain) -> Result<OwnCharges> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
    return FindOwnCharges(chain, analyst, data_version, after);
  });
}

Result<std::optional<Receipt>> Ledger::Recall(const ChargeRequest& request,
                                              const std::vector<ReleaseId>& releases) {
  TACIT_CHECK(CheckRequest(request));
  return state_->Reading([&](Chain& chain) -> Result<std::optional<Receipt>> {
    const Head durable = state_->Seen();  // before the snapshot, which may only be newer
    chain.rows->Expect({.records = {durable.records}});
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
    TACIT_CHECK(CheckHead(chain, durable));
    TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
    return RecallReleases(chain, *checked.books, request, releases);
  });
}

Result<Balance> Ledger::BalanceOf(const std::string& analyst, Accounting accounting,
                                  const std::optional<Budget>& budget) {
  return state_->Reading([&](Chain& chain) -> Result<Balance> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
    TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
    return BalanceIn(*checked.books, analyst, accounting, budget);
  });
}

Result<std::optional<std::string>> Ledger::TimeOfRequest(const std::string& analyst,
                                                         const std::string& request_id) {
  using Time = std::optional<std::string>;
  return state_->Reading([&](Chain& chain) -> Result<Time> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
    TACIT_TRY(const std::optional<int64_t> charged, chain.rows->FindRequest(analyst, request_id));
    if (!charged) return Time();
    TACIT_TRY(const ChainedRecord first, LoadRecord(chain, *charged));
    return Time(first.record->time);
  });
}

Result<Moment> Ledger::State::ReadMoment() {
  if (stopped) return Stopped();
  TACIT_CHECK(ConnectReads());
  // Always on this connection, which never writes: it counts what all others do. And what is known
  // to be durable has to be in what it counts: when only that has moved on, nothing is equal.
  const int64_t records = Seen().records;
  const Result<int64_t> version = reads->rows->Version();
  if (version.ok()) return Moment{.version = *version, .records = records};
  if (reads->rows->MustStop()) stopped = true;
  return version.error();
}

Work Ledger::Stop() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  return state_->work;
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
  return state_->key.ReceiptName(analyst, sequence, hash);
}

Result<Head> Ledger::ReadHead() {
  return state_->Reading([&](Chain& chain) -> Result<Head> {
    TACIT_TRY(const Transaction snapshot, Transaction::Begin(chain, Transaction::Access::kRead));
    TACIT_TRY(const StoredRecord last, LastRecord(chain));
    return Head{.records = last.sequence, .hash = last.hash};
  });
}

}  // namespace tacit::ledger
