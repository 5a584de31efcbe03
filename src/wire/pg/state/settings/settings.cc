#include "wire/pg/state/settings/settings.h"

#include <algorithm>
#include <unordered_map>

#include "base/ascii.h"
#include "base/numbers/privacy_parameters.h"
#include "catalog/settings.h"
#include "wire/pg/state/report.h"
#include "wire/pg/state/settings/setting_value.h"

namespace tacit::wire::pg {
namespace {

const catalog::Setting* Find(const std::string& name) {
  static const std::unordered_map<std::string, const catalog::Setting*> by_name = [] {
    std::unordered_map<std::string, const catalog::Setting*> all;
    for (const catalog::Setting& setting : catalog::KnownSettings()) {
      all.emplace(InSmallLetters(setting.name), &setting);
    }
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

// Why 32 KiB: a dozen names and values as clients send them, and one claim of a few kilobytes.
// Names count: set_config takes one as long as a query.
constexpr size_t kBytesMax = size_t{32} << 10;

size_t BytesOf(const std::map<std::string, std::string>& values) {
  size_t bytes = 0;
  for (const auto& [name, value] : values) bytes += name.size() + value.size();
  return bytes;
}

// Names that the grammar gives by another name.
std::string Canonical(const std::string& name) {
  if (name == "time zone") return "timezone";
  if (name == "transaction isolation level") return "transaction_isolation";
  if (name == "session authorization") return "session_authorization";
  return name;
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
  const std::string name = Canonical(InSmallLetters(asked));
  const catalog::Setting* known = Find(name);
  // Names with a dot belong to extensions, and may be anything; those with ours may not.
  const bool custom = name.find('.') != std::string::npos && !name.starts_with("tacit.");
  const bool role = name == "role" || name == "session_authorization";
  if (known == nullptr && !custom && !role) {
    return Condition("unrecognized configuration parameter \"" + asked + "\"", "undefined_object");
  }
  if (known != nullptr && std::string_view(known->context) == "internal" && !role) {
    return Condition("parameter \"" + asked + "\" cannot be changed", "cant_change_runtime_param");
  }
  std::map<std::string, std::string>& values = local ? local_ : session_;
  constexpr size_t kValueBytesMax = 4096, kValuesMax = 256;
  if (value && (value->size() > kValueBytesMax || values.size() > kValuesMax ||
                BytesOf(values) + name.size() + value->size() > kBytesMax)) {
    return Condition("the value is too long, or there are too many", "program_limit_exceeded");
  }
  may_differ_ = true;
  if (!value) {
    local_.erase(name);
    session_.erase(name);
    return Done{};
  }
  TACIT_TRY(std::string checked, CheckedSetting({known, name, *value, ValueOf(name)}, analyst_));
  if (!local) local_.erase(name);
  if (role) return Done{};
  // A price and an error target are two ways to say one thing: the last word counts.
  if (name == "tacit.epsilon" && !checked.empty()) values["tacit.error"] = "";
  if (name == "tacit.error" && !checked.empty()) values["tacit.epsilon"] = "";
  values[name] = std::move(checked);
  return Done{};
}

Result<Done> Settings::SetAtStart(const std::string& name, const std::string& value) {
  const Result<Done> set = Set(name, value, false);
  // A client that comes with an encoding that is not here is told so by the value it gets.
  if (!set.ok() && InSmallLetters(name) != "client_encoding") return set;
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
  const std::string name = Canonical(InSmallLetters(asked));
  const bool set = local_.contains(name) || session_.contains(name) || at_start_.contains(name);
  if (!set && Find(name) == nullptr && name != "role") {
    return Condition("unrecognized configuration parameter \"" + asked + "\"", "undefined_object");
  }
  return name == "role" ? "none" : ValueOf(name);
}

std::vector<std::vector<std::string>> Settings::ShowAll() const {
  std::vector<std::vector<std::string>> rows;
  for (const catalog::Setting& setting : catalog::KnownSettings()) {
    rows.push_back({setting.name, ValueOf(InSmallLetters(setting.name)), setting.about});
  }
  return rows;
}

void Settings::Begin() { before_transaction_ = session_; }

Settings::Snapshot Settings::Keep() {
  if (last_kept_ && last_kept_->session == session_ && last_kept_->local == local_) {
    return last_kept_;
  }
  Kept kept{.session = session_, .local = local_, .bytes = 0};
  kept.bytes = BytesOf(kept.session) + BytesOf(kept.local);
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
  if (const std::string error = ValueOf("tacit.error"); !error.empty()) {
    const Result<plan::ErrorWish> wished = plan::ReadErrorWish(error);  // it was checked when set
    if (wished.ok()) wish.error = *wished;
  }
  wish.intervals = ValueOf("tacit.intervals") == "on";
  wish.nonnegative = ValueOf("tacit.nonnegative") == "on";
  return wish;
}

std::chrono::milliseconds Settings::StatementTimeout() const {
  return ParseDuration(ValueOf("statement_timeout")).value_or(std::chrono::milliseconds(0));
}

bool Settings::Previews() const { return ValueOf("tacit.previews") == "on"; }

TextStyle Settings::Style() const {
  TextStyle style;
  style.date = ParseDateStyle(ValueOf("datestyle"), {}).value_or(DateStyle{});
  style.interval = ParseIntervalStyle(ValueOf("intervalstyle")).value_or(IntervalStyle::kPostgres);
  style.float_digits = ExtraFloatDigits(ValueOf("extra_float_digits")).value_or(1);
  if (Result<std::shared_ptr<const TimeZone>> zone = TimeZone::Find(ValueOf("timezone"));
      zone.ok()) {
    style.zone = std::move(zone).value();
  }
  return style;
}

const Encoding* Settings::ClientEncoding() const {
  const std::string name = ValueOf("client_encoding");
  return name == "UTF8" ? nullptr : Encoding::Find(name);
}

bool Settings::SendsNotices() const {
  const std::string level = InSmallLetters(ValueOf("client_min_messages"));
  return level != "warning" && level != "error" && level != "fatal" && level != "panic";
}

bool Settings::SendsWarnings() const {
  const std::string level = InSmallLetters(ValueOf("client_min_messages"));
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
  for (const char* name : kReported) values.emplace_back(name, ValueOf(InSmallLetters(name)));
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
