#include "wire/pg/protocol/startup.h"

#include "wire/pg/protocol/frame.h"

namespace tacit::wire::pg {
namespace {

constexpr uint32_t kCancelCode = 80877102;
constexpr uint32_t kTlsCode = 80877103;
constexpr uint32_t kGssCode = 80877104;

// Why 64: drivers send six or so.
constexpr size_t kStartupParametersMax = 64;

Error Wrong(std::string message, const char* rule) {
  Error error = InvalidArgument(std::move(message));
  error.rule = rule;
  return error;
}

}  // namespace

std::string StartupWanted::Value(const std::string& name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? "" : found->second;
}

Result<StartupPacket> ReadStartup(std::string_view body) {
  FieldReader fields(body);
  const auto code = static_cast<uint32_t>(fields.Int32());
  if (!fields.good()) return Wrong("the start-up packet is too short", "protocol_violation");
  if (code == kTlsCode && fields.AtEnd()) return StartupPacket(TlsWanted{});
  if (code == kGssCode && fields.AtEnd()) return StartupPacket(GssWanted{});
  if (code == kCancelCode) {
    CancelWanted cancel;
    cancel.process = fields.Int32();
    cancel.secret = fields.Int32();
    if (!fields.AtEnd()) return Wrong("a malformed cancel request", "protocol_violation");
    return StartupPacket(cancel);
  }
  if (code >> 16 != 3) {
    return Wrong("only protocol 3 is spoken here", "feature_not_supported");
  }
  StartupWanted startup;
  startup.minor = static_cast<uint16_t>(code & 0xffff);
  while (fields.good() && !fields.AtEnd()) {
    const std::string name(fields.Text());
    if (name.empty()) break;
    std::string value(fields.Text());
    if (name.starts_with("_pq_.")) startup.unknown_options.push_back(name);
    startup.parameters[name] = std::move(value);
    if (startup.parameters.size() > kStartupParametersMax) {
      return Wrong("too many start-up parameters", "protocol_violation");
    }
  }
  if (!fields.AtEnd()) return Wrong("a malformed start-up packet", "protocol_violation");
  return StartupPacket(std::move(startup));
}

}  // namespace tacit::wire::pg
