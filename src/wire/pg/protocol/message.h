#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// Messages to the client, appended to a buffer of bytes.

namespace tacit::wire::pg {

struct WireColumn {
  std::string name;
  uint32_t type = 25;
  int32_t modifier = -1;
  int16_t length = -1;  // of the type; -1 when it varies
  int16_t format = 0;

  bool SameType(const WireColumn& other) const {
    return name == other.name && type == other.type && modifier == other.modifier;
  }
};

// One message under construction: its length is filled in when it goes out of scope.
class MessageScope {
 public:
  MessageScope(std::string& out, char type);
  MessageScope(const MessageScope&) = delete;
  MessageScope& operator=(const MessageScope&) = delete;
  ~MessageScope();

  void Byte(char value) { out_ += value; }
  void Int16(int16_t value);
  void Int32(int32_t value);
  void Text(std::string_view text);  // with its zero byte; a zero byte inside ends it
  void Bytes(std::string_view bytes) { out_ += bytes; }

 private:
  std::string& out_;
  size_t length_at_;
};

void AddAuthentication(std::string& out, int32_t kind, std::string_view payload = {});
void AddParameterStatus(std::string& out, std::string_view name, std::string_view value);
void AddBackendKey(std::string& out, int32_t process, int32_t secret);
void AddReady(std::string& out, char status);  // I, T or E
void AddNegotiation(std::string& out, const std::vector<std::string>& unknown_options);
void AddRowDescription(std::string& out, const std::vector<WireColumn>& columns);
void AddParameterDescription(std::string& out, const std::vector<uint32_t>& types);
void AddDataRow(std::string& out, const std::vector<std::optional<std::string>>& row);
// COPY TO STDOUT: its start, and a piece of its rows. CopyDone is plain.
void AddCopyOut(std::string& out, bool binary, size_t columns);
void AddCopyData(std::string& out, std::string_view bytes);
void AddCommandComplete(std::string& out, std::string_view tag);
// ParseComplete '1', BindComplete '2', CloseComplete '3', CopyDone 'c', NoData 'n', EmptyQuery 'I',
// PortalSuspended 's'.
void AddPlain(std::string& out, char type);

enum class Severity { kNotice, kWarning, kError, kFatal };

// `position` counts characters from one in what the client sent.
struct Report {
  Severity severity = Severity::kError;
  std::string state = "XX000";
  std::string message;
  std::string detail = {};
  std::string hint = {};
  std::optional<int> position = std::nullopt;
};
void AddReport(std::string& out, const Report& report);

}  // namespace tacit::wire::pg
