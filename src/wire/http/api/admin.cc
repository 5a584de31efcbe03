#include "wire/http/api/admin.h"

#include <memory>
#include <utility>

#include "wire/deployment/worker_pool.h"

namespace tacit::wire::http {
namespace {

// Why 2: a line has all threads but one, and there is one line. Why 64: who asks more than so many
// times without an answer asks for nothing.
constexpr WorkerPool::Limits kLane{.workers = 2, .waiting_max = 64};

Response Text(std::string body) {
  return {.content_type = "text/plain; charset=utf-8", .body = std::move(body)};
}

Response Looked(const AdminBackend& backend, const Request& request) {
  if (request.path == "/ready") {
    const Result<Done> ready = backend.ready();
    if (ready.ok()) return Text("ok\n");
    return Problem(503, "Not ready", ready.error().public_message);
  }
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = backend.metrics()};
}

class Admin {
 public:
  explicit Admin(AdminBackend backend) : backend_(std::move(backend)) {}

  void Dispatch(const std::shared_ptr<const Request>& request, const Reply& reply) {
    if (request->method != "GET" && request->method != "HEAD") {
      return reply(Problem(405, "Wrong method", "the admin listener answers GET only"));
    }
    if (request->path == "/live") return reply(Text("ok\n"));
    if (request->path == "/version") {
      return reply({.content_type = "application/json", .body = backend_.version()});
    }
    if (request->path != "/ready" && request->path != "/metrics") {
      return reply(Problem(404, "Not here", "there are /live, /ready, /metrics and /version"));
    }
    const bool taken = lane_.Submit("", [this, request, reply](size_t) {
      try {
        reply(Looked(backend_, *request));
      } catch (...) {  // the reply says by itself that the program failed
      }
    });
    if (!taken) reply(Problem(503, "Not ready", "too many ask at once"));
  }

 private:
  const AdminBackend backend_;
  WorkerPool lane_{kLane};
};

}  // namespace

Dispatcher MakeAdmin(AdminBackend backend) {
  return [admin = std::make_shared<Admin>(std::move(backend))](
             const std::shared_ptr<const Request>& request, const Reply& reply) {
    admin->Dispatch(request, reply);
  };
}

}  // namespace tacit::wire::http
