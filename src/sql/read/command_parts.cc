#include "sql/read/command_parts.h"

#include <algorithm>

namespace tacit::sql {
namespace {

OtherCommand NotAnswered(std::string why, std::string hint) {
  return {.writes = false, .why = std::move(why), .hint = std::move(hint)};
}

// The value of a plain constant, perhaps signed or cast; outer nothing for what is none.
std::optional<std::optional<std::string>> ConstantText(const PgQuery__Node& node) {
  using Value = std::optional<std::string>;
  if (node.node_case == PG_QUERY__NODE__NODE_TYPE_CAST) return ConstantText(*node.type_cast->arg);
  if (node.node_case == PG_QUERY__NODE__NODE_A_EXPR) {
    const PgQuery__AExpr& sign = *node.a_expr;
    const bool minus = sign.lexpr == nullptr && sign.n_name == 1 && sign.rexpr != nullptr &&
                       std::string_view(sign.name[0]->string->sval) == "-";
    if (!minus) return std::nullopt;
    std::optional<Value> value = ConstantText(*sign.rexpr);
    if (!value || !*value || (*value)->starts_with('-')) return std::nullopt;
    return Value("-" + **value);
  }
  if (node.node_case != PG_QUERY__NODE__NODE_A_CONST) return std::nullopt;
  const PgQuery__AConst& constant = *node.a_const;
  if (constant.isnull) return Value();
  switch (constant.val_case) {
    case PG_QUERY__A__CONST__VAL_IVAL:
      return Value(std::to_string(constant.ival->ival));
    case PG_QUERY__A__CONST__VAL_FVAL:
      return Value(constant.fval->fval);
    case PG_QUERY__A__CONST__VAL_BOOLVAL:
      return Value(constant.boolval->boolval != 0 ? "true" : "false");
    case PG_QUERY__A__CONST__VAL_SVAL:
      return Value(constant.sval->sval);
    default:
      return std::nullopt;
  }
}

// An option's value as text; empty when it has none.
std::string OptionText(const PgQuery__Node* node) {
  if (node == nullptr) return "";
  switch (node->node_case) {
    case PG_QUERY__NODE__NODE_STRING:
      return node->string->sval;
    case PG_QUERY__NODE__NODE_BOOLEAN:
      return node->boolean->boolval != 0 ? "true" : "false";
    case PG_QUERY__NODE__NODE_INTEGER:
      return std::to_string(node->integer->ival);
    default:
      return "?";
  }
}

bool IsTrue(const std::string& value) {
  return value.empty() || value == "true" || value == "on" || value == "1";
}

// One character that neither ends a line nor starts an escape.
bool IsMark(const std::string& value) {
  return value.size() == 1 && value != "\n" && value != "\r" && value != "\\";
}

// Empty when the option was taken.
std::string TakeOption(const PgQuery__DefElem& option, CopyCommand& copy) {
  const std::string name = InSmallLetters(option.defname);
  const std::string value = OptionText(option.arg);
  if (name == "header" && InSmallLetters(value) != "match") {
    copy.header = IsTrue(InSmallLetters(value));
  } else if (name == "delimiter" && IsMark(value)) {
    copy.delimiter = value[0];
  } else if (name == "quote" && IsMark(value)) {
    copy.quote = value[0];
  } else if (name == "escape" && value.size() == 1) {
    copy.escape = value[0];
  } else if (name == "null" && value.find_first_of("\r\n") == std::string::npos) {
    copy.null = value;
  } else if (name != "format" &&
             !(name == "encoding" && InSmallLetters(value).starts_with("utf"))) {
    return "the option " + name + (value.empty() ? "" : " " + value) + " of COPY";
  }
  return "";
}

std::string TakeOptions(const PgQuery__CopyStmt& statement, CopyCommand& copy) {
  // The format first: the others' defaults follow from it.
  for (size_t i = 0; i < statement.n_options; ++i) {
    const PgQuery__DefElem& option = *statement.options[i]->def_elem;
    if (InSmallLetters(option.defname) != "format") continue;
    const std::string format = InSmallLetters(OptionText(option.arg));
    if (format == "csv") {
      copy.format = CopyFormat::kCsv;
      copy.delimiter = ',';
      copy.null = "";
    } else if (format == "binary") {
      copy.format = CopyFormat::kBinary;
    } else if (format != "text") {
      return "the format " + format + " of COPY";
    }
  }
  for (size_t i = 0; i < statement.n_options; ++i) {
    std::string wrong = TakeOption(*statement.options[i]->def_elem, copy);
    if (!wrong.empty()) return wrong;
  }
  const bool delimited = copy.null.find(copy.delimiter) == std::string::npos;
  if (!delimited) return "a NULL of COPY that holds the delimiter";
  return "";
}

}  // namespace

CommandKind ReadPrepare(const PgQuery__PrepareStmt& prepare, const std::string& text,
                        const PgQuery__ScanResult& scan) {
  PrepareCommand command{.name = prepare.name, .types = {}, .question = {}};
  for (size_t i = 0; i < prepare.n_argtypes; ++i) {
    const PgQuery__TypeName& type = *prepare.argtypes[i]->type_name;
    if (type.n_array_bounds > 0 || type.n_names == 0) {
      return NotAnswered("PREPARE with parameters of an array type", "pass single values");
    }
    command.types.emplace_back(type.names[type.n_names - 1]->string->sval);
  }
  // The first AS: a name that is called so is quoted, and has another token.
  for (size_t i = 0; i < scan.n_tokens; ++i) {
    if (scan.tokens[i]->token != PG_QUERY__TOKEN__AS) continue;
    command.question.offset = scan.tokens[i]->end;
    command.question.text = text.substr(static_cast<size_t>(command.question.offset));
    break;
  }
  return command;
}

CommandKind ReadExecute(const PgQuery__ExecuteStmt& execute) {
  ExecuteCommand command{.name = execute.name, .values = {}};
  for (size_t i = 0; i < execute.n_params; ++i) {
    std::optional<std::optional<std::string>> value = ConstantText(*execute.params[i]);
    if (!value) {
      return NotAnswered("EXECUTE with an expression", "pass plain values: EXECUTE name (40, 'x')");
    }
    command.values.push_back(std::move(*value));
  }
  return command;
}

CommandKind ReadCopy(const PgQuery__CopyStmt& copy, const std::string& text,
                     const PgQuery__ScanResult& scan) {
  if (copy.is_from != 0) return OtherCommand{.writes = true};
  if (copy.is_program != 0 || std::string_view(copy.filename) != "") {
    return NotAnswered("COPY to a file of the server", "COPY (SELECT ...) TO STDOUT");
  }
  if (copy.query == nullptr || copy.query->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return NotAnswered("COPY of a table", "COPY (SELECT count(*) FROM ...) TO STDOUT");
  }
  CopyCommand command;
  std::string wrong = TakeOptions(copy, command);
  if (!wrong.empty()) return NotAnswered(std::move(wrong), "");
  QuestionInside& inside = command.question;
  int depth = 0;
  for (size_t i = 0; i < scan.n_tokens; ++i) {
    const PgQuery__ScanToken& token = *scan.tokens[i];
    if (token.token == PG_QUERY__TOKEN__ASCII_40 && depth++ == 0) inside.offset = token.end;
    if (token.token != PG_QUERY__TOKEN__ASCII_41 || --depth > 0) continue;
    inside.text = text.substr(static_cast<size_t>(inside.offset),
                              static_cast<size_t>(token.start - inside.offset));
    break;
  }
  return command;
}

}  // namespace tacit::sql
