#include "catalog/query_tree.h"

#include <pg_query.h>

#include <algorithm>

#include "sql/parse.h"
#include "sql/parse/roomy_stack.h"

namespace tacit::catalog {
namespace {

// Finds the tables that a statement names, by walking every message of the tree, whatever its kind:
// what the walk does not know it cannot overlook.
class TableFinder {
 public:
  void Walk(const ProtobufCMessage* message, int depth) {
    if (message == nullptr) return;
    depth_ = std::max(depth_, depth);
    const size_t names_before = common_tables_.size();
    if (message->descriptor == &pg_query__range_var__descriptor) {
      Add(*reinterpret_cast<const PgQuery__RangeVar*>(message));
    } else if (message->descriptor == &pg_query__select_stmt__descriptor) {
      EnterSelect(*reinterpret_cast<const PgQuery__SelectStmt*>(message));
    }
    for (unsigned i = 0; i < message->descriptor->n_fields; ++i) {
      WalkField(message, message->descriptor->fields[i], depth + 1);
    }
    common_tables_.resize(names_before);
  }

  std::vector<NamedTable>& tables() { return tables_; }
  int depth() const { return depth_; }
  bool writes() const { return writes_; }

 private:
  void EnterSelect(const PgQuery__SelectStmt& select) {
    if (select.into_clause != nullptr || select.n_locking_clause > 0) writes_ = true;
    if (select.with_clause == nullptr) return;
    for (size_t i = 0; i < select.with_clause->n_ctes; ++i) {
      const PgQuery__Node& node = *select.with_clause->ctes[i];
      const PgQuery__CommonTableExpr& common = *node.common_table_expr;
      common_tables_.emplace_back(common.ctename);
      if (common.ctequery->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) writes_ = true;
    }
  }

  void WalkField(const ProtobufCMessage* message, const ProtobufCFieldDescriptor& field,
                 int depth) {
    if (field.type != PROTOBUF_C_TYPE_MESSAGE) return;
    const char* base = reinterpret_cast<const char*>(message);
    const char* member = base + field.offset;
    if (field.label == PROTOBUF_C_LABEL_REPEATED) {
      const size_t count = *reinterpret_cast<const size_t*>(base + field.quantifier_offset);
      auto* const* items = *reinterpret_cast<ProtobufCMessage* const* const*>(member);
      for (size_t i = 0; i < count; ++i) Walk(items[i], depth);
      return;
    }
    if ((field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0 &&
        *reinterpret_cast<const uint32_t*>(base + field.quantifier_offset) != field.id) {
      return;
    }
    Walk(*reinterpret_cast<ProtobufCMessage* const*>(member), depth);
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
  int depth_ = 0;
  bool writes_ = false;
};

using ParseOutcome = Result<std::optional<ParsedSelect>>;

std::shared_ptr<const PgQuery__ParseResult> Unpack(const std::string& text) {
  PgQueryProtobufParseResult parsed = pg_query_parse_protobuf(text.c_str());
  PgQuery__ParseResult* tree = nullptr;
  if (parsed.error == nullptr) {
    tree = pg_query__parse_result__unpack(nullptr, parsed.parse_tree.len,
                                          reinterpret_cast<uint8_t*>(parsed.parse_tree.data));
  }
  pg_query_free_protobuf_parse_result(parsed);
  if (tree == nullptr) return nullptr;
  return {tree, [](const PgQuery__ParseResult* owned) {
            pg_query__parse_result__free_unpacked(const_cast<PgQuery__ParseResult*>(owned),
                                                  nullptr);
          }};
}

ParseOutcome ParseHere(const std::string& text) {
  const std::shared_ptr<const PgQuery__ParseResult> parsed = Unpack(text);
  if (parsed == nullptr || parsed->n_stmts != 1) return std::optional<ParsedSelect>();
  const PgQuery__Node* node = parsed->stmts[0]->stmt;
  if (node->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) return std::optional<ParsedSelect>();
  TableFinder finder;
  finder.Walk(&node->select_stmt->base, 0);
  if (finder.writes()) return std::optional<ParsedSelect>();
  ParsedSelect select{.tree = nullptr, .tables = std::move(finder.tables())};
  // Two messages a level: the node and what it holds. A deeper tree keeps no reference: it has to
  // be taken apart on this thread's large stack.
  if (finder.depth() <= 2 * kTreeDepthMax) {
    select.tree = std::make_shared<Query::Tree>(
        Query::Tree{.parsed = parsed, .select = node->select_stmt, .text = text});
  }
  return std::optional<ParsedSelect>(std::move(select));
}

}  // namespace

Result<std::optional<ParsedSelect>> ParseSelect(std::string_view text) {
  if (text.size() > sql::kQueryBytesMax || text.find('\0') != std::string_view::npos) {
    return std::optional<ParsedSelect>();
  }
  const std::string terminated(text);
  std::optional<ParseOutcome> outcome;
  TACIT_CHECK(sql::grammar::OnRoomyStack(text.size(), [&] { outcome = ParseHere(terminated); }));
  return std::move(*outcome);
}

}  // namespace tacit::catalog
