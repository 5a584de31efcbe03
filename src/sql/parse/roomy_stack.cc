#include "sql/parse/roomy_stack.h"

#include <pthread.h>

#include <cstring>
#include <exception>
#include <string>

namespace tacit::sql::grammar {
namespace {

// Measured: the grammar, its serialiser and the reader of the serialised tree use up to 0.9 KiB of
// stack per byte of text (a chain of `1+`); twice that is reserved. A short text fits any thread's
// stack.
constexpr size_t kStackBytesPerTextByte = 2 * 1024;
constexpr size_t kTextBytesInline = 512;

// What is thrown there is thrown again where the caller waits.
struct Work {
  const std::function<void()>& parse;
  std::exception_ptr thrown;
};

void* Call(void* argument) {
  auto* work = static_cast<Work*>(argument);
  try {
    work->parse();
  } catch (...) {
    work->thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

Result<Done> OnRoomyStack(size_t text_bytes, const std::function<void()>& parse) {
  if (text_bytes <= kTextBytesInline) {
    parse();
    return Done{};
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (1 << 20) + text_bytes * kStackBytesPerTextByte);
  pthread_t thread{};
  Work work{.parse = parse, .thrown = nullptr};
  const int failed = pthread_create(&thread, &attributes, Call, &work);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the server has no room to parse this query now",
                 .hint = "try again later",
                 .position = std::nullopt,
                 .private_detail = std::string("pthread_create: ") + std::strerror(failed)};
  }
  pthread_join(thread, nullptr);
  if (work.thrown) std::rethrow_exception(work.thrown);
  return Done{};
}

}  // namespace tacit::sql::grammar
