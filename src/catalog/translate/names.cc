#include "catalog/translate/translating.h"
#include "engine/duckdb/database/database.h"

namespace tacit::catalog {
namespace {

// How sure PostgreSQL is of a name: a type's name gives way to a better one.
struct Name {
  std::string word;
  int strength = 0;  // 0: none, 1: a type's, 2: a good one
};

Name SessionValueName(PgQuery__SQLValueFunctionOp op) {
  switch (op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return {"current_date", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
      return {"current_timestamp", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP_N:
      return {"localtimestamp", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
      return {"current_role", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
      return {"current_user", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
      return {"user", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
      return {"session_user", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
      return {"current_catalog", 2};
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
      return {"current_schema", 2};
    default:
      return {};
  }
}

Name NameOf(const PgQuery__Node* node);

Name LastWord(size_t count, PgQuery__Node* const* nodes) {
  for (size_t i = count; i > 0; --i) {
    if (nodes[i - 1]->node_case == PG_QUERY__NODE__NODE_STRING) return {WordOf(nodes[i - 1]), 2};
  }
  return {};
}

Name SubLinkName(const PgQuery__SubLink& link) {
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__EXISTS_SUBLINK) return {"exists", 2};
  if (link.sub_link_type == PG_QUERY__SUB_LINK_TYPE__ARRAY_SUBLINK) return {"array", 2};
  if (link.sub_link_type != PG_QUERY__SUB_LINK_TYPE__EXPR_SUBLINK) return {};
  const PgQuery__SelectStmt* select = link.subselect->select_stmt;
  while (select->larg != nullptr) select = select->larg;
  if (select->n_target_list == 0) return {"column1", 2};
  const PgQuery__ResTarget& target = *select->target_list[0]->res_target;
  return *target.name != '\0' ? Name{target.name, 2} : NameOf(target.val);
}

Name NameOf(const PgQuery__Node* node) {
  if (node == nullptr) return {};
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_COLUMN_REF:
      return LastWord(node->column_ref->n_fields, node->column_ref->fields);
    case PG_QUERY__NODE__NODE_FUNC_CALL:
      return LastWord(node->func_call->n_funcname, node->func_call->funcname);
    case PG_QUERY__NODE__NODE_A_INDIRECTION: {
      const Name field =
          LastWord(node->a_indirection->n_indirection, node->a_indirection->indirection);
      return field.strength > 0 ? field : NameOf(node->a_indirection->arg);
    }
    case PG_QUERY__NODE__NODE_A_EXPR:
      if (node->a_expr->kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF) return {"nullif", 2};
      return {};
    case PG_QUERY__NODE__NODE_TYPE_CAST: {
      const Name inner = NameOf(node->type_cast->arg);
      if (inner.strength > 1) return inner;
      const PgQuery__TypeName& type = *node->type_cast->type_name;
      return {LastWord(type.n_names, type.names).word, 1};
    }
    case PG_QUERY__NODE__NODE_COLLATE_CLAUSE:
      return NameOf(node->collate_clause->arg);
    case PG_QUERY__NODE__NODE_CASE_EXPR: {
      const Name last = NameOf(node->case_expr->defresult);
      return last.strength > 1 ? last : Name{"case", 1};
    }
    case PG_QUERY__NODE__NODE_A_ARRAY_EXPR:
      return {"array", 2};
    case PG_QUERY__NODE__NODE_ROW_EXPR:
      return {"row", 2};
    case PG_QUERY__NODE__NODE_COALESCE_EXPR:
      return {"coalesce", 2};
    case PG_QUERY__NODE__NODE_MIN_MAX_EXPR:
      return {node->min_max_expr->op == PG_QUERY__MIN_MAX_OP__IS_GREATEST ? "greatest" : "least",
              2};
    case PG_QUERY__NODE__NODE_SQLVALUE_FUNCTION:
      return SessionValueName(node->sqlvalue_function->op);
    case PG_QUERY__NODE__NODE_SUB_LINK:
      return SubLinkName(*node->sub_link);
    default:
      return {};
  }
}

}  // namespace

std::string OutputName(const PgQuery__Node* node) {
  const Name name = NameOf(node);
  return name.strength > 0 ? name.word : "?column?";
}

std::string WordOf(const PgQuery__Node* node) {
  return node != nullptr && node->node_case == PG_QUERY__NODE__NODE_STRING ? node->string->sval
                                                                           : "";
}

std::string Quoted(std::string_view text) { return engine::duckdb::QuoteLiteral(text); }

std::optional<std::vector<Cell>> ParseArray(std::string_view text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<Cell> elements;
  if (text.empty()) return elements;
  std::string element;
  bool quoted = false;
  bool inside = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && !inside)) {
      if (inside || (element.empty() && !quoted)) return std::nullopt;
      elements.push_back(!quoted && policy::SameName(element, "null") ? Cell() : Cell(element));
      element.clear();
      quoted = false;
    } else if (text[i] == '\\' && i + 1 < text.size()) {
      element += text[++i];
    } else if (text[i] == '"') {
      inside = !inside;
      quoted = true;
    } else if (!inside && (text[i] == '{' || text[i] == '}')) {
      return std::nullopt;
    } else if (inside || text[i] != ' ' || !element.empty()) {
      element += text[i];
    }
  }
  return elements;
}

Error UndefinedError(const std::string& message, const char* rule, int position) {
  return Error{.code = ErrorCode::kInvalidQuery,
               .public_message = message,
               .hint = "",
               .position = position < 0 ? std::optional<int>() : position,
               .private_detail = "",
               .rule = rule};
}

Error UnsupportedError(const std::string& what, int position) {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = what + " is not supported in a catalog query",
               .hint = "docs/catalog.md says what the catalog can answer",
               .position = position < 0 ? std::optional<int>() : position,
               .private_detail = ""};
}

Error BadTextError(const std::string& text, Oid type) {
  return UndefinedError(
      "invalid input syntax for type " + FormatType(type, -2) + ": \"" + text + "\"",
      "invalid_text_representation", -1);
}

}  // namespace tacit::catalog
