#include "sql/read/reading.h"

#include <algorithm>
#include <cstring>

#include "sql/parse/statement.h"
#include "sql/parse/walk_messages.h"
#include "sql/read/make_reading.h"

namespace tacit::sql {
namespace {

using grammar::ForEachMessageIn;

// Finds the tables that a statement names, and whether it does more than read them.
class TableFinder {
 public:
  void Walk(const ProtobufCMessage& message) {
    const size_t names_before = common_tables_.size();
    if (message.descriptor == &pg_query__range_var__descriptor) {
      Add(reinterpret_cast<const PgQuery__RangeVar&>(message));
    } else if (message.descriptor == &pg_query__select_stmt__descriptor) {
      EnterSelect(reinterpret_cast<const PgQuery__SelectStmt&>(message));
    }
    ForEachMessageIn(message, [this](const ProtobufCMessage& held) { Walk(held); });
    common_tables_.resize(names_before);
  }

  std::vector<NamedTable>& tables() { return tables_; }
  bool writes() const { return writes_; }

 private:
  void EnterSelect(const PgQuery__SelectStmt& select) {
    if (select.into_clause != nullptr || select.n_locking_clause > 0) writes_ = true;
    if (select.with_clause == nullptr) return;
    for (size_t i = 0; i < select.with_clause->n_ctes; ++i) {
      const PgQuery__CommonTableExpr& common = *select.with_clause->ctes[i]->common_table_expr;
      common_tables_.emplace_back(common.ctename);
      if (common.ctequery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) writes_ = true;
    }
  }

  void Add(const PgQuery__RangeVar& range) {
    const bool bare = *range.schemaname == '\0';
    if (bare && std::find(common_tables_.begin(), common_tables_.end(), range.relname) !=
                    common_tables_.end()) {
      return;
    }
    tables_.push_back({range.schemaname, range.relname, range.location});
  }

  std::vector<NamedTable> tables_;
  std::vector<std::string> common_tables_;
  bool writes_ = false;
};

int DepthOf(const ProtobufCMessage& message) {
  int deepest = 0;
  ForEachMessageIn(message, [&deepest](const ProtobufCMessage& held) {
    deepest = std::max(deepest, DepthOf(held));
  });
  return deepest + 1;
}

void Move(ProtobufCMessage& message, int offset) {
  for (unsigned i = 0; i < message.descriptor->n_fields; ++i) {
    const ProtobufCFieldDescriptor& field = message.descriptor->fields[i];
    if (field.type != PROTOBUF_C_TYPE_INT32 || std::strcmp(field.name, "location") != 0) continue;
    auto& location = *reinterpret_cast<int32_t*>(reinterpret_cast<char*>(&message) + field.offset);
    if (location >= 0) location -= offset;
  }
  ForEachMessageIn(message, [offset](ProtobufCMessage& held) { Move(held, offset); });
}

}  // namespace

void MovePositions(PgQuery__Node& node, int offset) {
  if (offset != 0) Move(node.base, offset);
}

// Two messages a level: the node and what it holds; and those around the first statement.
bool IsShallow(const PgQuery__ParseResult& tree) {
  constexpr int kAround = 4;
  return DepthOf(tree.base) <= kAround + 2 * kGrammarDepthMax;
}

SharedReading MakeReading(const grammar::RawTree& tree, const PgQuery__Node& node,
                          std::string_view text, bool keeps_tree) {
  Reading reading{.statement = grammar::ConvertStatement(node, text, 0)};
  if (node.node_case == PG_QUERY__NODE__NODE_SELECT_STMT) {
    TableFinder finder;
    finder.Walk(node.base);
    if (!finder.writes()) {
      reading.only_selects = true;
      reading.tables = std::move(finder.tables());
      if (keeps_tree) reading.select = {tree, node.select_stmt};
    }
  }
  return std::make_shared<const Reading>(std::move(reading));
}

Result<SharedReading> ReadQuestion(std::string_view text) {
  std::optional<Result<SharedReading>> reading;
  TACIT_CHECK(grammar::WithRawTree(text, [&](const grammar::RawTree& tree) {
    if (tree->n_stmts == 0) {
      reading = grammar::Invalid("the query is empty", -1);
    } else if (tree->n_stmts > 1) {
      reading = grammar::Unsupported("more than one statement at once",
                                     tree->stmts[1]->stmt_location, "send one statement at a time");
    } else {
      reading = MakeReading(tree, *tree->stmts[0]->stmt, text, IsShallow(*tree));
    }
  }));
  return std::move(*reading);
}

}  // namespace tacit::sql
