#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "wire/pg/server.h"
#include "wire/service/listen.h"
#include "wire/service/log.h"

// tacit serve: the gateway that analysts connect to.

namespace tacit::app {
namespace {

namespace asio = boost::asio;

struct ServeFlags {
  std::string folder;
  std::string pg = "127.0.0.1:5433";
};

// How long answers under way may take after SIGTERM.
constexpr std::chrono::seconds kDrainTime{30};

Result<std::shared_ptr<const wire::TlsIdentity>> LoadIdentity(const policy::Policy& policy,
                                                              const char* protocol) {
  TACIT_TRY(wire::TlsIdentity identity, wire::LoadTls(policy, protocol));
  return std::make_shared<const wire::TlsIdentity>(std::move(identity));
}

class Gateway {
 public:
  static Result<Done> Run(const ServeFlags& flags) {
    Gateway gateway;
    TACIT_TRY(gateway.house_, wire::House::Open(flags.folder));
    TACIT_CHECK(gateway.Open(flags));
    gateway.SayHello();
    gateway.context_.run();
    wire::Log("stopped");
    return Done{};
  }

 private:
  Result<Done> Open(const ServeFlags& flags) {
    const wire::TermsInForce terms = house_->terms();
    TACIT_TRY(auto acceptor, wire::ListenOn(context_, flags.pg));
    TACIT_TRY(auto identity, LoadIdentity(terms->policy, "postgresql"));
    fingerprint_ = identity->fingerprint;
    pg_ = std::make_unique<wire::pg::Server>(std::move(acceptor), *house_, std::move(identity));
    pg_->Start();
    std::signal(SIGPIPE, SIG_IGN);
    AwaitStop();
    AwaitReload();
    return Done{};
  }

  void AwaitStop() {
    stop_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      wire::Log("stopping");
      reload_signals_.cancel();
      pg_->Stop();
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

  // The policy is loaded on the crew: checking it reads rows.
  void AwaitReload() {
    reload_signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      const bool taken = house_->crew().Submit("", [this](size_t) {
        const Result<Done> loaded = house_->Reload();
        asio::post(context_, [this, loaded] { FinishReload(loaded); });
      });
      if (!taken) wire::Log("reload_refused", {{"reason", "too many are waiting"}});
      AwaitReload();
    });
  }

  void FinishReload(const Result<Done>& loaded) {
    if (!loaded.ok()) {
      wire::Log("reload_refused",
                {{"reason", loaded.error().public_message}, {"hint", loaded.error().hint}});
      return;
    }
    auto identity = LoadIdentity(house_->terms()->policy, "postgresql");
    if (!identity.ok()) {
      wire::Log("certificate_refused", {{"reason", identity.error().public_message}});
    } else {
      pg_->UseTls(std::move(identity).value());
    }
    wire::Log("reloaded", {{"policy", policy::PolicyVersion(house_->terms()->policy)}});
  }

  void SayHello() const {
    const policy::Policy& policy = house_->terms()->policy;
    const std::string name = std::filesystem::path(policy.folder).filename().string();
    const std::string analyst = policy.analysts.empty() ? "NAME" : policy.analysts[0].name;
    const std::string trust =
        policy.server.tls ? "sslmode=verify-full"
                          : "sslmode=verify-full sslrootcert=" + policy.folder + "/server.crt";
    std::printf("Tacit serves %s: %zu tables, %zu analysts. Connect with\n\n", name.c_str(),
                policy.tables.size(), policy.analysts.size());
    std::printf("  psql \"host=localhost port=%u user=%s dbname=%s %s\"\n\n",
                static_cast<unsigned>(pg_->port()), analyst.c_str(), name.c_str(), trust.c_str());
    std::printf("certificate SHA-256 %s\n", fingerprint_.c_str());
    if (policy.analysts.empty()) {
      std::printf("Nobody can log in yet: run `tacit password` and add an analyst to %s.\n",
                  policy.file.c_str());
    }
    std::fflush(stdout);
    wire::Log("started", {{"policy", policy::PolicyVersion(policy)}});
  }

  // In this order: the crew posts to the context until it is gone.
  asio::io_context context_{1};
  asio::signal_set stop_signals_{context_, SIGINT, SIGTERM};
  asio::signal_set reload_signals_{context_, SIGHUP};
  asio::steady_timer drain_{context_};
  asio::steady_timer poll_{context_};
  std::unique_ptr<wire::pg::Server> pg_;
  std::unique_ptr<wire::House> house_;
  std::string fingerprint_;
};

}  // namespace

void AddServeCommand(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* serve = app.add_subcommand("serve", "answer analysts over the PostgreSQL protocol");
  serve->footer(
      "examples:\n"
      "  tacit serve clinic\n"
      "  tacit serve clinic --pg 0.0.0.0:5433\n"
      "Analysts log in with the passwords of the policy (tacit password). TLS always: with the\n"
      "policy's certificate, or one of its own that it makes at the first start.\n"
      "TERM stops after the answers under way, HUP loads the policy again. Logs are JSON lines on\n"
      "stderr.");
  serve->add_option("DIR", flags->folder, "the folder with tacit.yaml, or the policy file")
      ->required();
  serve->add_option("--pg", flags->pg, "where PostgreSQL clients connect")->capture_default_str();
  serve->callback([flags, &exit_code] {
    const Result<Done> done = Gateway::Run(*flags);
    exit_code = done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
