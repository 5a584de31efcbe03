#include "ledger/testing/memory_storage.h"

#include <chrono>
#include <set>

namespace tacit::ledger::testing {
namespace {

// Why 10 s: longer than any test writes.
constexpr std::chrono::seconds kWaitMax{10};

Error Failed(const std::string& what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the storage failed: " + what,
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

std::string SignatureOf(const Head& head, const OwnerKey& key) {
  return key.HeadHash(std::to_string(head.records) + ":" + head.hash);
}

std::pair<int64_t, size_t> KeyOf(const ReleaseId& id) { return {id.sequence, id.ordinal}; }

template <class Map, class Key>
auto Find(const Map& map, const Key& key) -> std::optional<typename Map::mapped_type> {
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

}  // namespace

class MemoryConnection final : public StorageConnection {
 public:
  MemoryConnection(MemoryServer& server, bool alone) : server_(server), alone_(alone) {}
  ~MemoryConnection() override {
    RollBack();
    const std::lock_guard lock(server_.mutex_);
    --server_.connections_;
    if (alone_) server_.alone_ = false;
  }

  Result<Done> Begin(Access access) override {
    RollBack();
    TACIT_CHECK(Call("begin"));
    std::unique_lock lock(server_.mutex_);
    if (access != Access::kRead) {
      if (!server_.changed_.wait_for(lock, kWaitMax, [&] { return !server_.writing_; })) {
        return Failed("it is busy");
      }
      server_.writing_ = true;
      ours_ = std::make_shared<MemoryRows>(*server_.visible_);
    }
    seen_ = ours_ != nullptr ? ours_ : server_.visible_;
    synced_ = access == Access::kWrite;
    return Done{};
  }

  Result<Done> Commit() override {
    const Result<Done> called = Call("commit");
    const bool word_lost = !called.ok() && kind_ == MemoryFaults::Kind::kLostWord;
    if (!called.ok() && !word_lost) return called;
    if (ours_ != nullptr) {
      const std::lock_guard lock(server_.mutex_);
      ++ours_->version;
      server_.visible_ = ours_;
      if (synced_) {
        server_.durable_ = ours_;
        ++server_.syncs_;
      }
    }
    RollBack();  // nothing is left to be given up
    return called;
  }

  void RollBack() noexcept override {
    seen_.reset();
    if (ours_ == nullptr) return;
    ours_.reset();
    const std::lock_guard lock(server_.mutex_);
    server_.writing_ = false;
    server_.changed_.notify_all();
  }

  bool MustStop() const override { return stopped_; }

  Result<std::optional<StoredRecord>> FindRecord(int64_t sequence) override {
    TACIT_CHECK(Call("find record"));
    return Find(seen_->records, sequence);
  }

  Result<std::optional<StoredRecord>> LastRecord() override {
    TACIT_CHECK(Call("last record"));
    if (seen_->records.empty()) return std::optional<StoredRecord>();
    return std::optional(seen_->records.rbegin()->second);
  }

  Result<BookRows> ReadBooks() override {
    TACIT_CHECK(Call("read books"));
    return BookRows{.declared = {seen_->declared.begin(), seen_->declared.end()},
                    .accounts = {seen_->accounts.begin(), seen_->accounts.end()}};
  }

  Result<std::optional<int64_t>> FindRequest(const std::string& analyst,
                                             const std::string& request_id) override {
    TACIT_CHECK(Call("find request"));
    return Find(seen_->requests, std::pair(analyst, request_id));
  }

  Result<std::optional<int64_t>> FindPayment(const std::string& analyst,
                                             const ReleaseId& release) override {
    TACIT_CHECK(Call("find payment"));
    return Find(seen_->payments, std::tuple(analyst, release.sequence, release.ordinal));
  }

  Result<PayingRecords> FindPaying(const std::string& analyst, int64_t newest_max) override {
    TACIT_CHECK(Call("find payment"));
    std::set<int64_t> all;
    for (const auto& [key, sequence] : seen_->payments) {
      if (std::get<0>(key) == analyst) all.insert(sequence);
    }
    PayingRecords paying{.count = static_cast<int64_t>(all.size()), .newest = {}};
    TACIT_TRY(paying.newest, FindPayingAfter(analyst, 0, newest_max));
    return paying;
  }

  Result<std::vector<int64_t>> FindPayingAfter(const std::string& analyst, int64_t after,
                                               int64_t newest_max) override {
    TACIT_CHECK(Call("find payment"));
    std::set<int64_t> all;
    for (const auto& [key, sequence] : seen_->payments) {
      if (std::get<0>(key) == analyst && sequence > after) all.insert(sequence);
    }
    while (static_cast<int64_t>(all.size()) > newest_max) all.erase(all.begin());
    return std::vector<int64_t>(all.begin(), all.end());
  }

  Result<std::vector<ReleaseId>> FindAnswers(const AnswerSearch& search,
                                             int64_t count_max) override {
    TACIT_CHECK(Call("find answers"));
    std::map<std::pair<int64_t, size_t>, ReleaseId> found;  // the highest record first
    for (const auto& [key, answer] : seen_->answers) {
      const AnswerRow& row = answer.row;
      if (row.fingerprint != search.fingerprint || row.data_version != search.data_version) {
        continue;
      }
      const auto payment = [&] {
        return std::tuple(std::string(*search.paid_by), row.id.sequence, row.id.ordinal);
      };
      if (search.paid_by && !seen_->payments.contains(payment())) continue;
      found.emplace(std::pair(-key.first, key.second), row.id);
    }
    std::vector<ReleaseId> ids;
    for (const auto& [order, id] : found) {
      if (static_cast<int64_t>(ids.size()) < count_max) ids.push_back(id);
    }
    return ids;
  }

  Result<std::optional<AnswerBytes>> FindAnswer(const ReleaseId& id) override {
    TACIT_CHECK(Call("find answer"));
    const std::optional<MemoryAnswer> found = Find(seen_->answers, KeyOf(id));
    if (!found) return std::optional<AnswerBytes>();
    return std::optional(AnswerBytes{
        .bytes = found->bytes, .hash = found->row.hash, .sealed_by = found->row.sealed_by});
  }

  Result<std::vector<AnswerHash>> AnswersSealedBy(int64_t sequence) override {
    TACIT_CHECK(Call("find sealed answers"));
    std::vector<AnswerHash> sealed;
    for (const auto& [key, answer] : seen_->answers) {
      if (answer.row.sealed_by != sequence) continue;
      sealed.push_back({.id = answer.row.id, .hash = answer.row.hash});
    }
    return sealed;
  }

  Result<Done> Append(const Addition& addition) override {
    TACIT_CHECK(Call("append"));
    if (addition.seal != 0) {
      for (auto& [key, answer] : ours_->answers) {
        if (answer.row.sealed_by == 0) answer.row.sealed_by = addition.seal;
      }
    }
    bool fresh = true;
    for (const StoredRecord& row : addition.records) {
      fresh = ours_->records.emplace(row.sequence, row).second && fresh;
    }
    for (const RequestRow& row : addition.requests) {
      fresh = ours_->requests.emplace(std::pair(row.analyst, row.id), row.sequence).second && fresh;
    }
    for (const PaymentRow& row : addition.payments) {
      const auto key = std::tuple(row.analyst, row.release.sequence, row.release.ordinal);
      fresh = ours_->payments.emplace(key, row.sequence).second && fresh;
    }
    for (const auto& [name, text] : addition.books.declared) ours_->declared[name] = text;
    for (const auto& [name, text] : addition.books.accounts) ours_->accounts[name] = text;
    if (!fresh) return Failed("a row is there already");
    return Done{};
  }

  Result<Done> SaveAnswer(const AnswerRow& answer, const std::string& bytes) override {
    TACIT_CHECK(Call("save answer"));
    const MemoryAnswer kept{.row = answer, .bytes = bytes};
    if (!ours_->answers.emplace(KeyOf(answer.id), kept).second) {
      return Failed("the release has an answer");
    }
    return Done{};
  }

  Result<Done> WriteMark() override { return Call("write mark"); }

  Result<Done> ForEachRecord(const Each<StoredRecord>& each) override {
    TACIT_CHECK(Call("read records"));
    for (const auto& [sequence, row] : seen_->records) TACIT_CHECK(each(row));
    return Done{};
  }

  Result<Done> ForEachRequest(const Each<RequestRow>& each) override {
    TACIT_CHECK(Call("read requests"));
    for (const auto& [key, sequence] : seen_->requests) {
      TACIT_CHECK(each({.analyst = key.first, .id = key.second, .sequence = sequence}));
    }
    return Done{};
  }

  Result<Done> ForEachPayment(const Each<PaymentRow>& each) override {
    TACIT_CHECK(Call("read payments"));
    for (const auto& [key, sequence] : seen_->payments) {
      const auto& [analyst, paid, ordinal] = key;
      TACIT_CHECK(each({.analyst = analyst,
                        .release = {.sequence = paid, .ordinal = ordinal},
                        .sequence = sequence}));
    }
    return Done{};
  }

  Result<Done> ForEachAnswer(const Each<AnswerRow>& each) override {
    TACIT_CHECK(Call("read answers"));
    for (const auto& [key, answer] : seen_->answers) TACIT_CHECK(each(answer.row));
    return Done{};
  }

  Result<std::string> FindFault() override {
    TACIT_CHECK(Call("find fault"));
    return std::string();
  }

  Result<int64_t> Version() override {
    TACIT_CHECK(Call("version"));
    const std::lock_guard lock(server_.mutex_);
    return server_.visible_->version;
  }

  Result<Done> TidyUp(bool) override { return Call("tidy up"); }

 private:
  Result<Done> Call(const std::string& what) {
    if (!server_.Fails(kind_)) return Done{};
    stopped_ = kind_ == MemoryFaults::Kind::kUnknown;
    return Failed(what);
  }

  MemoryServer& server_;
  bool alone_;
  std::shared_ptr<const MemoryRows> seen_;  // what this transaction reads
  std::shared_ptr<MemoryRows> ours_;        // what it writes; null: it only reads
  bool synced_ = false;
  bool stopped_ = false;
  MemoryFaults::Kind kind_ = {};
};

class MemoryStorage final : public Storage {
 public:
  MemoryStorage(MemoryServer& server, bool alone) : server_(server), alone_(alone) {}

  Result<std::unique_ptr<StorageConnection>> Connect() override {
    TACIT_CHECK(Call("connect"));
    const std::lock_guard lock(server_.mutex_);
    if (server_.alone_ || (alone_ && server_.connections_ != 0)) {
      Error error = Failed("another program has the ledger open");
      error.hint = "stop the server";
      return error;
    }
    server_.alone_ = alone_;
    ++server_.connections_;
    return std::unique_ptr<StorageConnection>(new MemoryConnection(server_, alone_));
  }

  Result<Done> CheckPlace() override { return Call("check place"); }
  Result<Done> CheckRoom() override { return Call("check room"); }

  Result<Head> RecallHead(const OwnerKey& signed_by) override {
    TACIT_CHECK(Call("recall head"));
    const std::lock_guard lock(server_.mutex_);
    if (!server_.head_) return Failed("there is no head");
    if (SignatureOf(*server_.head_, signed_by) != server_.signature_) {
      return Failed("the head is another deployment's");
    }
    return *server_.head_;
  }

  Result<Done> RememberHead(const Head& head, const OwnerKey& key) override {
    TACIT_CHECK(Call("remember head"));
    const std::lock_guard lock(server_.mutex_);
    if (server_.head_ && server_.head_->records >= head.records) return Done{};
    server_.head_ = head;
    server_.signature_ = SignatureOf(head, key);
    return Done{};
  }

  Result<Done> ReplaceHead(const Head& head, const OwnerKey& key) override {
    TACIT_CHECK(Call("replace head"));
    const std::lock_guard lock(server_.mutex_);
    server_.head_ = head;
    server_.signature_ = SignatureOf(head, key);
    return Done{};
  }

 private:
  Result<Done> Call(const std::string& what) {
    MemoryFaults::Kind kind{};
    if (server_.Fails(kind)) return Failed(what);
    return Done{};
  }

  MemoryServer& server_;
  bool alone_;
};

Result<Done> MemoryServer::Create(const Addition& first, const OwnerKey& key) {
  const std::lock_guard lock(mutex_);
  if (visible_ != nullptr) return Failed("there is one already");
  auto rows = std::make_shared<MemoryRows>();
  for (const StoredRecord& row : first.records) rows->records.emplace(row.sequence, row);
  rows->declared = {first.books.declared.begin(), first.books.declared.end()};
  rows->accounts = {first.books.accounts.begin(), first.books.accounts.end()};
  visible_ = durable_ = rows;
  head_ = Head{.records = first.records.back().sequence, .hash = first.records.back().hash};
  signature_ = SignatureOf(*head_, key);
  return Done{};
}

Result<std::unique_ptr<Storage>> MemoryServer::Open(bool alone) {
  const std::lock_guard lock(mutex_);
  if (visible_ == nullptr) return Failed("there is no ledger");
  return std::unique_ptr<Storage>(new MemoryStorage(*this, alone));
}

bool MemoryServer::Fails(MemoryFaults::Kind& kind) {
  const std::lock_guard lock(mutex_);
  ++calls_;
  if (faults_.fail_at == 0 || calls_ < faults_.fail_at) return false;
  if (!faults_.for_ever && calls_ > faults_.fail_at) return false;
  happened_ = true;
  kind = faults_.kind;
  return true;
}

void MemoryServer::ArmFaults(const MemoryFaults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
  calls_ = 0;
  happened_ = false;
}

bool MemoryServer::FaultHappened() {
  const std::lock_guard lock(mutex_);
  return happened_;
}

int64_t MemoryServer::syncs() {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

void MemoryServer::LosePower() {
  const std::lock_guard lock(mutex_);
  TACIT_ASSERT(connections_ == 0);
  visible_ = durable_;
}

MemoryRows MemoryServer::rows() {
  const std::lock_guard lock(mutex_);
  return *visible_;
}

void MemoryServer::Replace(MemoryRows rows) {
  const std::lock_guard lock(mutex_);
  ++rows.version;
  visible_ = durable_ = std::make_shared<const MemoryRows>(std::move(rows));
}

}  // namespace tacit::ledger::testing
