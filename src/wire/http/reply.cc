#include "wire/http/reply.h"

namespace tacit::wire::http {
namespace {

// How late an answer may be seen when there was no memory to tell of it.
constexpr std::chrono::seconds kLookAgain{1};

}  // namespace

// Where to call while somebody waits.
class Waiting::Bell {
 public:
  Bell(Waiting& waiting, asio::steady_timer& timer) : waiting_(waiting) { Set(&timer); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() { Set(nullptr); }

 private:
  void Set(asio::steady_timer* timer) {
    const std::lock_guard lock(waiting_.mutex_);
    waiting_.timer_ = timer;
  }
  Waiting& waiting_;
};

void Waiting::Give(Response response) noexcept {
  const std::lock_guard lock(mutex_);
  if (over_) return;
  response_.emplace(std::move(response));
  over_ = true;
  Wake();
}

void Waiting::GiveUp() noexcept {
  const std::lock_guard lock(mutex_);
  over_ = true;
  Wake();
}

void Waiting::Wake() noexcept {
  if (timer_ == nullptr) return;
  try {
    asio::post(timer_->get_executor(), [self = shared_from_this()] {
      const std::lock_guard lock(self->mutex_);
      if (self->timer_ != nullptr) self->timer_->cancel();
    });
  } catch (...) {
    // It looks again by itself.
  }
}

bool Waiting::Over() {
  const std::lock_guard lock(mutex_);
  return over_;
}

asio::awaitable<std::optional<Response>> Waiting::Taken(std::shared_ptr<Waiting> waiting) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  const Bell bell(*waiting, timer);
  while (!waiting->Over()) {
    timer.expires_after(kLookAgain);
    const auto [error] = co_await timer.async_wait(kAsTuple);
    (void)error;
  }
  co_return std::move(waiting->response_);
}

Reply::Reply(std::shared_ptr<Waiting> waiting)
    : promise_(std::make_shared<Promise>(std::move(waiting))) {}

void Reply::Promise::Keep(Response response) noexcept { waiting->Give(std::move(response)); }

Reply::Promise::~Promise() {
  if (waiting->Over()) return;
  try {
    waiting->Give(ProgramFailed());
  } catch (...) {
    waiting->GiveUp();
  }
}

}  // namespace tacit::wire::http
