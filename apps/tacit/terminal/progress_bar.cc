#include "tacit/terminal/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>

#include "base/terminal_text.h"

namespace tacit::app {
namespace {

std::atomic<bool> interrupted{false};

void OnSignal(int) { interrupted = true; }

// The bar never goes back: what is told of a part may, and what is unknown is as far as before.
std::atomic<double> farthest = 0;

bool IsShown() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace

void DrawProgress(std::string_view doing, double percent) {
  if (!IsShown()) return;
  constexpr size_t kCells = 30;
  const double known = std::clamp(percent, farthest.load(), 100.0);
  farthest = known;
  const std::string done(static_cast<size_t>(known / 100 * kCells), '#');
  std::fprintf(stderr, "\r\033[K[%s] %3.0f %% %s", Padded(done, kCells).c_str(), known,
               Printable(std::string(doing)).c_str());
  if (percent >= 100) ClearProgress();
  std::fflush(stderr);
}

void ClearProgress() {
  farthest = 0;
  if (IsShown()) std::fputs("\r\033[K", stderr);
}

owner::Progress InterruptibleProgress() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  return [](const std::string& table, double percent) {
    DrawProgress(table, percent);
    return !interrupted;
  };
}

attack::Progress AttackProgress() {
  if (!IsShown()) return {};
  using Clock = std::chrono::steady_clock;
  auto last = std::make_shared<Clock::time_point>();
  return [last](std::string_view doing, double share) {
    const Clock::time_point now = Clock::now();
    if (now - *last < std::chrono::milliseconds(100)) return;
    *last = now;
    DrawProgress(doing, 100 * share);
  };
}

}  // namespace tacit::app
