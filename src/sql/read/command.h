#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "sql/read/reading.h"

// What a client sends: questions, and besides them transactions, settings, cursors. Read once, from
// PostgreSQL's own grammar, never by matching text.

namespace tacit::sql {

// A question inside a command, and where its text starts in the command's.
struct QuestionInside {
  std::string text;
  int offset = 0;
  bool asks = false;  // it is a SELECT or VALUES; PREPARE takes others too
  SharedReading reading;
};

// SELECT, VALUES or EXPLAIN: the command's text is a question.
struct AskCommand {
  SharedReading reading;
};

enum class TransactionStep { kBegin, kCommit, kRollback, kSavepoint, kRelease, kRollbackTo };
struct TransactionCommand {
  TransactionStep step = TransactionStep::kBegin;
  std::string savepoint;
  bool start = false;  // START TRANSACTION, whose tag differs
  bool chain = false;
};

// SET name = a, b; SET name TO DEFAULT and RESET name have no value; RESET ALL has no name.
struct SetCommand {
  std::string name;  // lower case
  std::optional<std::string> value;
  bool local = false;
  bool reset = false;
};

struct ShowCommand {
  std::string name;  // lower case; "all" for SHOW ALL
};

struct DeclareCommand {
  std::string cursor;
  QuestionInside question;  // after FOR
  bool hold = false;
  bool binary = false;
  bool scroll = false;
};

struct FetchCommand {
  std::string cursor;
  std::optional<int64_t> count;  // nothing: ALL
  bool forward = true;
  bool move = false;
};

struct CloseCommand {
  std::string cursor;  // empty: all of them
};

enum class DiscardTarget { kAll, kPlans, kSequences, kTemp };
struct DiscardCommand {
  DiscardTarget target = DiscardTarget::kAll;
};

struct DeallocateCommand {
  std::string name;  // empty: all of them
};

// PREPARE name (types) AS question
struct PrepareCommand {
  std::string name;
  std::vector<std::string> types;  // as the catalog spells them: int4, text
  QuestionInside question;
};

// EXECUTE name (values)
struct ExecuteCommand {
  std::string name;
  std::vector<std::optional<std::string>> values;  // nothing is NULL
};

// COPY (question) TO STDOUT
enum class CopyFormat { kText, kCsv, kBinary };
struct CopyCommand {
  QuestionInside question;
  CopyFormat format = CopyFormat::kText;
  bool header = false;
  char delimiter = '\t';
  char quote = '"';
  char escape = '"';
  std::string null = "\\N";
};

// LISTEN and UNLISTEN: accepted, and nothing ever comes.
struct ListenCommand {
  bool listen = true;
};

// SET TRANSACTION, SET SESSION CHARACTERISTICS, SET CONSTRAINTS: accepted, and nothing changes,
// because nothing is ever written.
struct SetTransactionCommand {};

// Correct SQL of a kind that is not answered.
struct OtherCommand {
  bool writes = false;
  std::string why = {};   // what of it is not, when it is not the whole
  std::string hint = {};  // and what to send instead
};

struct Command {
  std::string text;
  int offset = 0;   // where the text starts in what the client sent
  std::string tag;  // the statement's first words, for messages: "CREATE TABLE"
  std::variant<AskCommand, TransactionCommand, SetCommand, ShowCommand, DeclareCommand,
               FetchCommand, CloseCommand, DiscardCommand, DeallocateCommand, PrepareCommand,
               ExecuteCommand, CopyCommand, ListenCommand, SetTransactionCommand, OtherCommand>
      kind;
};

// Why 100: a driver sends a handful at once; each is judged before the first runs.
inline constexpr size_t kCommandsMax = 100;

// Every command of a text, in order; none for an empty one. What is not SQL is kInvalidQuery, with
// the position in `text`; more than `most` are refused.
Result<std::vector<Command>> ReadCommands(std::string_view text, size_t most = kCommandsMax);

}  // namespace tacit::sql
