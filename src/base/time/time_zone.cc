#include "base/time/time_zone.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

#include "base/ascii.h"
#include "base/whole_file.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = "/usr/share/zoneinfo";
// Why: the largest file of tzdata has 4 KB, the longest name 30 letters.
constexpr size_t kFileBytesMax = size_t{64} << 10, kNameBytesMax = 64;

// Reads big-endian numbers; zeros, and not good, beyond the end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}
  bool good() const { return good_; }
  std::string_view Take(size_t count) {
    if (count > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  int64_t Number(size_t size) {
    const std::string_view bytes = Take(size);
    if (bytes.empty()) return 0;
    uint64_t number = (static_cast<uint8_t>(bytes[0]) & 0x80) != 0 ? ~uint64_t{0} : 0;
    for (const char c : bytes) number = number << 8 | static_cast<uint8_t>(c);
    return static_cast<int64_t>(number);
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

struct Head {
  size_t utc_marks = 0, standard_marks = 0, leaps = 0, times = 0, types = 0, letters = 0;
  char version = 0;
  size_t BytesAfter(size_t time_bytes) const {
    return times * (time_bytes + 1) + types * 6 + letters + leaps * (time_bytes + 4) +
           standard_marks + utc_marks;
  }
};

std::optional<Head> TakeHead(Bytes& bytes) {
  if (bytes.Take(4) != "TZif") return std::nullopt;
  Head head;
  const std::string_view version = bytes.Take(1);
  bytes.Take(15);
  for (size_t* count : {&head.utc_marks, &head.standard_marks, &head.leaps, &head.times,
                        &head.types, &head.letters}) {
    *count = static_cast<size_t>(bytes.Number(4) & 0xffff'ffff);
    if (*count > kFileBytesMax) return std::nullopt;
  }
  if (!bytes.good() || version.empty()) return std::nullopt;
  head.version = version[0];
  return head;
}

// Whether the name is one of a file below the folder, and of nothing else.
bool IsPlain(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-' || c == '/';
  };
  return !name.empty() && name.size() <= kNameBytesMax && name.front() != '/' &&
         std::all_of(name.begin(), name.end(), plain);
}

// The name as tzdata spells it, folder by folder; empty: there is none.
std::string Spelled(std::string_view name) {
  fs::path folder = kFolder;
  std::string spelled;
  while (!name.empty()) {
    const std::string part = InSmallLetters(name.substr(0, name.find('/')));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    std::error_code error;
    std::string found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (InSmallLetters(entry.path().filename().string()) == part) found = entry.path().filename();
    }
    if (found.empty()) return "";
    spelled += (spelled.empty() ? "" : "/") + found;
    folder /= found;
  }
  return spelled;
}

std::shared_ptr<const TimeZone> FromFile(const std::string& name) {
  const std::optional<std::string> bytes =
      WholeFile(std::string(kFolder) + "/" + name, kFileBytesMax);
  return !bytes || bytes->size() > kFileBytesMax ? nullptr : TimeZone::Read(name, *bytes);
}

// As PostgreSQL names an offset: <+05:30>-05:30.
std::string OffsetName(int32_t seconds) {
  const int32_t size = seconds < 0 ? -seconds : seconds;
  char text[32];
  std::snprintf(text, sizeof text, "%02d", size / 3600);
  std::string digits = text;
  if (size % 3600 != 0) {
    std::snprintf(text, sizeof text, ":%02d", size / 60 % 60);
    digits += text;
  }
  const std::string east = (seconds < 0 ? "-" : "+") + digits;
  return "<" + east + ">" + (seconds < 0 ? "+" : "-") + digits;
}

// Hours east of UTC, as in 5.5; nothing for what is no number, or too many.
std::optional<int32_t> EastOf(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double hours = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), hours);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  if (!(hours > -16 && hours < 16)) return std::nullopt;
  return static_cast<int32_t>(hours * 3600);
}

std::shared_ptr<const TimeZone> ByOffset(std::string_view name) {
  if (const std::optional<int32_t> east = EastOf(name)) {
    const std::string shown = OffsetName(*east);
    return TimeZone::Fixed(shown, {*east, shown.substr(1, shown.find('>') - 1)});
  }
  std::string_view rest = name;
  const std::optional<std::string> abbreviation = TakeAbbreviation(rest);
  const std::optional<int32_t> west = abbreviation ? TakeOffset(rest, 15) : std::nullopt;
  if (!west || !rest.empty()) return nullptr;
  return TimeZone::Fixed(std::string(name), {-*west, *abbreviation});
}

}  // namespace

