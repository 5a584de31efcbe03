#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/result.h"
#include "policy/policy.h"

namespace tacit::wire {

// What a listener needs to speak TLS.
struct TlsIdentity {
  std::shared_ptr<boost::asio::ssl::context> context;
  // tls-server-end-point (RFC 5929) of the certificate; empty where there is none, as for Ed25519:
  // channel binding is not offered then.
  std::string certificate_hash;
  std::string fingerprint;  // SHA-256 of the certificate in hex, for people
};

// The policy's certificate, or the deployment's own: an ECDSA one, signed by itself, made here at
// the first start (server.crt, server.key in the policy's folder, the key for its owner alone).
// `protocol` is the only one that a client may name (ALPN): "postgresql", "http/1.1". kUnavailable
// when a file cannot be used or the key can be read by others.
Result<TlsIdentity> LoadTls(const policy::Policy& policy, const std::string& protocol);

}  // namespace tacit::wire
