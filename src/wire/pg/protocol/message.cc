#include "wire/pg/protocol/message.h"

namespace tacit::wire::pg {
namespace {

void AppendInt(std::string& out, uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> shift & 0xff);
  }
}

const char* Name(Severity severity) {
  switch (severity) {
    case Severity::kNotice:
      return "NOTICE";
    case Severity::kWarning:
      return "WARNING";
    case Severity::kError:
      return "ERROR";
    case Severity::kFatal:
      return "FATAL";
  }
  return "ERROR";
}

}  // namespace

MessageScope::MessageScope(std::string& out, char type) : out_(out) {
  out_ += type;
  length_at_ = out_.size();
  AppendInt(out_, 0, 4);
}

MessageScope::~MessageScope() {
  const size_t length = out_.size() - length_at_;
  for (size_t i = 0; i < 4; ++i) {
    out_[length_at_ + i] = static_cast<char>(length >> (24 - 8 * i) & 0xff);
  }
}

void MessageScope::Int16(int16_t value) { AppendInt(out_, static_cast<uint16_t>(value), 2); }
void MessageScope::Int32(int32_t value) { AppendInt(out_, static_cast<uint32_t>(value), 4); }
void MessageScope::Text(std::string_view text) {
  out_ += text.substr(0, text.find('\0'));
  out_ += '\0';
}

void AddAuthentication(std::string& out, int32_t kind, std::string_view payload) {
  MessageScope message(out, 'R');
  message.Int32(kind);
  message.Bytes(payload);
}

void AddParameterStatus(std::string& out, std::string_view name, std::string_view value) {
  MessageScope message(out, 'S');
  message.Text(name);
  message.Text(value);
}

void AddBackendKey(std::string& out, int32_t process, int32_t secret) {
  MessageScope message(out, 'K');
  message.Int32(process);
  message.Int32(secret);
}

void AddReady(std::string& out, char status) { MessageScope(out, 'Z').Byte(status); }

void AddNegotiation(std::string& out, const std::vector<std::string>& unknown_options) {
  MessageScope message(out, 'v');
  message.Int32(3 << 16);
  message.Int32(static_cast<int32_t>(unknown_options.size()));
  for (const std::string& option : unknown_options) message.Text(option);
}

void AddRowDescription(std::string& out, const std::vector<WireColumn>& columns) {
  MessageScope message(out, 'T');
  message.Int16(static_cast<int16_t>(columns.size()));
  for (const WireColumn& column : columns) {
    message.Text(column.name);
    message.Int32(0);  // of no table
    message.Int16(0);
    message.Int32(static_cast<int32_t>(column.type));
    message.Int16(column.length);
    message.Int32(column.modifier);
    message.Int16(column.format);
  }
}

void AddParameterDescription(std::string& out, const std::vector<uint32_t>& types) {
  MessageScope message(out, 't');
  message.Int16(static_cast<int16_t>(types.size()));
  for (const uint32_t type : types) message.Int32(static_cast<int32_t>(type));
}

void AddDataRow(std::string& out, const std::vector<std::optional<std::string>>& row) {
  MessageScope message(out, 'D');
  message.Int16(static_cast<int16_t>(row.size()));
  for (const std::optional<std::string>& cell : row) {
    message.Int32(cell ? static_cast<int32_t>(cell->size()) : -1);
    if (cell) message.Bytes(*cell);
  }
}

void AddCopyOut(std::string& out, bool binary, size_t columns) {
  MessageScope message(out, 'H');
  message.Byte(binary ? '\1' : '\0');
  message.Int16(static_cast<int16_t>(columns));
  for (size_t i = 0; i < columns; ++i) message.Int16(binary ? 1 : 0);
}

void AddCopyData(std::string& out, std::string_view bytes) { MessageScope(out, 'd').Bytes(bytes); }

void AddCommandComplete(std::string& out, std::string_view tag) {
  MessageScope(out, 'C').Text(tag);
}
void AddPlain(std::string& out, char type) { const MessageScope message(out, type); }

void AddReport(std::string& out, const Report& report) {
  const bool error = report.severity == Severity::kError || report.severity == Severity::kFatal;
  MessageScope message(out, error ? 'E' : 'N');
  const auto field = [&](char name, std::string_view text) {
    if (text.empty()) return;
    message.Byte(name);
    message.Text(text);
  };
  field('S', Name(report.severity));
  field('V', Name(report.severity));
  field('C', report.state);
  field('M', report.message);
  field('D', report.detail);
  field('H', report.hint);
  if (report.position) field('P', std::to_string(*report.position));
  message.Byte('\0');
}

}  // namespace tacit::wire::pg
