#include <ctime>

#include "catalog/settings.h"
#include "catalog/translate/translator.h"

namespace tacit::catalog {
namespace {

Expression Text(const std::string& text, Oid type = oid::kText) {
  return {.sql = Quoted(text), .type = type};
}

Expression Names(const std::vector<std::string>& names) {
  std::string sql;
  for (const std::string& name : names) sql += (sql.empty() ? "" : ", ") + Quoted(name);
  return {.sql = "CAST([" + sql + "] AS VARCHAR[])", .type = oid::kNameArray};
}

// The server's clock, to the second: a finer one would let a client time the server.
std::string Now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[40];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

Expression Timestamp(Oid type) {
  return {.sql = "CAST('" + Now("%Y-%m-%d %H:%M:%S") + "' AS TIMESTAMP)", .type = type};
}

bool IsPrivilegeQuestion(const std::string& name) {
  return name.starts_with("has_") && name.ends_with("_privilege");
}

}  // namespace

Translator::Translator(const Surroundings& surroundings)
    : around_(surroundings), parameters_(surroundings.parameter_types) {
  for (Oid& type : parameters_) {
    if (type == oid::kUnknown) type = 0;
  }
  path_ = SearchPath(false);
}

std::string Translator::Setting(const std::string& name) const {
  if (name == "session_authorization") return around_.session.analyst;
  return FindSetting(around_.session.settings, name).value_or("");
}

// The schemas of search_path that exist; `implicit` adds pg_catalog in front as PostgreSQL does.
std::vector<std::string> Translator::SearchPath(bool implicit) const {
  std::vector<std::string> path;
  std::string rest = Setting("search_path");
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    std::string word = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const size_t begin = word.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    word = word.substr(begin, word.find_last_not_of(' ') - begin + 1);
    const std::optional<std::vector<std::string>> name = ParseIdentifier(word);
    if (!name || name->size() != 1 || around_.objects.SchemaOid(name->front()) == 0) continue;
    path.push_back(name->front());
  }
  const bool listed = std::find(path.begin(), path.end(), "pg_catalog") != path.end();
  if (implicit && !listed) path.insert(path.begin(), "pg_catalog");
  return path;
}

Result<std::string> Translator::ConstantText(const Expression& expression, int position) const {
  if (expression.literal) return *expression.literal;
  if (expression.parameter > 0) {
    const auto index = static_cast<size_t>(expression.parameter - 1);
    // While only the shape is asked for there is no value, and none is needed.
    if (!around_.running) return std::string("server_version");
    if (index < around_.parameters.size() && around_.parameters[index]) {
      return *around_.parameters[index];
    }
  }
  // A typed constant, 'x'::text, is a literal in quotes by now.
  std::string_view sql = expression.sql;
  while (sql.size() > 2 && sql.front() == '(' && sql.back() == ')') {
    sql = sql.substr(1, sql.size() - 2);
  }
  if (sql.size() >= 2 && sql.front() == '\'' && sql.back() == '\'' &&
      sql.substr(1, sql.size() - 2).find('\'') == std::string_view::npos) {
    return std::string(sql.substr(1, sql.size() - 2));
  }
  return UnsupportedError("a setting whose name is not a constant", position);
}

Result<Expression> Translator::SetConfig(const Expressions& arguments, int position) {
  TACIT_TRY(const std::string name, ConstantText(arguments[0], position));
  TACIT_TRY(const std::string value, ConstantText(arguments[1], position));
  TACIT_TRY(const Expression local, Settle(arguments[2], oid::kBool));
  changes_.push_back({.name = name, .value = value, .local = local.sql == "true"});
  return Text(value);
}

// format('%I.%s', a, b): identifiers, texts and literals between constant words.
Result<Expression> Translator::CallFormat(const std::string& pattern, const Expressions& arguments,
                                          int position) {
  std::vector<std::string> parts;
  std::string words;
  size_t next = 1;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      words += pattern[i];
      continue;
    }
    const char kind = ++i < pattern.size() ? pattern[i] : ' ';
    if (kind == '%') {
      words += kind;
      continue;
    }
    if ((kind != 'I' && kind != 's' && kind != 'L') || next >= arguments.size()) {
      return UnsupportedError("this format", position);
    }
    parts.push_back(Quoted(words));
    words.clear();
    TACIT_TRY(const std::string text, AsText(arguments[next++]));
    parts.push_back(kind == 'I' ? "tacit_quote_ident(" + text + ")"
                    : kind == 's'
                        ? "coalesce(" + text + ", '')"
                        : "('''''' || replace(" + text + ", '''''', '''''''') || '''''')");
  }
  std::string sql = Quoted(words);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) sql = *part + " || " + sql;
  return Expression{.sql = BoundedText(sql), .type = oid::kText};
}

