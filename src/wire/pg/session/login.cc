#include "wire/auth/scram.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"
#include "wire/service/log.h"

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

// "-c name=value -c name=value", as PGOPTIONS holds it; a backslash keeps a blank.
std::vector<std::pair<std::string, std::string>> OptionSettings(const std::string& options) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < options.size(); ++i) {
    if (options[i] == '\\' && i + 1 < options.size()) {
      words.back() += options[++i];
    } else if (options[i] == ' ') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += options[i];
    }
  }
  std::vector<std::pair<std::string, std::string>> settings;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (word == "-c" && i + 1 < words.size()) {
      word = words[++i];
    } else if (word.starts_with("-c") || word.starts_with("--")) {
      word = word.substr(2);
    } else {
      continue;
    }
    const size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return settings;
}

}  // namespace

asio::awaitable<void> Session::Refuse(const Report& report) {
  AddReport(out_, report);
  const bool written = co_await Flush();
  if (written) co_await transport_.Finish();
}

asio::awaitable<std::optional<StartupWanted>> Session::ReadStartupPackets() {
  const std::optional<unsigned char> first = co_await transport_.Peek();
  if (!first) co_return std::nullopt;
  if (*first == kTlsHandshakeByte) {
    const bool started = co_await transport_.StartTls(tls_->context);
    // Without the name of the protocol this could be a session meant for another server.
    if (!started || transport_.protocol() != "postgresql") co_return std::nullopt;
  }
  bool gss_asked = false;
  while (true) {
    char head[4];
    const bool got_length = co_await transport_.Read(head, sizeof head);
    if (!got_length) co_return std::nullopt;
    const Result<uint32_t> length = ReadStartupLength({head, sizeof head});
    if (!length.ok()) co_return std::nullopt;
    std::string body(*length - sizeof head, '\0');
    const bool got_body = co_await transport_.Read(body.data(), body.size());
    if (!got_body) co_return std::nullopt;
    Result<StartupPacket> packet = ReadStartup(body);
    if (!packet.ok()) {
      co_await Refuse(Fatal(packet.error()));
      co_return std::nullopt;
    }
    if (std::holds_alternative<TlsWanted>(*packet)) {
      // What came behind the wish came before TLS: somebody in between may have put it there.
      if (transport_.encrypted() || transport_.HasUnread()) co_return std::nullopt;
      const bool said = co_await transport_.Write("S");
      if (!said) co_return std::nullopt;
      const bool started = co_await transport_.StartTls(tls_->context);
      if (!started) co_return std::nullopt;
    } else if (std::holds_alternative<GssWanted>(*packet)) {
      if (gss_asked || transport_.encrypted() || transport_.HasUnread()) co_return std::nullopt;
      gss_asked = true;
      const bool said = co_await transport_.Write("N");
      if (!said) co_return std::nullopt;
    } else if (const auto* cancel = std::get_if<CancelWanted>(&*packet)) {
      hall_.registry.Cancel(cancel->process, cancel->secret);
      co_return std::nullopt;
    } else {
      co_return std::get<StartupWanted>(*packet);
    }
  }
}

asio::awaitable<std::optional<std::string>> Session::ReadSasl() {
  const std::optional<Result<Frame>> frame = co_await ReadFrame(false);
  if (!frame) co_return std::nullopt;
  if (!frame->ok()) {
    co_await Refuse(Fatal(frame->error()));
    co_return std::nullopt;
  }
  co_return (*frame)->body;
}

asio::awaitable<bool> Session::Authenticate(const StartupWanted& startup) {
  analyst_ = startup.Value("user");
  std::string mechanisms;
  if (!tls_->certificate_hash.empty()) {
    mechanisms += kScramSha256Plus;
    mechanisms += '\0';
  }
  mechanisms += kScramSha256;
  mechanisms += '\0';
  mechanisms += '\0';
  AddAuthentication(out_, kSasl, mechanisms);
  bool written = co_await Flush();
  if (!written) co_return false;
  const std::optional<std::string> initial = co_await ReadSasl();
  if (!initial) co_return false;
  FieldReader fields(*initial);
  const std::string mechanism(fields.Text());
  const int32_t length = fields.Int32();
  const std::string_view message = fields.Bytes(length < 0 ? 0 : static_cast<size_t>(length));
  const bool known = mechanism == kScramSha256 || mechanism == kScramSha256Plus;
  if (!fields.AtEnd() || !known) {
    co_await Refuse(Fatal("08P01", "a malformed SASL message"));
    co_return false;
  }
  const TermsInForce terms = hall_.house.terms();
  ScramExchange exchange(terms->VerifierOf(analyst_, hall_.house.mock_secret()), mechanism,
                         tls_->certificate_hash);
  Result<std::string> answer = exchange.First(message);
  if (answer.ok()) {
    AddAuthentication(out_, kSaslContinue, *answer);
    written = co_await Flush();
    if (!written) co_return false;
    const std::optional<std::string> final_message = co_await ReadSasl();
    if (!final_message) co_return false;
    using Clock = std::chrono::steady_clock;
    GuessDelays& guesses = hall_.guesses;
    const auto late = guesses.Of(analyst_, transport_.remote(), Clock::now());
    if (late.count() > 0) {
      asio::steady_timer delay(transport_.executor(), late);
      const auto [error] = co_await delay.async_wait(kAsTuple);
      (void)error;
    }
    answer = exchange.Final(*final_message);
    if (!answer.ok()) guesses.AddWrong(analyst_, transport_.remote(), Clock::now());
  }
  if (!answer.ok()) {
    asio::steady_timer delay(transport_.executor(), kWrongLoginDelay);
    const auto [error] = co_await delay.async_wait(asio::as_tuple(asio::use_awaitable));
    (void)error;
    Log("login_failed", {{"remote", transport_.remote()}, {"condition", answer.error().rule}});
    Report report = Fatal(answer.error());
    if (answer.error().rule == "invalid_password") {
      report.message = "password authentication failed for user \"" + analyst_ + "\"";
    }
    co_await Refuse(report);
    co_return false;
  }
  AddAuthentication(out_, kSaslFinal, *answer);
  AddAuthentication(out_, kAuthenticationOk);
  co_return true;
}

