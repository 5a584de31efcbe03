#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "base/process/forbidden_calls.h"
#include "base/process/memory_reserve.h"
#include "tacit/commands.h"
#include "tacit/terminal/progress_bar.h"
#include "wire/http/api/admin.h"
#include "wire/http/api/backend.h"
#include "wire/http/server.h"
#include "wire/pg/server.h"
#include "wire/transport/descriptors.h"
#include "wire/transport/listen.h"
#include "wire/words/log.h"

// tacit serve: the gateway that analysts connect to.

namespace tacit::app {
namespace {

namespace asio = boost::asio;

struct ServeFlags {
  std::string folder;
  std::string pg = "127.0.0.1:5433";
  std::string http;
  std::string admin;
  bool unconfined = false;
};

// Why 128 KiB: the longest query, as JSON.
constexpr uint32_t kHttpBodyBytesMax = 128 * 1024;

// How long answers under way may take after SIGTERM.
constexpr std::chrono::seconds kDrainTime{30};

Result<std::shared_ptr<const wire::TlsIdentity>> LoadIdentity(const policy::Policy& policy,
                                                              const char* protocol) {
  TACIT_TRY(wire::TlsIdentity identity, wire::LoadTls(policy, protocol));
  return std::make_shared<const wire::TlsIdentity>(std::move(identity));
}

// By itself the allocator learns from the first large block that is freed to keep such blocks, up
// to 64 MB in every thread that answered a long question. What a short one needs stays at hand.
void GiveLargeBlocksBack() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
}

class Gateway {
 public:
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  static Result<Done> Run(const ServeFlags& flags) {
    // A wrong flag is told before anything is opened.
    TACIT_CHECK(wire::CheckEndpoint("--pg", flags.pg, false));
    if (!flags.http.empty()) TACIT_CHECK(wire::CheckEndpoint("--http", flags.http, false));
    if (!flags.admin.empty()) TACIT_CHECK(wire::CheckEndpoint("--admin", flags.admin, true));
    GiveLargeBlocksBack();
    KeepMemoryAside();
    Gateway gateway;
    TACIT_CHECK(gateway.OpenDeployment(flags.folder));
    if (!gateway.deployment_) return Done{};  // stopped before it began
    TACIT_CHECK(gateway.Open(flags));
    TACIT_CHECK(gateway.Confine(flags));
    gateway.SayHello();
    gateway.Serve();
    for (std::thread& thread : gateway.http_threads_) thread.join();
    wire::Log("stopped");
    return Done{};
  }

 private:
  // Once the listeners are open, and before the first stranger is listened to.
  Result<Done> Confine(const ServeFlags& flags) const {
    if (::geteuid() == 0) {
      wire::Log("runs_as_root", {{"hint", "give it a user of its own: docs/deploying.md"}});
    }
    if (flags.unconfined) {
      wire::Log("unconfined", {{"hint", "a fault in it can be used to start other programs"}});
      return Done{};
    }
    // A filter sees no addresses: who may call the server that holds the tables, or the ledger's,
    // may call anybody.
    const wire::TermsInForce terms = deployment_->terms();
    const bool calls = !std::holds_alternative<policy::DuckdbSettings>(terms->policy.engine) ||
                       deployment_->ledger_place().server.has_value();
    Result<Done> confined = ForbidCalls(calls ? CallsUp::kServers : CallsUp::kNobody);
    if (confined.ok()) return confined;
    Error error = std::move(confined).error();
    error.hint += "; or say --unconfined, if something else confines the server";
    return error;
  }