Result<std::optional<Expression>> Translator::CallSession(const std::string& name,
                                                          const Expressions& arguments,
                                                          int position) {
  using Found = std::optional<Expression>;
  const Session& session = around_.session;
  const size_t count = arguments.size();
  if (count == 0) {
    if (name == "version") {
      return Found(Text("PostgreSQL " + std::string(kServerVersion) + " (Tacit)"));
    }
    if (name == "current_database") return Found(Text(session.database, oid::kName));
    if (name == "current_schema") {
      if (path_.empty())
        return Found(Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kName});
      return Found(Text(path_.front(), oid::kName));
    }
    if (name == "pg_backend_pid") {
      return Found(Expression{.sql = std::to_string(session.backend_pid), .type = oid::kInt4});
    }
    if (name == "now" || name == "transaction_timestamp" || name == "statement_timestamp" ||
        name == "clock_timestamp") {
      return Found(Timestamp(oid::kTimestampTz));
    }
    return Found();
  }
  if (name == "current_schemas" && count == 1) {
    TACIT_TRY(const Expression implicit, Settle(arguments[0], oid::kBool));
    return Found(Names(SearchPath(implicit.sql == "true")));
  }
  if (name == "current_setting" && count <= 2) {
    const Result<std::string> constant = ConstantText(arguments[0], position);
    if (!constant.ok()) {
      // The name of each row, as in a list of all settings.
      std::string sql = "(CASE " + arguments[0].sql;
      for (const catalog::Setting& known : KnownSettings()) {
        sql += " WHEN " + Quoted(known.name) + " THEN " + Quoted(Setting(known.name));
      }
      return Found(Expression{.sql = sql + " END)", .type = oid::kText});
    }
    const std::string& setting = *constant;
    const bool known =
        setting == "session_authorization" || FindSetting(session.settings, setting).has_value();
    bool missing_is_fine = false;
    if (count == 2) {
      TACIT_TRY(const Expression fine, Settle(arguments[1], oid::kBool));
      missing_is_fine = fine.sql == "true";
    }
    if (known) return Found(Text(Setting(setting)));
    if (missing_is_fine) {
      return Found(Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kText});
    }
    return UndefinedError("unrecognized configuration parameter \"" + setting + "\"",
                          "undefined_object", position);
  }
  if (name == "set_config" && count == 3) {
    TACIT_TRY(Expression value, SetConfig(arguments, position));
    return Found(std::move(value));
  }
  if (name == "format") {
    TACIT_TRY(const std::string pattern, ConstantText(arguments[0], position));
    TACIT_TRY(Expression text, CallFormat(pattern, arguments, position));
    return Found(std::move(text));
  }
  if (name == "pg_get_userbyid" && count == 1) {
    TACIT_TRY(const Expression role, Settle(arguments[0], oid::kOid));
    return Found(Expression{.sql = "(CASE " + role.sql + " WHEN " + std::to_string(kOwnerOid) +
                                   " THEN " + Quoted(kOwnerRole) + " WHEN " +
                                   std::to_string(Objects::NumberOf("role " + session.analyst)) +
                                   " THEN " + Quoted(session.analyst) +
                                   " ELSE 'unknown (OID=' || " + role.sql + " || ')' END)",
                            .type = oid::kName});
  }
  if (name == "pg_table_is_visible" && count == 1) {
    TACIT_TRY(const Expression relation, Settle(arguments[0], oid::kOid));
    std::string schemas;
    for (const std::string& schema : SearchPath(true)) {
      schemas += (schemas.empty() ? "" : ", ") + std::to_string(around_.objects.SchemaOid(schema));
    }
    return Found(
        Expression{.sql = "(tacit_namespace_of(" + relation.sql + ") IN (" + schemas + "))",
                   .type = oid::kBool});
  }
  if (name == "pg_has_role" || IsPrivilegeQuestion(name)) {
    // Everything that is shown may be read, and nothing else may be done with it.
    const Expression& privilege = arguments.back();
    const std::string asked = policy::FoldedName(privilege.literal.value_or("select"));
    const bool reads =
        asked.find("select") != std::string::npos || asked.find("usage") != std::string::npos ||
        asked.find("connect") != std::string::npos || asked.find("member") != std::string::npos;
    return Found(Expression{.sql = reads ? "true" : "false", .type = oid::kBool});
  }
  return Found();
}

Result<Expression> Translator::TranslateSessionValue(const PgQuery__SQLValueFunction& value) {
  switch (value.op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
      return Text(around_.session.analyst, oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
      return Text(around_.session.database, oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
      if (path_.empty()) return Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kName};
      return Text(path_.front(), oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
      return Timestamp(oid::kTimestampTz);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP_N:
      return Timestamp(oid::kTimestamp);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return Expression{.sql = "CAST('" + Now("%Y-%m-%d") + "' AS DATE)", .type = oid::kDate};
    default:
      return UnsupportedError("this value", value.location);
  }
}

}  // namespace tacit::catalog
