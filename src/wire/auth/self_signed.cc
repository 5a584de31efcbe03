#include "wire/auth/self_signed.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "wire/auth/verifier.h"

namespace tacit::wire {
namespace {

struct KeyCloser {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
struct CertificateCloser {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FileCloser {
  void operator()(FILE* file) const { (void)std::fclose(file); }
};
using Key = std::unique_ptr<EVP_PKEY, KeyCloser>;
using Certificate = std::unique_ptr<X509, CertificateCloser>;

Error Failed(const std::string& what) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the server's own certificate could not be made: " + what,
               .hint = "name one in the policy: server: {tls: {certificate: ..., key: ...}}",
               .position = std::nullopt,
               .private_detail = ""};
}

std::string HostName() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "localhost";
  // It goes into a certificate: letters, digits, dots and dashes only.
  for (const char* c = name; *c != '\0'; ++c) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                       (*c >= '0' && *c <= '9') || *c == '.' || *c == '-';
    if (!plain) return "localhost";
  }
  return name[0] == '\0' ? "localhost" : name;
}

bool AddExtension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

Certificate Sign(EVP_PKEY* key) {
  constexpr long kTenYears = 3650L * 86'400;
  Certificate certificate(X509_new());
  X509* raw = certificate.get();
  if (raw == nullptr) return nullptr;
  const std::string serial = RandomBytes(8);
  uint64_t number = 0;
  std::memcpy(&number, serial.data(), sizeof number);
  const std::string host = HostName();
  X509_NAME* name = X509_get_subject_name(raw);
  const bool good =
      X509_set_version(raw, 2) == 1 &&
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(raw), number >> 1) == 1 &&
      X509_gmtime_adj(X509_getm_notBefore(raw), -3600) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(raw), kTenYears) != nullptr &&
      X509_set_pubkey(raw, key) == 1 &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(host.c_str()), -1, -1,
                                 0) == 1 &&
      X509_set_issuer_name(raw, name) == 1 &&
      AddExtension(raw, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1,DNS:" + host) &&
      AddExtension(raw, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
      X509_sign(raw, key, EVP_sha256()) != 0;
  return good ? std::move(certificate) : nullptr;
}

std::unique_ptr<FILE, FileCloser> Create(const std::string& path, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return nullptr;
  return std::unique_ptr<FILE, FileCloser>(::fdopen(file, "w"));
}

}  // namespace

Result<Done> MakeSelfSigned(const std::string& certificate_path, const std::string& key_path) {
  const Key key(EVP_EC_gen("P-256"));
  if (key == nullptr) return Failed("no key");
  const Certificate certificate = Sign(key.get());
  if (certificate == nullptr) return Failed("no signature");
  {
    const auto file = Create(key_path, S_IRUSR | S_IWUSR);
    if (file == nullptr) return Failed(key_path + " cannot be written");
    if (PEM_write_PKCS8PrivateKey(file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
            1 ||
        std::fflush(file.get()) != 0) {
      return Failed(key_path + " cannot be written");
    }
  }
  const auto file = Create(certificate_path, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (file == nullptr || PEM_write_X509(file.get(), certificate.get()) != 1 ||
      std::fflush(file.get()) != 0) {
    return Failed(certificate_path + " cannot be written");
  }
  return Done{};
}

}  // namespace tacit::wire
