#include "sql/read/command.h"

#include <pg_query.h>

#include <algorithm>

#include "sql/read/command_parts.h"
#include "sql/read/make_reading.h"

namespace tacit::sql {
namespace {

constexpr std::string_view kSpaces = " \n\t\r\f\v";

// The first two words, without comments: what an error names.
std::string FirstWords(const std::string& text, const PgQuery__ScanResult& scan) {
  std::string words;
  int count = 0;
  for (size_t i = 0; i < scan.n_tokens && count < 2; ++i) {
    const PgQuery__ScanToken& token = *scan.tokens[i];
    if (token.token == PG_QUERY__TOKEN__SQL_COMMENT || token.token == PG_QUERY__TOKEN__C_COMMENT) {
      continue;
    }
    if (token.keyword_kind == PG_QUERY__KEYWORD_KIND__NO_KEYWORD) break;
    if (count++ > 0) words += ' ';
    for (int at = token.start; at < token.end; ++at) {
      const char c = text[static_cast<size_t>(at)];
      words += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
  }
  return words.empty() ? "this statement" : words;
}

// The tokens of a text that the grammar has taken already.
class Scan {
 public:
  explicit Scan(const std::string& text) : result_(pg_query_scan(text.c_str())) {
    if (result_.error == nullptr) {
      scan_ = pg_query__scan_result__unpack(nullptr, result_.pbuf.len,
                                            reinterpret_cast<const uint8_t*>(result_.pbuf.data));
    }
  }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;
  ~Scan() {
    if (scan_ != nullptr) pg_query__scan_result__free_unpacked(scan_, nullptr);
    pg_query_free_scan_result(result_);
  }
  const PgQuery__ScanResult* get() const { return scan_; }

 private:
  PgQueryScanResult result_;
  PgQuery__ScanResult* scan_ = nullptr;
};

// One argument of SET, as SHOW will print it.
std::string SettingText(const PgQuery__Node& node) {
  if (node.node_case == PG_QUERY__NODE__NODE_TYPE_CAST) {
    return SettingText(*node.type_cast->arg);  // SET TIME ZONE INTERVAL '...'
  }
  if (node.node_case != PG_QUERY__NODE__NODE_A_CONST) return "";
  const PgQuery__AConst& constant = *node.a_const;
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return std::to_string(constant.ival->ival);
    case PG_QUERY__A__CONST__VAL_FVAL:
      return constant.fval->fval;
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return constant.boolval->boolval != 0 ? "on" : "off";
    case PG_QUERY__A__CONST__VAL_SVAL:
      return constant.sval->sval;
    default:
      return "";
  }
}

SetCommand ReadSet(const PgQuery__VariableSetStmt& set) {
  SetCommand command{.name = InSmallLetters(set.name), .value = {}, .local = set.is_local != 0};
  command.reset = set.kind == PG_QUERY__VARIABLE_SET_KIND__VAR_RESET ||
                  set.kind == PG_QUERY__VARIABLE_SET_KIND__VAR_RESET_ALL;
  if (set.kind == PG_QUERY__VARIABLE_SET_KIND__VAR_SET_VALUE) {
    std::string value;
    for (size_t i = 0; i < set.n_args; ++i) {
      value += (i == 0 ? "" : ", ") + SettingText(*set.args[i]);
    }
    command.value = std::move(value);
  }
  return command;
}

TransactionCommand ReadTransaction(const PgQuery__TransactionStmt& transaction, bool& known) {
  TransactionCommand command;
  command.savepoint = transaction.savepoint_name;
  command.chain = transaction.chain != 0;
  switch (transaction.kind) {
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_START:
      command.start = true;
      [[fallthrough]];
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_BEGIN:
      command.step = TransactionStep::kBegin;
      break;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_COMMIT:
      command.step = TransactionStep::kCommit;
      break;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_ROLLBACK:
      command.step = TransactionStep::kRollback;
      break;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_SAVEPOINT:
      command.step = TransactionStep::kSavepoint;
      break;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_RELEASE:
      command.step = TransactionStep::kRelease;
      break;
    case PG_QUERY__TRANSACTION_STMT_KIND__TRANS_STMT_ROLLBACK_TO:
      command.step = TransactionStep::kRollbackTo;
      break;
    default:
      known = false;
  }
  return command;
}

// DECLARE name ... CURSOR ... FOR question: the first FOR that is a keyword.
DeclareCommand ReadDeclare(const PgQuery__DeclareCursorStmt& declare, const std::string& text,
                           const PgQuery__ScanResult& scan) {
  // As parsenodes.h numbers them.
  constexpr int kBinary = 0x0001, kScroll = 0x0002, kHold = 0x0020;
  DeclareCommand command{.cursor = declare.portalname, .question = {}};
  command.binary = (declare.options & kBinary) != 0;
  command.scroll = (declare.options & kScroll) != 0;
  command.hold = (declare.options & kHold) != 0;
  for (size_t i = 0; i < scan.n_tokens; ++i) {
    if (scan.tokens[i]->token != PG_QUERY__TOKEN__FOR) continue;
    command.question.offset = scan.tokens[i]->end;
    command.question.text = text.substr(static_cast<size_t>(command.question.offset));
    break;
  }
  return command;
}

FetchCommand ReadFetch(const PgQuery__FetchStmt& fetch) {
  FetchCommand command{.cursor = fetch.portalname, .count = fetch.how_many};
  // FETCH ALL comes as the largest count; what goes back or jumps is not forward.
  if (fetch.how_many == INT64_MAX) command.count = std::nullopt;
  command.forward =
      fetch.direction == PG_QUERY__FETCH_DIRECTION__FETCH_FORWARD && fetch.how_many >= 0;
  command.move = fetch.ismove != 0;
  return command;
}

DiscardCommand ReadDiscard(const PgQuery__DiscardStmt& discard) {
  switch (discard.target) {
    case PG_QUERY__DISCARD_MODE__DISCARD_PLANS:
      return {DiscardTarget::kPlans};
    case PG_QUERY__DISCARD_MODE__DISCARD_SEQUENCES:
      return {DiscardTarget::kSequences};
    case PG_QUERY__DISCARD_MODE__DISCARD_TEMP:
      return {DiscardTarget::kTemp};
    default:
      return {DiscardTarget::kAll};
  }
}

bool SetsTransaction(const PgQuery__VariableSetStmt& set) {
  return set.kind == PG_QUERY__VARIABLE_SET_KIND__VAR_SET_MULTI &&
         !std::string_view(set.name).starts_with("TRANSACTION SNAPSHOT");
}

// What is no question itself. `text` starts at the statement.
Command ReadOther(const PgQuery__Node& node, std::string text, int offset) {
  const Scan scan(text);
  Command command{.text = std::move(text), .offset = offset, .tag = "", .kind = OtherCommand{}};
  if (scan.get() == nullptr) return command;
  command.tag = FirstWords(command.text, *scan.get());
  switch (node.node_case) {
    case PG_QUERY__NODE__NODE_TRANSACTION_STMT: {
      bool known = true;
      TransactionCommand transaction = ReadTransaction(*node.transaction_stmt, known);
      if (known) command.kind = std::move(transaction);
      break;
    }
    case PG_QUERY__NODE__NODE_VARIABLE_SET_STMT:
      if (node.variable_set_stmt->kind != PG_QUERY__VARIABLE_SET_KIND__VAR_SET_MULTI) {
        command.kind = ReadSet(*node.variable_set_stmt);
      } else if (SetsTransaction(*node.variable_set_stmt)) {
        command.kind = SetTransactionCommand{};
      }
      break;
    case PG_QUERY__NODE__NODE_CONSTRAINTS_SET_STMT:
      command.kind = SetTransactionCommand{};
      break;
    case PG_QUERY__NODE__NODE_VARIABLE_SHOW_STMT:
      command.kind = ShowCommand{InSmallLetters(node.variable_show_stmt->name)};
      break;
    case PG_QUERY__NODE__NODE_DECLARE_CURSOR_STMT:
      command.kind = ReadDeclare(*node.declare_cursor_stmt, command.text, *scan.get());
      break;
    case PG_QUERY__NODE__NODE_FETCH_STMT:
      command.kind = ReadFetch(*node.fetch_stmt);
      break;
    case PG_QUERY__NODE__NODE_CLOSE_PORTAL_STMT:
      command.kind = CloseCommand{node.close_portal_stmt->portalname};
      break;
    case PG_QUERY__NODE__NODE_DISCARD_STMT:
      command.kind = ReadDiscard(*node.discard_stmt);
      break;
    case PG_QUERY__NODE__NODE_DEALLOCATE_STMT:
      command.kind = DeallocateCommand{node.deallocate_stmt->name};
      break;
    case PG_QUERY__NODE__NODE_LISTEN_STMT:
    case PG_QUERY__NODE__NODE_UNLISTEN_STMT:
      command.kind = ListenCommand{node.node_case == PG_QUERY__NODE__NODE_LISTEN_STMT};
      break;
    case PG_QUERY__NODE__NODE_PREPARE_STMT:
      command.kind = ReadPrepare(*node.prepare_stmt, command.text, *scan.get());
      break;
    case PG_QUERY__NODE__NODE_EXECUTE_STMT:
      command.kind = ReadExecute(*node.execute_stmt);
      break;
    case PG_QUERY__NODE__NODE_COPY_STMT:
      command.kind = ReadCopy(*node.copy_stmt, command.text, *scan.get());
      break;
    default:
      command.kind = OtherCommand{.writes = true};
  }
  return command;
}

// The question inside a command, and where the grammar has it.
struct Inside {
  QuestionInside* question = nullptr;
  PgQuery__Node* node = nullptr;
};

Inside QuestionIn(Command& command, const PgQuery__Node& node) {
  if (auto* declare = std::get_if<DeclareCommand>(&command.kind)) {
    return {&declare->question, node.declare_cursor_stmt->query};
  }
  if (auto* prepare = std::get_if<PrepareCommand>(&command.kind)) {
    return {&prepare->question, node.prepare_stmt->query};
  }
  if (auto* copy = std::get_if<CopyCommand>(&command.kind)) {
    return {&copy->question, node.copy_stmt->query};
  }
  return {};
}

// Positions in the tree count from the start of `text`.
Command ReadOne(const grammar::RawTree& tree, const PgQuery__Node& node, std::string text,
                int offset, bool keeps_tree) {
  const bool explains = node.node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT;
  if (explains || node.node_case == PG_QUERY__NODE__NODE_SELECT_STMT) {
    SharedReading reading = MakeReading(tree, node, text, keeps_tree);
    return {.text = std::move(text),
            .offset = offset,
            .tag = explains ? "EXPLAIN" : "SELECT",
            .kind = AskCommand{std::move(reading)}};
  }
  Command command = ReadOther(node, std::move(text), offset);
  if (const Inside inside = QuestionIn(command, node); inside.question != nullptr) {
    QuestionInside& question = *inside.question;
    const size_t blanks = std::min(question.text.size(), question.text.find_first_not_of(kSpaces));
    question.text.erase(0, blanks);
    question.offset += static_cast<int>(blanks);
    question.asks = inside.node->node_case == PG_QUERY__NODE__NODE_SELECT_STMT;
    MovePositions(*inside.node, question.offset);
    question.reading = MakeReading(tree, *inside.node, question.text, keeps_tree);
  }
  return command;
}

}  // namespace

Result<std::vector<Command>> ReadCommands(std::string_view text, size_t most) {
  std::vector<Command> commands;
  bool too_many = false;
  TACIT_CHECK(grammar::WithRawTree(text, [&](const grammar::RawTree& tree) {
    too_many = tree->n_stmts > most;
    const bool keeps_tree = IsShallow(*tree);
    for (size_t i = 0; i < tree->n_stmts && !too_many; ++i) {
      const PgQuery__RawStmt& raw = *tree->stmts[i];
      size_t start = static_cast<size_t>(raw.stmt_location);
      const size_t end =
          raw.stmt_len == 0 ? text.size() : start + static_cast<size_t>(raw.stmt_len);
      start = std::min(end, text.find_first_not_of(kSpaces, start));
      MovePositions(*raw.stmt, static_cast<int>(start));
      commands.push_back(ReadOne(tree, *raw.stmt, std::string(text.substr(start, end - start)),
                                 static_cast<int>(start), keeps_tree));
    }
  }));
  if (too_many) {
    return grammar::Unsupported("more than " + std::to_string(most) + " statements at once", -1,
                                "send them one after the other");
  }
  return commands;
}

}  // namespace tacit::sql
