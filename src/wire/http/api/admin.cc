#include "wire/http/api/admin.h"

#include <utility>

namespace tacit::wire::http {

Handler MakeAdmin(AdminDoors doors) {
  return [doors = std::move(doors)](const Request& request) -> Response {
    if (request.method != "GET" && request.method != "HEAD") {
      return Problem(405, "Wrong method", "the admin listener answers GET only");
    }
    const auto text = [](std::string body) {
      return Response{.content_type = "text/plain; charset=utf-8", .body = std::move(body)};
    };
    if (request.path == "/live") return text("ok\n");
    if (request.path == "/ready") {
      const Result<Done> ready = doors.ready();
      if (ready.ok()) return text("ok\n");
      return Problem(503, "Not ready", ready.error().public_message);
    }
    if (request.path == "/metrics") {
      return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = doors.metrics()};
    }
    if (request.path == "/version") {
      return {.content_type = "application/json", .body = doors.version()};
    }
    return Problem(404, "Not here", "there are /live, /ready, /metrics and /version");
  };
}

}  // namespace tacit::wire::http