  Gateway() = default;
  // Only after a start that failed half-way is there still one to stop.
  ~Gateway() {
    for (wire::http::Server* server : {http_.get(), admin_.get()}) {
      if (server != nullptr) server->Stop();
    }
    for (std::thread& thread : http_threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  // What a handler throws is lost with what it was about, and with nothing else.
  void Serve() {
    const MustHaveMemory must;
    while (true) {
      try {
        pg_->Start();
        context_.run();
        return;
      } catch (...) {
        wire::Log("handler_failed");
      }
    }
  }

  // Tables may have to be prepared first, which takes as long as it takes: a bar on a terminal,
  // lines in the log, and TERM ends it. HUP waits until the server runs.
  Result<Done> OpenDeployment(const std::string& folder) {
    bool stopped = false;
    stop_signals_.async_wait([&](const boost::system::error_code& error, int) {
      if (!error) stopped = true;
    });
    Result<std::unique_ptr<wire::LiveDeployment>> deployment =
        wire::LiveDeployment::Open(folder, [&](const std::string& table, double percent) {
          context_.poll();
          DrawProgress(table, percent);
          return !stopped;
        });
    stop_signals_.cancel();
    context_.restart();
    context_.poll();
    context_.restart();
    if (stopped) {
      wire::Log("stopped");
      return Done{};
    }
    TACIT_TRY(deployment_, std::move(deployment));
    return Done{};
  }

  Result<Done> Open(const ServeFlags& flags) {
    const wire::TermsInForce terms = deployment_->terms();
    TACIT_TRY(auto acceptor, wire::ListenOn(context_, flags.pg));
    TACIT_TRY(auto identity, LoadIdentity(terms->policy, "postgresql"));
    fingerprint_ = identity->fingerprint;
    // A third for each protocol, and a third for the databases: strangers must not take what a
    // charge or the engine needs.
    const size_t share = wire::RaiseDescriptorLimit() / 3;
    wire::pg::ServerLimits limits;
    if (share < limits.logged_in_max + limits.strangers.all_max) {
      wire::Log("few_descriptors", {{"connections", std::to_string(share)}});
      limits.strangers.all_max = std::max<size_t>(4, share / 4);
      limits.logged_in_max = std::max<size_t>(4, share - share / 4);
    }
    pg_ = std::make_unique<wire::pg::Server>(std::move(acceptor), *deployment_, std::move(identity),
                                             limits);
    TACIT_CHECK(OpenHttp(flags, terms->policy));
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a ledger that may not grow is an error, not the end
    AwaitStop();
    AwaitReload();
    return Done{};
  }

  // Each HTTP listener has a thread of its own; they stop when the gateway does.
  Result<Done> OpenHttp(const ServeFlags& flags, const policy::Policy& policy) {
    if (!flags.http.empty()) {
      TACIT_TRY(const wire::TlsIdentity identity, wire::LoadTls(policy, "http/1.1"));
      const wire::http::Options options{.limits = {.body_bytes_max = kHttpBodyBytesMax},
                                        .tls = identity.context,
                                        .is_proxy = IsProxy(),
                                        .stops_on_signals = false};
      TACIT_TRY(http_,
                wire::http::Server::Listen(
                    flags.http, options, wire::http::MakeApi(wire::http::BackendOf(*deployment_))));
    }
    if (!flags.admin.empty()) {
      const wire::http::Options options{.stops_on_signals = false};
      TACIT_TRY(admin_, wire::http::Server::Listen(flags.admin, options,
                                                   wire::http::MakeAdmin(AdminBackend())));
    }
    try {
      for (wire::http::Server* server : {http_.get(), admin_.get()}) {
        if (server == nullptr) continue;
        http_threads_.emplace_back([server] {
          const MustHaveMemory must;
          server->Run();
        });
      }
    } catch (const std::system_error& refused) {
      Error error = InvalidArgument(std::string("the system gives no thread: ") + refused.what(),
                                    "raise the limit of processes (ulimit -u, TasksMax)");
      error.code = ErrorCode::kUnavailable;
      return error;
    }
    return Done{};
  }

  // By the policy in force at that moment.
  wire::http::IsProxy IsProxy() {
    return [this](const std::string& address) {
      return deployment_->terms()->policy.server.IsProxy(address);
    };
  }

  wire::http::AdminBackend AdminBackend() {
    return {
        .ready = [this] { return deployment_->CheckReady(); },
        .metrics =
            [this] {
              const Result<Done> ready = deployment_->CheckReady();
              return deployment_->metrics().Text({.version = TACIT_VERSION,
                                                  .backend_up = ready.ok(),
                                                  .budget_left = deployment_->BudgetLeft(),
                                                  .waiting = deployment_->workers().waiting(),
                                                  .unprepared = deployment_->UnpreparedTables()});
            },
        .version =
            [] {
              return nlohmann::json{{"tacit", TACIT_VERSION}}.dump() + "\n";
            }};
  }

  void AwaitStop() {
    stop_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      wire::Log("stopping");
      reload_signals_.cancel();
      pg_->Stop();
      if (http_) http_->Stop();
      if (admin_) admin_->Stop();
      drain_.expires_after(kDrainTime);
      drain_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled) context_.stop();
      });
      CheckDrained();
    });
  }

  // Ends the wait as soon as the last session is gone.
  void CheckDrained() {
    poll_.expires_after(std::chrono::milliseconds(20));
    poll_.async_wait([this](const boost::system::error_code&) {
      if (pg_->connections() > 0) return CheckDrained();
      drain_.cancel();
    });
  }

  // The policy is loaded by a worker: checking it reads rows.
  void AwaitReload() {
    reload_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      AwaitReload();  // first: whatever happens to this one, the next is waited for
      const bool taken = deployment_->workers().Submit("", [this](size_t) {
        deployment_->Reload([this](const Result<Done>& loaded) {
          asio::post(context_, [this, loaded] { FinishReload(loaded); });
        });
        // A certificate must not run out because tables are being prepared, or over a policy's
        // fault.
        asio::post(context_, [this] { RenewCertificates(); });
      });
      if (!taken) wire::Log("reload_refused", {{"reason", "too many are waiting"}});
    });
  }

  void FinishReload(const Result<Done>& loaded) {
    if (!loaded.ok()) {
      wire::Log("reload_refused",
                {{"reason", loaded.error().public_message}, {"hint", loaded.error().hint}});
      return;
    }
    RenewCertificates();
    wire::Log("reloaded", {{"policy", policy::PolicyVersion(deployment_->terms()->policy)}});
  }

  void RenewCertificates() {
    const wire::TermsInForce terms = deployment_->terms();
    auto postgresql = LoadIdentity(terms->policy, "postgresql");
    const auto https = LoadIdentity(terms->policy, "http/1.1");
    if (!postgresql.ok() || !https.ok()) {
      const Error& error = postgresql.ok() ? https.error() : postgresql.error();
      wire::Log("certificate_refused", {{"reason", error.public_message}});
      return;
    }
    pg_->UseTls(std::move(postgresql).value());
    if (http_) http_->UseTls((*https)->context);
  }

  void SayHello() const {
    const policy::Policy& policy = deployment_->terms()->policy;
    const std::string name = std::filesystem::path(policy.folder).filename().string();
    const std::string analyst = policy.analysts.empty() ? "NAME" : policy.analysts[0].name;
    const std::string trust =
        policy.server.tls ? "sslmode=verify-full"
                          : "sslmode=verify-full sslrootcert=" + policy.folder + "/server.crt";
    const auto plural = [](size_t count) { return count == 1 ? "" : "s"; };
    std::printf("Tacit serves %s: %zu table%s, %zu analyst%s. Connect with\n\n", name.c_str(),
                policy.tables.size(), plural(policy.tables.size()), policy.analysts.size(),
                plural(policy.analysts.size()));
    std::printf("  psql \"host=localhost port=%u user=%s dbname=%s %s\"\n\n",
                static_cast<unsigned>(pg_->port()), analyst.c_str(), name.c_str(), trust.c_str());
    if (http_) {
      std::printf("  curl --cacert %s -u %s https://localhost:%u/v1/budget\n\n",
                  policy.server.tls ? policy.server.tls->certificate.c_str()
                                    : (policy.folder + "/server.crt").c_str(),
                  analyst.c_str(), unsigned{http_->port()});
    }
    if (admin_) {
      std::printf("for the operator: http://localhost:%u/ready, /metrics\n",
                  unsigned{admin_->port()});
    }
    std::printf("certificate SHA-256 %s\n", fingerprint_.c_str());
    if (policy.analysts.empty()) {
      std::printf("Nobody can log in yet: run `tacit password` and add an analyst to %s.\n",
                  policy.file.c_str());
    }
    std::fflush(stdout);
    wire::Log("started", {{"policy", policy::PolicyVersion(policy)}});
  }

  // In this order: workers post to the contexts until they are gone.
  asio::io_context context_{1};
  asio::signal_set stop_signals_{context_, SIGINT, SIGTERM};
  asio::signal_set reload_signals_{context_, SIGHUP};
  asio::steady_timer drain_{context_};
  asio::steady_timer poll_{context_};
  std::unique_ptr<wire::pg::Server> pg_;
  std::unique_ptr<wire::http::Server> http_;
  std::unique_ptr<wire::http::Server> admin_;
  std::unique_ptr<wire::LiveDeployment> deployment_;
  std::vector<std::thread> http_threads_;
  std::string fingerprint_;
};

}  // namespace

