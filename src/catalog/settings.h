#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tacit::catalog {

// A setting that a PostgreSQL client may ask for, with the value of a fresh session.
struct Setting {
  const char* name;
  const char* value;
  const char* type;      // as pg_settings says it: bool, integer, string, enum, real
  const char* context;   // user: SET may change it; internal: it is a fact of the server
  const char* category;  // pg_settings.category
  const char* about;     // pg_settings.short_desc, in our words
};

// One that may be set and has no effect: PostgreSQL's planner's, ...
struct PlannerSetting {
  const char* name;
  const char* value;
  const char* type;
};
const std::vector<PlannerSetting>& PlannerSettings();

// All of them, by name. SHOW ALL, SHOW x, current_setting and pg_settings agree because all of them
// read this list, with the session's changes on top.
const std::vector<Setting>& KnownSettings();

// The value in force, or nothing for a name that neither the session nor the list has.
std::optional<std::string> FindSetting(const std::map<std::string, std::string>& session,
                                       const std::string& name);

}  // namespace tacit::catalog
