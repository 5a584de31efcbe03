#include "progress_bar.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

namespace tacit::app {
namespace {

std::atomic<bool> interrupted{false};

void OnSignal(int) { interrupted = true; }

bool ShowProgress(const std::string& table, double percent) {
  DrawProgress(table, percent);
  return !interrupted;
}

}  // namespace

void DrawProgress(const std::string& table, double percent) {
  if (::isatty(STDERR_FILENO) != 1) return;
  const int filled = percent < 0 ? 0 : static_cast<int>(percent / 5);
  std::fprintf(stderr, "\r%-24.24s [%-20.*s] %3.0f %%", table.c_str(), filled,
               "####################", percent < 0 ? 0.0 : percent);
  if (percent >= 100) std::fprintf(stderr, "\r\033[K");
}

owner::Progress ProgressOnTerminal() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
  return ShowProgress;
}

}  // namespace tacit::app
