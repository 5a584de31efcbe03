#include "wire/pg/protocol/frame.h"

namespace tacit::wire::pg {
namespace {

Error Malformed(const std::string& what) {
  Error error = InvalidArgument("the client sent " + what);
  error.rule = "protocol_violation";
  return error;
}

// The longest body of a type, or nothing for one that no client sends.
std::optional<uint32_t> BodyBytesMax(char type, bool logged_in) {
  if (!logged_in) {
    return type == 'p' ? std::optional<uint32_t>(kBeforeLoginBytesMax) : std::nullopt;
  }
  switch (type) {
    case 'Q':
    case 'P':
      return kQueryFrameBytesMax;
    case 'B':
      return kBindFrameBytesMax;
    case 'D':  // Describe
    case 'E':  // Execute
    case 'C':  // Close
    case 'S':  // Sync
    case 'H':  // Flush
    case 'X':  // Terminate
    case 'F':  // function call
    case 'd':  // copy data
    case 'c':  // copy done
    case 'f':  // copy failed
      return kOtherFrameBytesMax;
    default:
      return std::nullopt;
  }
}

uint32_t BigEndian32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

template <class Message>
Result<Message> Checked(Message message, const FieldReader& fields, const char* what) {
  if (!fields.AtEnd()) return Malformed(std::string("a malformed ") + what + " message");
  return message;
}

}  // namespace

Result<FrameHead> ReadFrameHead(std::string_view bytes, bool logged_in) {
  TACIT_ASSERT(bytes.size() == kFrameHeadBytes);
  const char type = bytes[0];
  const std::optional<uint32_t> most = BodyBytesMax(type, logged_in);
  if (!most) {
    return Malformed(logged_in ? "a message of an unknown type"
                               : "a message other than the password before the login");
  }
  const uint32_t length = BigEndian32(bytes.substr(1));
  if (length < 4 || length - 4 > *most) return Malformed("a message of a length it cannot have");
  return FrameHead{.type = type, .body_bytes = length - 4};
}

Result<uint32_t> ReadStartupLength(std::string_view bytes) {
  TACIT_ASSERT(bytes.size() == 4);
  const uint32_t length = BigEndian32(bytes);
  if (length < 8 || length > kStartupBytesMax) {
    return Malformed("a start-up packet of a length it cannot have");
  }
  return length;
}

uint64_t FieldReader::Unsigned(size_t bytes) {
  uint64_t value = 0;
  for (const char c : Bytes(bytes)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

uint8_t FieldReader::Byte() { return static_cast<uint8_t>(Unsigned(1)); }
int16_t FieldReader::Int16() { return static_cast<int16_t>(Unsigned(2)); }
int32_t FieldReader::Int32() { return static_cast<int32_t>(Unsigned(4)); }

std::string_view FieldReader::Text() {
  const size_t end = rest_.find('\0');
  if (end == std::string_view::npos) {
    good_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view text = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  return text;
}

std::string_view FieldReader::Bytes(size_t count) {
  if (count > rest_.size()) {
    good_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

size_t FieldReader::Count16(size_t bytes_each) {
  const int16_t count = Int16();
  if (count < 0 || static_cast<size_t>(count) * bytes_each > rest_.size()) {
    good_ = false;
    rest_ = {};
    return 0;
  }
  return static_cast<size_t>(count);
}

Result<std::string> ReadQuery(std::string_view body) {
  FieldReader fields(body);
  return Checked(std::string(fields.Text()), fields, "Query");
}

Result<ParseMessage> ReadParse(std::string_view body) {
  FieldReader fields(body);
  ParseMessage message;
  message.statement = fields.Text();
  message.text = fields.Text();
  const size_t types = fields.Count16(4);
  for (size_t i = 0; i < types; ++i) {
    message.parameter_types.push_back(static_cast<uint32_t>(fields.Int32()));
  }
  return Checked(std::move(message), fields, "Parse");
}

Result<BindMessage> ReadBind(std::string_view body) {
  FieldReader fields(body);
  BindMessage message;
  message.portal = fields.Text();
  message.statement = fields.Text();
  const size_t formats = fields.Count16(2);
  for (size_t i = 0; i < formats; ++i) message.parameter_formats.push_back(fields.Int16());
  const size_t parameters = fields.Count16(4);
  for (size_t i = 0; i < parameters && fields.good(); ++i) {
    const int32_t length = fields.Int32();
    if (length == -1) {
      message.parameters.emplace_back();
    } else if (length < 0) {
      return Malformed("a parameter of negative length");
    } else {
      message.parameters.emplace_back(std::string(fields.Bytes(static_cast<size_t>(length))));
    }
  }
  const size_t results = fields.Count16(2);
  for (size_t i = 0; i < results; ++i) message.result_formats.push_back(fields.Int16());
  if (formats > 1 && formats != parameters) {
    return Malformed("a Bind message with formats for another number of parameters");
  }
  for (const std::vector<int16_t>* list : {&message.parameter_formats, &message.result_formats}) {
    for (const int16_t format : *list) {
      if (format != 0 && format != 1) return Malformed("an unknown format code");
    }
  }
  return Checked(std::move(message), fields, "Bind");
}

Result<NamedMessage> ReadNamed(std::string_view body) {
  FieldReader fields(body);
  NamedMessage message;
  message.kind = static_cast<char>(fields.Byte());
  message.name = fields.Text();
  if (message.kind != 'S' && message.kind != 'P') {
    return Malformed("a Describe or Close message of an unknown kind");
  }
  return Checked(std::move(message), fields, "Describe or Close");
}

Result<ExecuteMessage> ReadExecute(std::string_view body) {
  FieldReader fields(body);
  ExecuteMessage message;
  message.portal = fields.Text();
  message.rows_max = fields.Int32();
  return Checked(std::move(message), fields, "Execute");
}

}  // namespace tacit::wire::pg
