#pragma once

#include <vector>

namespace tacit::wire::pg {

struct KnownSetting {
  const char* name;
  const char* value;
  const char* type;
  const char* context;
  const char* about;
};
inline const std::vector<KnownSetting>& KnownSettings() {
  static const std::vector<KnownSetting> settings = {
      {"application_name", "", "string", "user", ""},
      {"client_encoding", "UTF8", "string", "user", ""},
      {"client_min_messages", "notice", "enum", "user", ""},
      {"DateStyle", "ISO, MDY", "string", "user", ""},
      {"default_transaction_read_only", "on", "bool", "user", ""},
      {"extra_float_digits", "1", "integer", "user", ""},
      {"in_hot_standby", "off", "bool", "internal", ""},
      {"integer_datetimes", "on", "bool", "internal", ""},
      {"IntervalStyle", "postgres", "enum", "user", ""},
      {"is_superuser", "off", "bool", "internal", ""},
      {"search_path", "\"$user\", public", "string", "user", ""},
      {"server_encoding", "UTF8", "string", "internal", ""},
      {"server_version", "15.0", "string", "internal", ""},
      {"server_version_num", "150000", "integer", "internal", ""},
      {"session_authorization", "", "string", "internal", ""},
      {"standard_conforming_strings", "on", "bool", "user", ""},
      {"statement_timeout", "0", "integer", "user", ""},
      {"tacit.delta", "", "string", "user", ""},
      {"tacit.epsilon", "", "string", "user", ""},
      {"tacit.error", "", "string", "user", ""},
      {"tacit.intervals", "off", "bool", "user", ""},
      {"TimeZone", "UTC", "string", "user", ""},
      {"transaction_isolation", "read committed", "enum", "user", ""},
      {"transaction_read_only", "on", "bool", "user", ""}};
  return settings;
}

}  // namespace tacit::wire::pg
