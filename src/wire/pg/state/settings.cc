#include "wire/pg/state/settings.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/numbers/privacy_parameters.h"
#include "catalog/settings.h"

namespace tacit::wire::pg {
namespace {

Error Wrong(std::string message, const char* condition, std::string hint = "") {
  Error error = InvalidArgument(std::move(message), std::move(hint));
  error.rule = condition;
  return error;
}

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

const catalog::Setting* Find(const std::string& name) {
  static const std::unordered_map<std::string, const catalog::Setting*> by_name = [] {
    std::unordered_map<std::string, const catalog::Setting*> all;
    for (const catalog::Setting& setting : catalog::KnownSettings()) {
      all.emplace(Lower(setting.name), &setting);
    }
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

// Names that the grammar gives by another name.
std::string Canonical(const std::string& name) {
  if (name == "time zone") return "timezone";
  if (name == "transaction isolation level") return "transaction_isolation";
  if (name == "session authorization") return "session_authorization";
  return name;
}

std::string Unquoted(std::string value) {
  if (value.size() >= 2 && value.front() == '\'' && value.back() == '\'') {
    value = value.substr(1, value.size() - 2);
  }
  return value;
}

Result<std::string> CheckBool(const std::string& name, const std::string& value) {
  const std::string lower = Lower(value);
  for (const char* yes : {"on", "true", "t", "yes", "y", "1"}) {
    if (lower == yes) return std::string("on");
  }
  for (const char* no : {"off", "false", "f", "no", "n", "0"}) {
    if (lower == no) return std::string("off");
  }
  return Wrong("parameter \"" + name + "\" requires a Boolean value", "invalid_parameter_value");
}

Result<std::string> CheckPrivacy(const std::string& name, const std::string& value) {
  if (value.empty()) return value;  // the policy's
  Result<Rational> number = ParseRational(value);
  if (number.ok() && name == "tacit.epsilon") {
    const Result<Epsilon> epsilon = CheckedEpsilon(*number, name);
    if (!epsilon.ok()) number = epsilon.error();
  } else if (number.ok() && name == "tacit.delta") {
    const Result<Delta> delta = CheckedDelta(*number, name);
    if (!delta.ok()) number = delta.error();
  } else if (number.ok() && *number <= 0) {
    number = InvalidArgument(name + " must be above 0");
  }
  if (number.ok()) return value;
  Error error = number.error();
  error.rule = "invalid_parameter_value";
  return error;
}

Result<std::string> CheckEncoding(const std::string& value) {
  std::string plain;
  for (const char c : Lower(Unquoted(value))) {
    if (c != '-' && c != '_') plain += c;
  }
  if (plain == "utf8" || plain == "unicode") return std::string("UTF8");
  return Wrong("the only client_encoding here is UTF8", "invalid_parameter_value");
}

// "5000", "5s", "2 min": milliseconds unless a unit is named.
std::optional<std::chrono::milliseconds> ParseDuration(const std::string& value) {
  int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  if (parsed.ec != std::errc() || number < 0) return std::nullopt;
  std::string_view unit(parsed.ptr, static_cast<size_t>(end - parsed.ptr));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  struct Unit {
    std::string_view name;
    int64_t milliseconds;
  };
  constexpr Unit kUnits[] = {{"", 1},         {"ms", 1},        {"s", 1'000},
                             {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  for (const Unit& known : kUnits) {
    if (unit != known.name) continue;
    if (number > INT32_MAX / known.milliseconds) return std::nullopt;
    return std::chrono::milliseconds(number * known.milliseconds);
  }
  return std::nullopt;
}

// A value as it will be shown, or why it cannot be.
Result<std::string> Checked(const catalog::Setting* setting, const std::string& name,
                            const std::string& value, const std::string& analyst) {
  if (name == "client_encoding") return CheckEncoding(value);
  if (name == "datestyle") {
    if (Lower(value).starts_with("iso") || Lower(value) == "default") {
      return std::string("ISO, MDY");
    }
    return Wrong("the only DateStyle here is ISO", "invalid_parameter_value");
  }
  if (name == "standard_conforming_strings") {
    TACIT_TRY(std::string on, CheckBool(name, value));
    if (on == "on") return on;
    return Wrong("standard_conforming_strings cannot be off here", "invalid_parameter_value");
  }
  if (name == "default_transaction_read_only" || name == "transaction_read_only") {
    TACIT_TRY(const std::string ignored, CheckBool(name, value));
    return std::string("on");  // nothing can be written whatever is asked for
  }
  if (name == "role" || name == "session_authorization") {
    if (value == analyst || Lower(value) == "none" || Lower(value) == "default") return value;
    return Wrong("permission denied to become \"" + value + "\"", "insufficient_privilege");
  }
  if (name == "statement_timeout") {
    if (ParseDuration(value)) return value;
    return Wrong("invalid value for parameter \"statement_timeout\": \"" + value + "\"",
                 "invalid_parameter_value", "milliseconds, or a number with ms, s, min, h or d");
  }
  if (name == "tacit.epsilon" || name == "tacit.delta" || name == "tacit.error") {
    return CheckPrivacy(name, value);
  }
  if (setting != nullptr && std::string_view(setting->type) == "bool") {
    return CheckBool(name, value);
  }
  return value;
}

}  // namespace

Settings::Settings(std::string analyst) : analyst_(std::move(analyst)) {
  at_start_["session_authorization"] = analyst_;
}

std::string Settings::ValueOf(const std::string& name) const {
  for (const auto* values : {&local_, &session_, &at_start_}) {
    if (const auto found = values->find(name); found != values->end()) return found->second;
  }
  const catalog::Setting* known = Find(name);
  return known != nullptr ? known->value : "";
}

Result<Done> Settings::Set(const std::string& asked, const std::optional<std::string>& value,
                           bool local) {
  const std::string name = Canonical(Lower(asked));
  const catalog::Setting* known = Find(name);
  // Names with a dot belong to extensions, and may be anything; those with ours may not.
  const bool custom = name.find('.') != std::string::npos && !name.starts_with("tacit.");
  const bool role = name == "role" || name == "session_authorization";
  if (known == nullptr && !custom && !role) {
    return Wrong("unrecognized configuration parameter \"" + asked + "\"", "undefined_object");
  }
  if (known != nullptr && std::string_view(known->context) == "internal" && !role) {
    return Wrong("parameter \"" + asked + "\" cannot be changed", "cant_change_runtime_param");
  }
  constexpr size_t kValueBytesMax = 4096, kValuesMax = 256;
  if (value &&
      (value->size() > kValueBytesMax || (local ? local_ : session_).size() > kValuesMax)) {
    return Wrong("the value is too long, or there are too many", "program_limit_exceeded");
  }
  std::map<std::string, std::string>& values = local ? local_ : session_;
  may_differ_ = true;
  if (!value) {
    local_.erase(name);
    session_.erase(name);
    return Done{};
  }
  TACIT_TRY(std::string checked, Checked(known, name, *value, analyst_));
  if (!local) local_.erase(name);
  if (role) return Done{};
  // A price and an error target are two ways to say one thing: the last word counts.
  if (name == "tacit.epsilon" && !checked.empty()) values["tacit.error"] = "";
  if (name == "tacit.error" && !checked.empty()) values["tacit.epsilon"] = "";
  values[name] = std::move(checked);
  return Done{};
}

Result<Done> Settings::SetAtStart(const std::string& name, const std::string& value) {
  TACIT_CHECK(Set(name, value, false));
  at_start_.merge(session_);
  for (auto& [key, kept] : session_) at_start_[key] = kept;
  session_.clear();
  return Done{};
}

void Settings::ResetAll() {
  may_differ_ = true;
  session_.clear();
  local_.clear();
}

Result<std::string> Settings::Show(const std::string& asked) const {
  const std::string name = Canonical(Lower(asked));
  const bool set = local_.contains(name) || session_.contains(name) || at_start_.contains(name);
  if (!set && Find(name) == nullptr && name != "role") {
    return Wrong("unrecognized configuration parameter \"" + asked + "\"", "undefined_object");
  }
  return name == "role" ? "none" : ValueOf(name);
}

std::vector<std::vector<std::string>> Settings::ShowAll() const {
  std::vector<std::vector<std::string>> rows;
  for (const catalog::Setting& setting : catalog::KnownSettings()) {
    rows.push_back({setting.name, ValueOf(Lower(setting.name)), setting.about});
  }
  return rows;
}

void Settings::Begin() { before_transaction_ = session_; }

Settings::Snapshot Settings::Keep() {
  if (last_kept_ && last_kept_->session == session_ && last_kept_->local == local_) {
    return last_kept_;
  }
  Kept kept{.session = session_, .local = local_, .bytes = 0};
  for (const auto* values : {&kept.session, &kept.local}) {
    for (const auto& [name, value] : *values) kept.bytes += name.size() + value.size();
  }
  last_kept_ = std::make_shared<const Kept>(std::move(kept));
  return last_kept_;
}

void Settings::GoBackTo(const Snapshot& snapshot) {
  may_differ_ = true;
  session_ = snapshot->session;
  local_ = snapshot->local;
}

void Settings::Commit() {
  last_kept_.reset();
  may_differ_ = may_differ_ || !local_.empty();
  local_.clear();
  before_transaction_.reset();
}

void Settings::Rollback() {
  may_differ_ = true;
  if (before_transaction_) session_ = std::move(*before_transaction_);
  Commit();
}

plan::Wish Settings::wish() const {
  plan::Wish wish;
  const auto number = [&](const char* name) -> std::optional<Rational> {
    const std::string value = ValueOf(name);
    if (value.empty()) return std::nullopt;
    const Result<Rational> parsed = ParseRational(value);
    return parsed.ok() ? std::optional(*parsed) : std::nullopt;
  };
  if (const auto epsilon = number("tacit.epsilon")) wish.epsilon = Epsilon(*epsilon);
  if (const auto delta = number("tacit.delta")) wish.delta = Delta(*delta);
  wish.error = number("tacit.error");
  wish.intervals = ValueOf("tacit.intervals") == "on";
  return wish;
}

std::chrono::milliseconds Settings::StatementTimeout() const {
  return ParseDuration(ValueOf("statement_timeout")).value_or(std::chrono::milliseconds(0));
}

bool Settings::SendsNotices() const {
  const std::string level = Lower(ValueOf("client_min_messages"));
  return level != "warning" && level != "error" && level != "fatal" && level != "panic";
}

bool Settings::SendsWarnings() const {
  const std::string level = Lower(ValueOf("client_min_messages"));
  return level != "error" && level != "fatal" && level != "panic";
}

std::vector<std::pair<std::string, std::string>> Settings::Reported() const {
  static constexpr const char* kReported[] = {"server_version",    "server_encoding",
                                              "client_encoding",   "DateStyle",
                                              "IntervalStyle",     "TimeZone",
                                              "integer_datetimes", "standard_conforming_strings",
                                              "is_superuser",      "session_authorization",
                                              "application_name",  "default_transaction_read_only",
                                              "in_hot_standby"};
  std::vector<std::pair<std::string, std::string>> values;
  for (const char* name : kReported) values.emplace_back(name, ValueOf(Lower(name)));
  return values;
}

std::vector<std::pair<std::string, std::string>> Settings::TakeChanged() {
  std::vector<std::pair<std::string, std::string>> changed;
  if (!std::exchange(may_differ_, false)) return changed;
  for (const auto& [name, value] : Reported()) {
    const auto told = told_.find(name);
    if (told != told_.end() && told->second == value) continue;
    told_[name] = value;
    changed.emplace_back(name, value);
  }
  return changed;
}

std::map<std::string, std::string> Settings::Values() const {
  std::map<std::string, std::string> values = at_start_;
  for (const auto& [name, value] : session_) values[name] = value;
  for (const auto& [name, value] : local_) values[name] = value;
  return values;
}

}  // namespace tacit::wire::pg
