#include "wire/auth/scram.h"

namespace tacit::wire {
namespace {

constexpr size_t kNonceBytes = 18;

// Why 256: clients send 24 characters; the server's answer repeats them.
constexpr size_t kClientNonceMax = 256;

Error Malformed(const char* what) {
  Error error = InvalidArgument(std::string("malformed SCRAM message: ") + what);
  error.rule = "protocol_violation";
  return error;
}

Error NotAuthenticated() {
  Error error = InvalidArgument("password authentication failed");
  error.rule = "invalid_password";
  return error;
}

// The value of "x=value" up to the next comma.
Result<std::string_view> Take(std::string_view& message, char name) {
  if (message.size() < 2 || message[0] != name || message[1] != '=') {
    return Malformed("an attribute is missing");
  }
  message.remove_prefix(2);
  const size_t comma = std::min(message.find(','), message.size());
  const std::string_view value = message.substr(0, comma);
  message.remove_prefix(std::min(comma + 1, message.size()));
  return value;
}

bool IsPrintable(std::string_view text) {
  for (const char c : text) {
    if (c < 0x21 || c > 0x7e || c == ',') return false;
  }
  return true;
}

std::string Xor(std::string_view a, std::string_view b) {
  std::string out(a);
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(out[i] ^ b[i]);
  return out;
}

}  // namespace

ScramExchange::ScramExchange(Verifier verifier, std::string mechanism, std::string certificate_hash)
    : verifier_(std::move(verifier)),
      plus_(mechanism == kScramSha256Plus),
      certificate_hash_(std::move(certificate_hash)) {}

// "n,,", "y,," or "p=tls-server-end-point,,".
Result<Done> ScramExchange::ReadBinding(std::string_view& message) {
  const size_t comma = message.find(',');
  if (comma == std::string_view::npos) return Malformed("no channel binding flag");
  const std::string_view flag = message.substr(0, comma);
  const std::string_view rest = message.substr(comma + 1);
  if (!rest.starts_with(',')) return Malformed("another identity cannot be taken on");
  if (plus_) {
    if (flag != "p=tls-server-end-point") return Malformed("this channel binding is not known");
    binding_ = std::string(flag) + ",," + certificate_hash_;
  } else if (flag == "y" && !certificate_hash_.empty()) {
    // The client can bind and believes that we cannot: somebody took our offer out.
    return NotAuthenticated();
  } else if (flag == "n" || flag == "y") {
    binding_ = std::string(flag) + ",,";
  } else {
    return Malformed("the mechanism has no channel binding");
  }
  message = rest.substr(1);
  return Done{};
}

Result<std::string> ScramExchange::First(std::string_view message) {
  if (plus_ && certificate_hash_.empty()) return Malformed("channel binding was not offered");
  TACIT_CHECK(ReadBinding(message));
  const std::string bare(message);
  // The name is the one of the start-up packet, as in PostgreSQL; this one is not looked at.
  TACIT_TRY(const std::string_view name, Take(message, 'n'));
  (void)name;
  TACIT_TRY(const std::string_view client_nonce, Take(message, 'r'));
  if (client_nonce.empty() || client_nonce.size() > kClientNonceMax || !IsPrintable(client_nonce)) {
    return Malformed("the nonce cannot be used");
  }
  nonce_ = std::string(client_nonce) + Base64(RandomBytes(kNonceBytes));
  std::string first =
      "r=" + nonce_ + ",s=" + Base64(verifier_.salt) + ",i=" + std::to_string(verifier_.iterations);
  signed_ = bare + "," + first;
  return first;
}

Result<std::string> ScramExchange::Final(std::string_view message) {
  const size_t proof_at = message.rfind(",p=");
  if (proof_at == std::string_view::npos) return Malformed("the proof is missing");
  const std::string without_proof(message.substr(0, proof_at));
  TACIT_TRY(const std::string_view binding, Take(message, 'c'));
  TACIT_TRY(const std::string_view nonce, Take(message, 'r'));
  message.remove_prefix(std::min(message.size(), message.rfind("p=")));
  TACIT_TRY(const std::string_view proof_text, Take(message, 'p'));
  if (!SameSecret(nonce, nonce_)) return Malformed("the nonce is another one");
  if (!SameSecret(binding, Base64(binding_))) return NotAuthenticated();
  const Result<std::string> proof = FromBase64(proof_text);
  if (!proof.ok() || proof->size() != verifier_.stored_key.size()) {
    return Malformed("the proof is no proof");
  }
  const std::string text = signed_ + "," + without_proof;
  const std::string client_key = Xor(*proof, HmacSha256(verifier_.stored_key, text));
  if (!SameSecret(Sha256(client_key), verifier_.stored_key)) return NotAuthenticated();
  return "v=" + Base64(HmacSha256(verifier_.server_key, text));
}

}  // namespace tacit::wire