void AddServeCommand(Command app) {
  auto flags = std::make_shared<ServeFlags>();
  Command serve = app.Subcommand("serve", "answer analysts over the PostgreSQL protocol");
  serve.Footer(
      "examples:\n"
      "  tacit serve clinic\n"
      "  tacit serve clinic --pg 0.0.0.0:5433\n"
      "Analysts log in with the passwords of the policy (tacit password). TLS always: with the\n"
      "policy's certificate, or one of its own that it makes at the first start.\n"
      "Tables with a cap are prepared first (tacit prepare), unless the policy says otherwise.\n"
      "TERM stops after the answers under way, HUP loads the policy again. Logs are JSON lines on\n"
      "stderr.");
  serve.Value("DIR", flags->folder, "the folder with tacit.yaml, or the policy file").Required();
  serve.Value("--pg", flags->pg, "where PostgreSQL clients connect").ShowsDefault();
  serve.Value("--http", flags->http, "where HTTPS clients connect; nowhere unless given");
  serve.Value("--admin", flags->admin,
              "where the operator reads /live, /ready, /metrics and /version, in the clear; "
              "on this machine only, as 127.0.0.1:9433");
  serve.Switch("--unconfined", flags->unconfined,
               "leave the calls open that a gateway never needs: for kernels without seccomp");
  serve.Action([flags] {
    const Result<Done> done = Gateway::Run(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
