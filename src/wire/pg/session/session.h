#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sql/command.h"
#include "wire/auth/tls.h"
#include "wire/pg/protocol/frame.h"
#include "wire/pg/protocol/message.h"
#include "wire/pg/protocol/startup.h"
#include "wire/pg/session/held_bytes.h"
#include "wire/pg/session/registry.h"
#include "wire/pg/session/settings.h"
#include "wire/service/ask.h"
#include "wire/service/guess_delays.h"
#include "wire/transport/strangers.h"
#include "wire/transport/transport.h"

namespace tacit::wire::pg {

// Every limit is for a client that means no good, or has a fault.
struct SessionLimits {
  std::chrono::milliseconds login{20'000};  // from the first byte to the right password, in all
  std::chrono::milliseconds write{30'000};  // for 64 KiB to be taken
  size_t statements_max = 1'000;
  // Of what is kept of them: texts, columns, parameters.
  HeldBytes::Limits statement_bytes = {.of_session = 4u << 20, .of_analyst = 32u << 20};
  size_t portals_max = 256;
  // Of the rows that wait in all of them.
  HeldBytes::Limits portal_bytes = {.of_session = 64u << 20, .of_analyst = 128u << 20};
};

// What is sent leaves in pieces of about this size, and waits for a client that does not read.
inline constexpr size_t kFlushBytes = size_t{64} * 1024;

class Session;

// What the sessions of one analyst have together.
struct Seats {
  size_t taken = 0;
  size_t statement_bytes = 0;
  size_t portal_bytes = 0;
};

// What all sessions share; they keep it alive.
struct Hall {
  House& house;
  std::shared_ptr<const TlsIdentity> tls;  // for new connections
  SessionLimits limits;
  size_t logged_in_max;
  size_t logged_in_of_analyst_max;
  Strangers strangers;
  Registry registry = {};
  GuessDelays guesses = {};
  std::set<Session*> sessions = {};
  std::map<std::string, Seats> logged_in = {};  // by analyst
  bool accepting = false;
  bool stopping = false;
};

// One connection of the PostgreSQL protocol, from its first byte to its last. For the thread of its
// executor; questions run on the crew.
class Session {
 public:
  Session(Transport::Socket socket, std::shared_ptr<Hall> hall);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // The whole of it, with the door's one place that catches: whatever is thrown while a client is
  // served gets a fixed text, if that can still be sent, and ends this session alone. The session
  // lives as long as this runs, or is kept from running.
  static asio::awaitable<void> Run(std::shared_ptr<Session> session, Strangers::Stay stay);

  // The server stops: an idle session ends now, a busy one after its answer.
  void Stop();
  // Ends it now, whatever it is doing.
  void ShowOut() { transport_.Close(); }
  const std::string& address() const { return transport_.remote(); }

 private:
  // A statement after Parse; immutable.
  struct Prepared {
    std::string text;
    std::optional<sql::Command> command;  // nothing: an empty text
    std::vector<uint32_t> declared_types;
    Shape shape;
    bool returns_rows = false;

    size_t Bytes() const;  // about what it holds
  };
  using PreparedStatement = std::shared_ptr<const Prepared>;

  // A bound statement, or a cursor: both live under one set of names.
  struct Portal {
    PreparedStatement statement;
    Row parameters;  // as texts
    std::vector<int16_t> formats;
    bool hold = false;
    std::optional<Table> table;  // once it has run
    std::string tag;             // of CommandComplete, without the number of rows
    size_t next_row = 0;
    size_t bytes = 0;  // counted in portal_bytes_
  };

  enum class Block { kNone, kOpen, kFailed };
  template <class T>
  using Later = asio::awaitable<Result<T>>;

  asio::awaitable<void> LoginAndServe(Strangers::Stay& stay);

  // login.cc
  asio::awaitable<bool> Login();
  asio::awaitable<bool> TakeSeat();
  asio::awaitable<std::optional<StartupWanted>> ReadStartupPackets();
  asio::awaitable<bool> Authenticate(const StartupWanted& startup);
  asio::awaitable<std::optional<std::string>> ReadSasl();
  asio::awaitable<bool> Welcome(const StartupWanted& startup);
  asio::awaitable<void> Refuse(const Report& report);

  // session.cc
  asio::awaitable<void> Serve();
  asio::awaitable<std::optional<Result<Frame>>> ReadFrame(bool logged_in);
  asio::awaitable<bool> Handle(const Frame& frame);
  asio::awaitable<bool> Flush();
  // When much waits to be sent, sends it: a client that asks without reading waits for itself.
  asio::awaitable<bool> FlushWhenFull();
  void Fail(const Report& report);
  void Warn(const char* state, const std::string& message);
  void AddReadyForQuery();
  void Cancel();

  // simple.cc
  asio::awaitable<void> RunQueryMessage(const std::string& text);
  Later<Done> RunBatch(const std::vector<sql::Command>& commands);
  Later<Done> JudgeBatch(const std::vector<sql::Command>& commands);
  Later<Done> RunSimple(const sql::Command& command);

  // extended.cc
  Later<Done> HandleParse(const Frame& frame);
  Later<Done> HandleBind(const Frame& frame);
  Later<Done> HandleDescribe(const Frame& frame);
  Later<Done> HandleExecute(const Frame& frame);
  Result<Done> HandleClose(const Frame& frame);
  Later<PreparedStatement> Prepare(std::string text, std::vector<uint32_t> types);
  Result<Done> CheckRoomFor(const std::string& name, size_t bytes) const;
  Result<Done> KeepStatement(const std::string& name, PreparedStatement statement);
  void ForgetStatement(std::map<std::string, PreparedStatement>::iterator place);
  std::optional<std::vector<Column>> ColumnsOf(const Prepared& statement) const;

  // commands.cc
  // Runs what is no question; `tag` is what CommandComplete says. Rows come as a table.
  Later<std::optional<Table>> RunCommand(const sql::Command& command, std::string& tag);
  Later<Done> RunPrepare(const sql::PrepareCommand& command, int offset);
  Result<Done> RunDeallocate(const sql::DeallocateCommand& command, std::string& tag);
  Result<Done> RunTransaction(const sql::TransactionCommand& command, std::string& tag);
  Result<Done> AddSavepoint(const std::string& name);
  Result<Done> RunSet(const sql::SetCommand& command, std::string& tag);
  Result<Table> RunShow(const sql::ShowCommand& command) const;
  void RunDiscard(const sql::DiscardCommand& command, std::string& tag);
  void EndBlock(bool commit);
  Result<Done> CheckBlock(const sql::Command& command) const;

  // cursors.cc
  Later<Done> Declare(const sql::DeclareCommand& command, int offset, std::vector<uint32_t> types,
                      Row parameters);
  Later<Table> Fetch(const sql::FetchCommand& command);
  Result<Done> CloseCursor(const std::string& name);
  Result<Done> AddPortal(const std::string& name, Portal portal);
  void ErasePortal(const std::string& name);
  void EraseFinishedPortals();
  Later<Done> FillPortal(Portal& portal, std::string& tag);
  Later<Done> FillByExecute(Portal& portal, const sql::ExecuteCommand& command, std::string& tag);
  Later<Done> FillByAsking(Portal& portal, std::string text);
  // At most `rows_max` more rows; 0: all.
  Later<size_t> SendRows(Portal& portal, size_t rows_max);
  Result<Done> KeepWaiting(Portal& portal);
  void SendNotices(Portal& portal);
  std::vector<WireColumn> WireColumnsOf(const std::vector<Column>& columns,
                                        const std::vector<int16_t>& formats) const;

  // copy.cc
  Later<Done> SendCopy(Portal& portal, const sql::CopyCommand& copy);

  // questions.cc
  Later<Table> Ask(std::string text, std::vector<uint32_t> types, Row parameters);
  Later<Shape> AskShape(std::string text, std::vector<uint32_t> types);
  Question QuestionOf(std::string text, std::vector<uint32_t> types, Row parameters) const;
  // Runs work on the crew; a cancel request ends the waiting, not the work.
  template <class T>
  Later<T> OnCrew(std::function<Result<T>(size_t worker)> work);
  asio::awaitable<void> WaitForTick(std::chrono::steady_clock::time_point asked, int every_ms);

  const std::shared_ptr<Hall> shared_hall_;
  Hall& hall_;
  Transport transport_;
  std::shared_ptr<const TlsIdentity> tls_;
  std::string analyst_;
  std::string database_;
  std::optional<Settings> settings_;
  std::optional<Registry::Key> key_;
  std::string out_;
  std::string sent_;     // the text that errors point into
  int sent_offset_ = 0;  // where the running question starts in it
  Block block_ = Block::kNone;
  bool in_batch_ = false;  // several statements at once are a transaction of their own
  struct Savepoint {
    std::string name;
    Settings::Snapshot settings;
  };
  std::vector<Savepoint> savepoints_;
  std::map<std::string, PreparedStatement> statements_;
  std::map<std::string, Portal> portals_;
  HeldBytes statement_bytes_;
  HeldBytes portal_bytes_;
  bool logged_in_ = false;
  bool has_seat_ = false;  // counted in Hall::logged_in
  bool skipping_ = false;  // until Sync
  bool cancelled_ = false;
  bool busy_ = false;
  bool in_sequence_ = false;  // between the first message of an extended query and its Sync
  std::shared_ptr<asio::steady_timer> waiting_;  // of a question on the crew
  using Instant = std::chrono::steady_clock::time_point;
  std::optional<Instant> deadline_;  // of the running question: statement_timeout
};

}  // namespace tacit::wire::pg