std::shared_ptr<const TimeZone> TimeZone::Fixed(std::string name, LocalOffset offset) {
  auto zone = std::make_shared<TimeZone>();
  zone->name_ = std::move(name);
  zone->offsets_ = {std::move(offset)};
  return zone;
}

const std::shared_ptr<const TimeZone>& TimeZone::Utc() {
  static const std::shared_ptr<const TimeZone> utc = Fixed("UTC", {.abbreviation = "UTC"});
  return utc;
}

std::shared_ptr<const TimeZone> TimeZone::Read(std::string name, std::string_view all) {
  Bytes bytes(all);
  std::optional<Head> head = TakeHead(bytes);
  if (!head || head->version < '2') return nullptr;  // tables of 32 bits end in 2037
  bytes.Take(head->BytesAfter(4));
  head = TakeHead(bytes);
  if (!head || head->types == 0) return nullptr;

  auto zone = std::make_shared<TimeZone>();
  zone->name_ = std::move(name);
  for (size_t i = 0; i < head->times; ++i) zone->changes_.push_back({.at = bytes.Number(8)});
  for (Change& change : zone->changes_) {
    change.offset = static_cast<size_t>(bytes.Number(1) & 0xff);
    if (change.offset >= head->types) return nullptr;
  }
  std::vector<size_t> letters_at;
  for (size_t i = 0; i < head->types; ++i) {
    zone->offsets_.push_back({static_cast<int32_t>(bytes.Number(4)), ""});
    bytes.Take(1);  // whether it is summer: nobody asks
    letters_at.push_back(static_cast<size_t>(bytes.Number(1) & 0xff));
  }
  const std::string_view letters = bytes.Take(head->letters);
  for (size_t i = 0; i < head->types; ++i) {
    if (letters_at[i] >= letters.size()) return nullptr;
    const std::string_view from = letters.substr(letters_at[i]);
    zone->offsets_[i].abbreviation = from.substr(0, from.find('\0'));
  }
  bytes.Take(head->leaps * 12 + head->standard_marks + head->utc_marks);
  std::string_view footer = bytes.rest();
  if (!bytes.good() || !footer.starts_with('\n') || !footer.ends_with('\n') || footer.size() < 2) {
    return nullptr;
  }
  footer = footer.substr(1, footer.size() - 2);
  if (!footer.empty()) {
    zone->rule_ = ZoneRule::Parse(footer);
    if (!zone->rule_) return nullptr;
  }
  const auto earlier = [](const Change& a, const Change& b) { return a.at < b.at; };
  if (!std::is_sorted(zone->changes_.begin(), zone->changes_.end(), earlier)) return nullptr;
  return zone;
}

Result<std::shared_ptr<const TimeZone>> TimeZone::Find(std::string_view name) {
  const std::string folded = InSmallLetters(name);
  if (folded == "utc") return Utc();
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const TimeZone>> known;  // as many as tzdata has
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(folded); found != known.end()) return found->second;
  if (IsPlain(name)) {
    if (const std::string spelled = Spelled(name); !spelled.empty()) {
      if (auto zone = FromFile(spelled)) return known[folded] = std::move(zone);
    }
  }
  if (auto zone = ByOffset(name)) return zone;
  return InvalidArgument("there is no time zone \"" + std::string(name) + "\" here",
                         "a name of tzdata such as Europe/Berlin, UTC, or hours east of it: 5.5");
}

const LocalOffset& TimeZone::At(int64_t utc) const {
  const auto after =
      std::upper_bound(changes_.begin(), changes_.end(), utc,
                       [](int64_t at, const Change& change) { return at < change.at; });
  if (after == changes_.end() && rule_) return rule_->At(utc);
  return offsets_[after == changes_.begin() ? 0 : std::prev(after)->offset];
}

int64_t TimeZone::ToUtc(int64_t shown) const {
  // No zone is a day off, and none changes twice within two.
  const int32_t before = At(shown - 86'400).seconds;
  const int32_t after = At(shown + 86'400).seconds;
  const int64_t by_before = shown - before, by_after = shown - after;
  const bool before_holds = At(by_before).seconds == before;
  const bool after_holds = At(by_after).seconds == after;
  if (before_holds && after_holds) return by_after;
  return after_holds ? by_after : by_before;
}

}  // namespace tacit
