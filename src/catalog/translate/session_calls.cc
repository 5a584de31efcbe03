#include <algorithm>
#include <chrono>
#include <ctime>

#include "catalog/settings.h"
#include "catalog/translate/translating.h"

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

// The server's clock when the transaction began, to the second: a finer one would let a client time
// the server.
std::string Now(const Translating& in, const char* format, const TimeZone& zone) {
  const auto& began = in.around.asker.began;
  std::time_t now =
      std::chrono::system_clock::to_time_t(began.value_or(std::chrono::system_clock::now()));
  now += zone.At(now).seconds;
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[40];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

Expression Timestamp(const Translating& in, Oid type, const TimeZone& zone) {
  return {.sql = "CAST('" + Now(in, "%Y-%m-%d %H:%M:%S", zone) + "' AS TIMESTAMP)", .type = type};
}

bool IsPrivilegeQuestion(const std::string& name) {
  return name.starts_with("has_") && name.ends_with("_privilege");
}

// The schemas of search_path that exist; `implicit` adds pg_catalog in front as PostgreSQL does.
std::vector<std::string> SearchPath(const Translating& in, bool implicit) {
  std::vector<std::string> path = in.around.objects.Searched(SettingOf(in, "search_path"));
  const bool listed = std::find(path.begin(), path.end(), "pg_catalog") != path.end();
  if (implicit && !listed) path.insert(path.begin(), "pg_catalog");
  return path;
}

Result<std::string> ConstantText(const Translating& in, const Expression& expression,
                                 int position) {
  if (expression.literal) return *expression.literal;
  if (expression.parameter > 0) {
    const auto index = static_cast<size_t>(expression.parameter - 1);
    // While only the shape is asked for there is no value, and none is needed.
    if (!in.around.running) return std::string("server_version");
    if (index < in.around.parameters.size() && in.around.parameters[index]) {
      return *in.around.parameters[index];
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

Result<Expression> SetConfig(Translating& in, const Expressions& arguments, int position) {
  TACIT_TRY(const std::string name, ConstantText(in, arguments[0], position));
  TACIT_TRY(const std::string value, ConstantText(in, arguments[1], position));
  TACIT_TRY(const Expression local, Settle(in, arguments[2], oid::kBool));
  in.changes.push_back({.name = name, .value = value, .local = local.sql == "true"});
  return Text(value);
}

// format('%I.%s', a, b): identifiers, texts and literals between constant words.
Result<Expression> CallFormat(Translating& in, const std::string& pattern,
                              const Expressions& arguments, int position) {
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
    TACIT_TRY(const std::string text, AsText(in, arguments[next++]));
    parts.push_back(kind == 'I' ? "tacit_quote_ident(" + text + ")"
                    : kind == 's'
                        ? "coalesce(" + text + ", '')"
                        : "('''''' || replace(" + text + ", '''''', '''''''') || '''''')");
  }
  std::string sql = Quoted(words);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) sql = *part + " || " + sql;
  return Expression{.sql = BoundedText(sql), .type = oid::kText};
}

}  // namespace

Translating BeginTranslating(const Surroundings& surroundings) {
  Translating in{.around = surroundings, .parameters = surroundings.parameter_types};
  for (Oid& type : in.parameters) {
    if (type == oid::kUnknown) type = 0;
  }
  in.path = SearchPath(in, false);
  return in;
}

std::shared_ptr<const TimeZone> ZoneOf(const Translating& in) {
  const Result<std::shared_ptr<const TimeZone>> zone = TimeZone::Find(SettingOf(in, "TimeZone"));
  return zone.ok() ? *zone : TimeZone::Utc();
}

std::string SettingOf(const Translating& in, const std::string& name) {
  if (name == "session_authorization") return in.around.asker.analyst;
  return FindSetting(in.around.asker.settings, name).value_or("");
}

Result<std::optional<Expression>> CallSession(Translating& in, const std::string& name,
                                              const Expressions& arguments, int position) {
  using Found = std::optional<Expression>;
  const Asker& asker = in.around.asker;
  const size_t count = arguments.size();
  if (count == 0) {
    if (name == "version") {
      return Found(Text("PostgreSQL " + std::string(kServerVersion) + " (Tacit)"));
    }
    if (name == "current_database") return Found(Text(asker.database, oid::kName));
    if (name == "current_schema") {
      if (in.path.empty())
        return Found(Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kName});
      return Found(Text(in.path.front(), oid::kName));
    }
    if (name == "pg_backend_pid") {
      return Found(Expression{.sql = std::to_string(asker.backend_pid), .type = oid::kInt4});
    }
    if (name == "now" || name == "transaction_timestamp" || name == "statement_timestamp" ||
        name == "clock_timestamp") {
      return Found(Timestamp(in, oid::kTimestampTz, *TimeZone::Utc()));
    }
    return Found();
  }
  if (name == "current_schemas" && count == 1) {
    TACIT_TRY(const Expression implicit, Settle(in, arguments[0], oid::kBool));
    return Found(Names(SearchPath(in, implicit.sql == "true")));
  }
  if (name == "current_setting" && count <= 2) {
    const Result<std::string> constant = ConstantText(in, arguments[0], position);
    if (!constant.ok()) {
      // The name of each row, as in a list of all settings.
      std::string sql = "(CASE " + arguments[0].sql;
      for (const catalog::Setting& known : KnownSettings()) {
        sql += " WHEN " + Quoted(known.name) + " THEN " + Quoted(SettingOf(in, known.name));
      }
      return Found(Expression{.sql = sql + " END)", .type = oid::kText});
    }
    const std::string& setting = *constant;
    const bool known =
        setting == "session_authorization" || FindSetting(asker.settings, setting).has_value();
    bool missing_is_fine = false;
    if (count == 2) {
      TACIT_TRY(const Expression fine, Settle(in, arguments[1], oid::kBool));
      missing_is_fine = fine.sql == "true";
    }
    if (known) return Found(Text(SettingOf(in, setting)));
    if (missing_is_fine) {
      return Found(Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kText});
    }
    return UndefinedError("unrecognized configuration parameter \"" + setting + "\"",
                          "undefined_object", position);
  }
  if (name == "set_config" && count == 3) {
    TACIT_TRY(Expression value, SetConfig(in, arguments, position));
    return Found(std::move(value));
  }
  if (name == "format") {
    TACIT_TRY(const std::string pattern, ConstantText(in, arguments[0], position));
    TACIT_TRY(Expression text, CallFormat(in, pattern, arguments, position));
    return Found(std::move(text));
  }
  if (name == "pg_get_userbyid" && count == 1) {
    TACIT_TRY(const Expression role, Settle(in, arguments[0], oid::kOid));
    return Found(Expression{.sql = "(CASE " + role.sql + " WHEN " + std::to_string(kOwnerOid) +
                                   " THEN " + Quoted(kOwnerRole) + " WHEN " +
                                   std::to_string(Objects::NumberOf("role " + asker.analyst)) +
                                   " THEN " + Quoted(asker.analyst) + " ELSE 'unknown (OID=' || " +
                                   role.sql + " || ')' END)",
                            .type = oid::kName});
  }
  if (name == "pg_table_is_visible" && count == 1) {
    TACIT_TRY(const Expression relation, Settle(in, arguments[0], oid::kOid));
    std::string schemas;
    for (const std::string& schema : SearchPath(in, true)) {
      schemas +=
          (schemas.empty() ? "" : ", ") + std::to_string(in.around.objects.SchemaOid(schema));
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

Result<Expression> TranslateSessionValue(Translating& in, const PgQuery__SQLValueFunction& value) {
  switch (value.op) {
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_ROLE:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_USER:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_SESSION_USER:
      return Text(in.around.asker.analyst, oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_CATALOG:
      return Text(in.around.asker.database, oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_SCHEMA:
      if (in.path.empty()) return Expression{.sql = "CAST(NULL AS VARCHAR)", .type = oid::kName};
      return Text(in.path.front(), oid::kName);
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_TIMESTAMP_N:
      return Timestamp(in, oid::kTimestampTz, *TimeZone::Utc());
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP:
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_LOCALTIMESTAMP_N:
      return Timestamp(in, oid::kTimestamp, *ZoneOf(in));
    case PG_QUERY__SQLVALUE_FUNCTION_OP__SVFOP_CURRENT_DATE:
      return Expression{.sql = "CAST('" + Now(in, "%Y-%m-%d", *ZoneOf(in)) + "' AS DATE)",
                        .type = oid::kDate};
    default:
      return UnsupportedError("this value", value.location);
  }
}

}  // namespace tacit::catalog