asio::awaitable<bool> Session::Welcome(const StartupWanted& startup) {
  database_ = startup.Value("database").empty() ? analyst_ : startup.Value("database");
  settings_.emplace(analyst_);
  std::vector<std::pair<std::string, std::string>> wanted =
      OptionSettings(startup.Value("options"));
  for (const auto& [name, value] : startup.parameters) {
    const bool is_setting = name != "user" && name != "database" && name != "options" &&
                            name != "replication" && !name.starts_with("_pq_.");
    if (is_setting) wanted.emplace_back(name, value);
  }
  for (const auto& [name, value] : wanted) {
    const Result<Done> set = settings_->SetAtStart(name, value);
    if (set.ok()) continue;
    co_await Refuse(Fatal(set.error()));
    co_return false;
  }
  for (const auto& [name, value] : settings_->TakeChanged()) AddParameterStatus(out_, name, value);
  key_ = hall_.registry.Add([this] { Cancel(); });
  AddBackendKey(out_, key_->process, key_->secret);
  AddReadyForQuery();
  const bool written = co_await Flush();
  co_return written;
}

// A place among those who are logged in. An analyst who takes many leaves some for the others.
asio::awaitable<bool> Session::TakeSeat() {
  size_t all = 0;
  for (const auto& [analyst, seats] : hall_.logged_in) all += seats.taken;
  Seats& own = hall_.logged_in[analyst_];
  if (all < hall_.logged_in_max && own.taken < hall_.logged_in_of_analyst_max) {
    ++own.taken;
    has_seat_ = true;
    statement_bytes_.CountIn(&own.statement_bytes);
    portal_bytes_.CountIn(&own.portal_bytes);
    co_return true;
  }
  if (own.taken == 0) hall_.logged_in.erase(analyst_);
  Log("connection_refused", {{"analyst", analyst_}, {"remote", transport_.remote()}});
  co_await Refuse(Fatal("53300", "too many connections", "close some, or wait"));
  co_return false;
}

asio::awaitable<bool> Session::Login() {
  transport_.CloseAfter(hall_.limits.login);
  // Only of the owner's own proxies is the word taken on whom they pass on.
  if (hall_.house.terms()->policy.server.IsProxy(transport_.remote())) {
    const bool taken = co_await transport_.TakeProxyHeader();
    if (!taken) co_return false;
  }
  const std::optional<StartupWanted> startup = co_await ReadStartupPackets();
  if (!startup) co_return false;
  if (!transport_.encrypted()) {
    co_await Refuse(Fatal("28000", "this server speaks inside TLS only",
                          "connect with sslmode=require, or better verify-full"));
    co_return false;
  }
  if (startup->Value("user").empty()) {
    co_await Refuse(Fatal("28000", "no user name was given"));
    co_return false;
  }
  const std::string replication = startup->Value("replication");
  if (!replication.empty() && replication != "false" && replication != "off" &&
      replication != "0" && replication != "no") {
    co_await Refuse(Fatal("0A000", "there is nothing to replicate here"));
    co_return false;
  }
  if (startup->minor > 0 || !startup->unknown_options.empty()) {
    AddNegotiation(out_, startup->unknown_options);
  }
  const bool authenticated = co_await Authenticate(*startup);
  if (!authenticated) co_return false;
  const bool seated = co_await TakeSeat();
  if (!seated) co_return false;
  const bool welcomed = co_await Welcome(*startup);
  if (!welcomed) co_return false;
  transport_.KeepOpen();
  co_return true;
}

}  // namespace tacit::wire::pg
