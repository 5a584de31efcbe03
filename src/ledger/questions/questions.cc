#include "ledger/questions/questions.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/process/memory_reserve.h"
#include "base/secrets/digest.h"
#include "base/whole_file.h"
#include "ledger/record/json_text.h"
#include "ledger/record/record_json.h"

namespace tacit::ledger {
namespace {

namespace fs = std::filesystem;

// In letters that every file system has; no analyst's name is one of the owner's.
std::string FileOf(const std::string& folder, const std::string& analyst) {
  return folder + "/" + (analyst.empty() ? "owner" : HexOf(analyst)) + ".jsonl";
}

// The file, alone, under its name: one that was exchanged while this waited is opened again.
int OpenAlone(const std::string& path) {
  while (true) {
    const int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return file;
    struct stat here {};
    struct stat there {};
    if (::flock(file, LOCK_EX) == 0 && ::fstat(file, &here) == 0 &&
        ::stat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino) {
      return file;
    }
    ::close(file);
  }
}

std::string LineOf(const std::string& record, const std::string& time,
                   const std::string& question) {
  JsonText json;
  json.Open('{').Key("record").Text(record).Key("time").Text(time);
  return json.Key("question").Text(question).Close('}').text() + "\n";
}

// "2026-01-31" of a time; times and days compare as texts.
std::string DayOf(const std::string& time) { return time.substr(0, 10); }

std::string DayBefore(const std::string& time, int days) {
  int year = 0;
  unsigned month = 0, day = 0;
  if (std::sscanf(time.c_str(), "%d-%u-%u", &year, &month, &day) != 3) return "";
  const std::chrono::sys_days then =
      std::chrono::sys_days(std::chrono::year(year) / std::chrono::month(month) /
                            std::chrono::day(day)) -
      std::chrono::days(days);
  const std::chrono::year_month_day date(then);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

// The newest lines of a file that stand whole in so many bytes.
std::string NewestLines(const std::string& path, size_t bytes_max) {
  // One byte more: the one before a line says that it begins there.
  std::string text = EndOfFile(path, bytes_max + 1).value_or("");
  if (text.size() > bytes_max) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

// Puts `kept` in the place of what is in the file, which the caller has open alone.
void Exchange(const std::string& path, const std::string& kept) {
  const std::string fresh = path + ".new";
  const int out = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written =
      out >= 0 && ::write(out, kept.data(), kept.size()) == static_cast<ssize_t>(kept.size());
  if (out >= 0) ::close(out);
  if (written) (void)std::rename(fresh.c_str(), path.c_str());
}

// Alone, with room for so many bytes: where there is none, the older half goes. Negative when that
// does not succeed.
int OpenWithRoom(const std::string& path, size_t bytes, size_t bytes_max) {
  const auto has_room = [&](int file) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && static_cast<size_t>(status.st_size) + bytes <= bytes_max;
  };
  for (const bool shortened : {false, true}) {
    const int file = OpenAlone(path);
    if (file < 0 || has_room(file)) return file;
    if (!shortened) Exchange(path, NewestLines(path, bytes_max / 2));
    ::close(file);
  }
  return -1;
}

// A member that is a text; empty where there is none: the file is nobody's but can be edited.
std::string TextIn(const Json& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() && member->is_string() ? member->get<std::string>() : "";
}

// Leaves out the lines of days before `first`; what cannot be read is left out as well.
void ForgetIn(const std::string& path, const std::string& first) {
  const int file = OpenAlone(path);
  if (file < 0) return;
  const std::string text = WholeFile(path).value_or("");
  std::string kept;
  bool changed = false;
  for (const std::string_view line : LinesOf(text)) {
    const Json json = Json::parse(line, nullptr, false);
    const bool keeps = json.is_object() && TextIn(json, "time") >= first;
    if (keeps) kept.append(line).append("\n");
    changed = changed || !keeps;
  }
  if (changed && kept.empty()) {
    ::unlink(path.c_str());
  } else if (changed) {
    Exchange(path, kept);
  }
  ::close(file);
}

}  // namespace

void Questions::Keep(const std::string& record, const std::string& analyst, const std::string& time,
                     const std::string& question) noexcept {
  if (!days_ || question.empty()) return;
  try {
    Forget(time);
    (void)::mkdir(folder_.c_str(), S_IRWXU);
    const std::string line = LineOf(record, time, question);
    const int file = OpenWithRoom(FileOf(folder_, analyst), line.size(), file_bytes_max_);
    if (file < 0) return;
    // A line that the disk has no room for is cut off, and passed over when it is read.
    if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      [[maybe_unused]] const ssize_t ended = ::write(file, "\n", 1);
    }
    ::close(file);
  } catch (...) {
  }
}

void Questions::Forget(const std::string& now) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (forgotten_on_ == DayOf(now)) return;
    forgotten_on_ = DayOf(now);
    const MustHaveMemory must;  // a JSON tree allocates in its destructor
    std::error_code failure;
    if (!days_) {
      fs::remove_all(folder_, failure);
      return;
    }
    const std::string first = DayBefore(now, *days_);
    for (const auto& entry : fs::directory_iterator(folder_, failure)) {
      if (entry.path().extension() == ".jsonl") ForgetIn(entry.path().string(), first);
    }
  } catch (...) {
  }
}

std::map<std::string, std::string> ReadQuestions(const std::string& ledger_path,
                                                 const std::string& analyst, size_t bytes_max) {
  const MustHaveMemory must;
  std::map<std::string, std::string> questions;
  const std::string text =
      NewestLines(FileOf(Questions::FolderOf(ledger_path), analyst), bytes_max);
  for (const std::string_view line : LinesOf(text)) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) continue;
    questions[TextIn(json, "record")] = TextIn(json, "question");
  }
  return questions;
}

}  // namespace tacit::ledger
