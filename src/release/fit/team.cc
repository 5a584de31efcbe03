#include "release/fit/team.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tacit::release {

void InParts(size_t parts, size_t threads, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::exception_ptr thrown;
  std::mutex mutex;
  const auto take = [&] {
    for (size_t part = next++; part < parts; part = next++) {
      try {
        work(part);
      } catch (...) {
        const std::lock_guard lock(mutex);
        thrown = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> others;
  try {
    for (size_t i = 1; i < threads && i < parts; ++i) others.emplace_back(take);
  } catch (const std::system_error&) {
    // A thread that the system refuses costs time only.
  }
  take();
  others.clear();  // waits for them
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tacit::release
