#include "wire/auth/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/auth/self_signed.h"

namespace tacit::wire {
namespace {

namespace ssl = boost::asio::ssl;

Error Unusable(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

std::string LastError() {
  char text[256] = "unknown reason";
  if (const unsigned long code = ERR_get_error()) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return text;
}

Result<Done> CheckKeyFile(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) {
    return Unusable("the TLS key " + path + " cannot be read", "check server: tls: key");
  }
  // Root may own a key that a group reads, as Debian's ssl-cert does it.
  const mode_t allowed = status.st_uid == 0 ? S_IRWXU | S_IRGRP : S_IRWXU;
  if ((status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO) & ~allowed) != 0) {
    return Unusable("the TLS key " + path + " can be read by others", "chmod 600 " + path);
  }
  return Done{};
}

std::string Hex(const unsigned char* bytes, unsigned count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// RFC 5929: the hash of the certificate's signature, SHA-256 instead of MD5 and SHA-1.
std::string EndPointHash(X509* certificate) {
  int digest = NID_undef;
  if (X509_get_signature_info(certificate, &digest, nullptr, nullptr, nullptr) != 1 ||
      digest == NID_undef) {
    return "";
  }
  const EVP_MD* hash =
      digest == NID_md5 || digest == NID_sha1 ? EVP_sha256() : EVP_get_digestbynid(digest);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  if (hash == nullptr || X509_digest(certificate, hash, bytes, &length) != 1) return "";
  return std::string(reinterpret_cast<const char*>(bytes), length);
}

// A client that names protocols must name ours: a TLS session meant for another kind of server
// cannot be turned on this one.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_length,
                   const unsigned char* offered, unsigned offered_length, void* wanted) {
  const auto* protocol = static_cast<const std::string*>(wanted);
  for (unsigned i = 0; i < offered_length; i += offered[i] + 1u) {
    const unsigned length = offered[i];
    if (i + 1 + length > offered_length) break;
    if (protocol->compare(0, std::string::npos, reinterpret_cast<const char*>(offered + i + 1),
                          length) == 0) {
      *chosen = offered + i + 1;
      *chosen_length = static_cast<unsigned char>(length);
      return SSL_TLSEXT_ERR_OK;
    }
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

void SetProtocol(SSL_CTX* context, const std::string& protocol) {
  // OpenSSL keeps a pointer, for as long as the program may use the context: names live for ever.
  static const std::string kPostgres = "postgresql", kHttp = "http/1.1";
  const std::string& name = protocol == kPostgres ? kPostgres : kHttp;
  SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, const_cast<std::string*>(&name));
}

}  // namespace

Result<TlsIdentity> LoadTls(const policy::Policy& policy, const std::string& protocol) {
  std::string certificate = policy.folder + "/server.crt", key = policy.folder + "/server.key";
  if (policy.server.tls) {
    certificate = policy.server.tls->certificate;
    key = policy.server.tls->key;
  } else if (::access(key.c_str(), F_OK) != 0 && ::access(certificate.c_str(), F_OK) != 0) {
    TACIT_CHECK(MakeSelfSigned(certificate, key));
  }
  TACIT_CHECK(CheckKeyFile(key));
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX* raw = context->native_handle();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // No resumption: there is nothing to gain for sessions that stay, and no ticket keys to look
  // after.
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(raw, 0);             // TLS 1.3
  SSL_CTX_set_options(raw, SSL_OP_NO_TICKET);  // TLS 1.2, and the stateless ones of 1.3
  SetProtocol(raw, protocol);
  if (SSL_CTX_use_certificate_chain_file(raw, certificate.c_str()) != 1) {
    return Unusable("the TLS certificate " + certificate + " cannot be used: " + LastError(),
                    "it must be PEM, the server's own certificate first");
  }
  if (SSL_CTX_use_PrivateKey_file(raw, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(raw) != 1) {
    return Unusable("the TLS key " + key + " does not go with its certificate: " + LastError(),
                    "check server: tls");
  }
  X509* own = SSL_CTX_get0_certificate(raw);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  X509_digest(own, EVP_sha256(), bytes, &length);
  return TlsIdentity{.context = std::move(context),
                     .certificate_hash = EndPointHash(own),
                     .fingerprint = Hex(bytes, length)};
}

}  // namespace tacit::wire
