#include "catalog/settings.h"

#include <algorithm>

#include "catalog/catalog.h"

namespace tacit::catalog {

const std::vector<Setting>& KnownSettings() {
  static constexpr char kClient[] = "Client Connection Defaults";
  static constexpr char kPreset[] = "Preset Options";
  static constexpr char kStyle[] = "Client Connection Defaults / Locale and Formatting";
  static constexpr char kStatement[] = "Client Connection Defaults / Statement Behavior";
  static constexpr char kCompatible[] = "Version and Platform Compatibility";
  static constexpr char kTacit[] = "Tacit";
  static constexpr char kPlanner[] = "Query Tuning";
  static const std::vector<Setting> own = {
      {"application_name", "", "string", "user", kClient, "the name the client gives itself"},
      {"array_nulls", "on", "bool", "user", kCompatible, "NULL in an array's text is a null"},
      {"backslash_quote", "safe_encoding", "enum", "user", kCompatible, "whether \\' is a quote"},
      {"block_size", "8192", "integer", "internal", kPreset, "as PostgreSQL reports it"},
      {"bytea_output", "hex", "enum", "user", kStatement, "how bytea is printed"},
      {"client_encoding", "UTF8", "string", "user", kStyle, "how texts are sent"},
      {"client_min_messages", "notice", "enum", "user", kStatement, "the least level sent"},
      {"data_checksums", "off", "bool", "internal", kPreset, "as PostgreSQL reports it"},
      {"DateStyle", "ISO, MDY", "string", "user", kStyle, "how dates are printed"},
      {"default_tablespace", "", "string", "user", kStatement, "has no effect"},
      {"default_transaction_deferrable", "off", "bool", "user", kStatement, "has no effect"},
      {"default_transaction_isolation", "read committed", "enum", "user", kStatement,
       "has no effect"},
      {"default_transaction_read_only", "on", "bool", "user", kStatement, "nothing is writable"},
      {"escape_string_warning", "on", "bool", "user", kCompatible, "has no effect"},
      {"extra_float_digits", "1", "integer", "user", kStyle,
       "how many digits floats are printed with"},
      {"idle_in_transaction_session_timeout", "0", "integer", "user", kStatement, "has no effect"},
      {"in_hot_standby", "off", "bool", "internal", kPreset, "as PostgreSQL reports it"},
      {"integer_datetimes", "on", "bool", "internal", kPreset, "always on"},
      {"IntervalStyle", "postgres", "enum", "user", kStyle, "how intervals are printed"},
      {"is_superuser", "off", "bool", "internal", kPreset, "nobody is"},
      {"lc_collate", "C", "string", "internal", kStyle, "texts sort by their bytes"},
      {"lc_ctype", "C", "string", "internal", kStyle, "as PostgreSQL reports it"},
      {"lc_messages", "C", "string", "superuser", kStyle, "messages are in English"},
      {"lc_monetary", "C", "string", "user", kStyle, "as PostgreSQL reports it"},
      {"lc_numeric", "C", "string", "user", kStyle, "as PostgreSQL reports it"},
      {"lc_time", "C", "string", "user", kStyle, "as PostgreSQL reports it"},
      {"lock_timeout", "0", "integer", "user", kStatement, "has no effect"},
      {"max_identifier_length", "63", "integer", "internal", kPreset, "as PostgreSQL reports it"},
      {"max_index_keys", "32", "integer", "internal", kPreset, "as PostgreSQL reports it"},
      {"quote_all_identifiers", "off", "bool", "user", kCompatible, "has no effect"},
      {"row_security", "on", "bool", "user", kStatement, "has no effect"},
      {"search_path", "\"$user\", public", "string", "user", kStatement,
       "schemas searched for a bare name"},
      {"server_encoding", "UTF8", "string", "internal", kPreset, "always UTF8"},
      {"server_version", kServerVersion, "string", "internal", kPreset,
       "the PostgreSQL version clients may expect"},
      {"server_version_num", kServerVersionNumber, "integer", "internal", kPreset,
       "the same as a number"},
      {"session_authorization", "", "string", "internal", kPreset, "the session's user"},
      {"standard_conforming_strings", "on", "bool", "user", kCompatible, "always on"},
      {"statement_timeout", "0", "integer", "user", kStatement,
       "longest time to wait for an answer; what was charged stays charged"},
      {"synchronize_seqscans", "on", "bool", "user", kCompatible, "has no effect"},
      {"tacit.delta", "", "string", "user", kTacit, "the delta of the next answers"},
      {"tacit.epsilon", "", "string", "user", kTacit, "the price of the next answers"},
      {"tacit.error", "", "string", "user", kTacit, "the error at 95 % to buy instead of a price"},
      {"tacit.intervals", "off", "bool", "user", kTacit, "adds _low and _high to every column"},
      {"tacit.nonnegative", "off", "bool", "user", kTacit,
       "counts, and sums of what is never below zero, are shown as 0 where noise took them below"},
      {"tacit.previews", "off", "bool", "user", kTacit,
       "a question for rows gives its columns and no row, instead of a refusal"},
      {"TimeZone", "UTC", "string", "user", kStyle, "the zone of timestamps"},
      {"transaction_deferrable", "off", "bool", "user", kStatement, "has no effect"},
      {"transaction_isolation", "read committed", "enum", "user", kStatement, "has no effect"},
      {"transaction_read_only", "on", "bool", "user", kStatement, "nothing is writable"},
      {"xmlbinary", "base64", "enum", "user", kStatement, "has no effect"},
      {"xmloption", "content", "enum", "user", kStatement, "has no effect"},
  };
  static const std::vector<Setting> all = [] {
    std::vector<Setting> settings = own;
    for (const PlannerSetting& each : PlannerSettings()) {
      settings.push_back({each.name, each.value, each.type, "user", kPlanner, "has no effect"});
    }
    std::sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
      return policy::FoldedName(a.name) < policy::FoldedName(b.name);
    });
    return settings;
  }();
  return all;
}

std::optional<std::string> FindSetting(const std::map<std::string, std::string>& session,
                                       const std::string& name) {
  const std::string folded = policy::FoldedName(name);
  if (const auto found = session.find(folded); found != session.end()) return found->second;
  for (const Setting& known : KnownSettings()) {
    if (policy::SameName(known.name, folded)) return std::string(known.value);
  }
  return std::nullopt;
}

}  // namespace tacit::catalog
