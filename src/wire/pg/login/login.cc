#include "wire/pg/login/login.h"

#include "base/utf8.h"
#include "wire/auth/scram.h"
#include "wire/pg/login/startup_options.h"
#include "wire/pg/state/report.h"
#include "wire/transport/address.h"
#include "wire/words/log.h"

namespace tacit::wire::pg {
namespace {

constexpr int32_t kAuthenticationOk = 0, kSasl = 10, kSaslContinue = 11, kSaslFinal = 12;
constexpr unsigned char kTlsHandshakeByte = 0x16;

Report Fatal(const char* state, std::string message, std::string hint = "") {
  return {.severity = Severity::kFatal,
          .state = state,
          .message = std::move(message),
          .hint = std::move(hint)};
}

Report Fatal(const Error& error) {
  Report report = ReportOf(error);
  report.severity = Severity::kFatal;
  return report;
}

asio::awaitable<std::optional<StartupWanted>> ReadStartupPackets(Connection& connection) {
  Transport& transport = connection.transport();
  const std::optional<unsigned char> first = co_await transport.Peek();
  if (!first) co_return std::nullopt;
  if (*first == kTlsHandshakeByte) {
    const bool started = co_await transport.StartTls(connection.tls().context);
    // Without the name of the protocol this could be a session meant for another server.
    if (!started || transport.protocol() != "postgresql") co_return std::nullopt;
  }
  bool gss_asked = false;
  while (true) {
    char head[4];
    const bool got_length = co_await transport.Read(head, sizeof head);
    if (!got_length) co_return std::nullopt;
    const Result<uint32_t> length = ReadStartupLength({head, sizeof head});
    if (!length.ok()) co_return std::nullopt;
    std::string body(*length - sizeof head, '\0');
    const bool got_body = co_await transport.Read(body.data(), body.size());
    if (!got_body) co_return std::nullopt;
    Result<StartupPacket> packet = ReadStartup(body);
    if (!packet.ok()) {
      co_await connection.Refuse(Fatal(packet.error()));
      co_return std::nullopt;
    }
    if (std::holds_alternative<TlsWanted>(*packet)) {
      // What came behind the wish came before TLS: somebody in between may have put it there.
      if (transport.encrypted() || transport.HasUnread()) co_return std::nullopt;
      const bool said = co_await transport.Write("S");
      if (!said) co_return std::nullopt;
      const bool started = co_await transport.StartTls(connection.tls().context);
      if (!started) co_return std::nullopt;
    } else if (std::holds_alternative<GssWanted>(*packet)) {
      if (gss_asked || transport.encrypted() || transport.HasUnread()) co_return std::nullopt;
      gss_asked = true;
      const bool said = co_await transport.Write("N");
      if (!said) co_return std::nullopt;
    } else if (const auto* cancel = std::get_if<CancelWanted>(&*packet)) {
      connection.server()->registry.Cancel(cancel->process, cancel->secret);
      co_return std::nullopt;
    } else {
      co_return std::get<StartupWanted>(*packet);
    }
  }
}

asio::awaitable<std::optional<std::string>> ReadSasl(Connection& connection) {
  const std::optional<Result<Frame>> frame = co_await connection.ReadFrame();
  if (!frame) co_return std::nullopt;
  if (!frame->ok()) {
    co_await connection.Refuse(Fatal(frame->error()));
    co_return std::nullopt;
  }
  co_return (*frame)->body;
}

// As AuthenticationSASL lists them.
std::string MechanismsOf(const TlsIdentity& tls) {
  std::string mechanisms;
  if (!tls.certificate_hash.empty()) {
    mechanisms += kScramSha256Plus;
    mechanisms += '\0';
  }
  mechanisms += kScramSha256;
  mechanisms += '\0';
  mechanisms += '\0';
  return mechanisms;
}

asio::awaitable<void> RefuseLogin(Connection& connection, const std::string& analyst,
                                  const Error& why) {
  Transport& transport = connection.transport();
  asio::steady_timer delay(transport.executor(), kWrongLoginDelay);
  const auto [error] = co_await delay.async_wait(kAsTuple);
  (void)error;
  Log("login_failed",
      {{"remote", transport.remote()}, {"account", CutForLog(analyst)}, {"condition", why.rule}});
  Report report = Fatal(why);
  if (why.rule == "invalid_password") {
    report.message = "password authentication failed for user \"" + analyst + "\"";
  }
  co_await connection.Refuse(report);
}

asio::awaitable<bool> Authenticate(Connection& connection, const std::string& analyst) {
  ServerState& server = *connection.server();
  const TlsIdentity& tls = connection.tls();
  Transport& transport = connection.transport();
  AddAuthentication(connection.out(), kSasl, MechanismsOf(tls));
  bool written = co_await connection.Flush();
  if (!written) co_return false;
  const std::optional<std::string> initial = co_await ReadSasl(connection);
  if (!initial) co_return false;
  FieldReader fields(*initial);
  const std::string mechanism(fields.Text());
  const int32_t length = fields.Int32();
  const std::string_view message = fields.Bytes(length < 0 ? 0 : static_cast<size_t>(length));
  const bool known = mechanism == kScramSha256 || mechanism == kScramSha256Plus;
  if (!fields.AtEnd() || !known) {
    co_await connection.Refuse(Fatal("08P01", "a malformed SASL message"));
    co_return false;
  }
  const TermsInForce terms = server.deployment.terms();
  ScramExchange exchange(terms->VerifierOf(analyst, server.deployment.mock_secret()), mechanism,
                         tls.certificate_hash);
  Result<std::string> answer = exchange.First(message);
  if (answer.ok()) {
    AddAuthentication(connection.out(), kSaslContinue, *answer);
    written = co_await connection.Flush();
    if (!written) co_return false;
    const std::optional<std::string> final_message = co_await ReadSasl(connection);
    if (!final_message) co_return false;
    using Clock = std::chrono::steady_clock;
    GuessDelays& guesses = server.guesses;
    const auto late = guesses.Of(analyst, NetworkOf(transport.remote()), Clock::now());
    if (late.count() > 0) {
      asio::steady_timer delay(transport.executor(), late);
      const auto [error] = co_await delay.async_wait(kAsTuple);
      (void)error;
    }
    answer = exchange.Final(*final_message);
    if (!answer.ok()) guesses.AddWrong(analyst, NetworkOf(transport.remote()), Clock::now());
  }
  if (!answer.ok()) {
    co_await RefuseLogin(connection, analyst, answer.error());
    co_return false;
  }
  AddAuthentication(connection.out(), kSaslFinal, *answer);
  AddAuthentication(connection.out(), kAuthenticationOk);
  co_return true;
}

bool Replicates(const StartupWanted& startup) {
  const std::string replication = startup.Value("replication");
  return !replication.empty() && replication != "false" && replication != "off" &&
         replication != "0" && replication != "no";
}

// Why nobody gets any further with this packet.
std::optional<Report> Refusal(const StartupWanted& startup, bool encrypted) {
  if (!encrypted) {
    return Fatal("28000", "this server speaks inside TLS only",
                 "connect with sslmode=require, or better verify-full");
  }
  if (startup.Value("user").empty()) return Fatal("28000", "no user name was given");
  if (Replicates(startup)) return Fatal("0A000", "there is nothing to replicate here");
  return std::nullopt;
}

}  // namespace

asio::awaitable<std::optional<LoggedIn>> Login(Connection& connection, Strangers::Stay& stay) {
  ServerState& server = *connection.server();
  Transport& transport = connection.transport();
  transport.CloseAfter(server.limits.login);
  // Only of the owner's own proxies is the word taken on whom they pass on.
  if (server.deployment.terms()->policy.server.IsProxy(transport.remote())) {
    const bool taken = co_await transport.TakeProxyHeader();
    if (!taken) co_return std::nullopt;
    stay.ComesFrom(NetworkOf(transport.remote()));
  }
  const std::optional<StartupWanted> startup = co_await ReadStartupPackets(connection);
  if (!startup) co_return std::nullopt;
  if (const std::optional<Report> refusal = Refusal(*startup, transport.encrypted())) {
    co_await connection.Refuse(*refusal);
    co_return std::nullopt;
  }
  if (startup->minor > 0 || !startup->unknown_options.empty()) {
    AddNegotiation(connection.out(), startup->unknown_options);
  }
  const std::string analyst = startup->Value("user");
  const bool authenticated = co_await Authenticate(connection, analyst);
  if (!authenticated) co_return std::nullopt;
  std::optional<Seat> seat = Seat::Take(connection.server(), analyst);
  if (!seat) {
    Log("connection_refused", {{"analyst", analyst}, {"remote", transport.remote()}});
    const Report full = Fatal("53300", "too many connections", "close some, or wait");
    co_await connection.Refuse(full);
    co_return std::nullopt;
  }
  const std::string database = Utf8OrAsk(startup->Value("database"));
  LoggedIn in{.seat = std::move(*seat),
              .analyst = analyst,
              .database = database.empty() ? analyst : database,
              .settings = Settings(analyst)};
  for (const auto& [name, value] : SettingsOf(*startup)) {
    const Result<Done> set = in.settings.SetAtStart(name, value);
    if (set.ok()) continue;
    const Report wrong = Fatal(set.error());
    co_await connection.Refuse(wrong);
    co_return std::nullopt;
  }
  connection.BecomeLoggedIn();
  co_return std::optional<LoggedIn>(std::move(in));
}

}  // namespace tacit::wire::pg
