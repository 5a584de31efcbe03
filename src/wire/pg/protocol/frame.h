#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Messages of protocol 3 as bytes come in: every length is checked once, here, before anything is
// allocated for it.

namespace tacit::wire::pg {

// A typed message without its type and length.
struct Frame {
  char type = 0;
  std::string body;
};

// Why these: SASL answers are a few hundred bytes; texts beyond the SQL limit get their own error,
// so that a message may be somewhat longer than any accepted text.
inline constexpr uint32_t kStartupBytesMax = 10'000;
inline constexpr uint32_t kBeforeLoginBytesMax = 1'024;
inline constexpr uint32_t kQueryFrameBytesMax = 1u << 20;
inline constexpr uint32_t kBindFrameBytesMax = 4u << 20;
inline constexpr uint32_t kOtherFrameBytesMax = 64u << 10;

// What the first five bytes of a typed message announce: its type and the bytes of its body.
struct FrameHead {
  char type = 0;
  uint32_t body_bytes = 0;
};
inline constexpr size_t kFrameHeadBytes = 5;

// kInvalidArgument for a type that no client sends, or a length that its type cannot have. Before
// the login only 'p' passes.
Result<FrameHead> ReadFrameHead(std::string_view bytes, bool logged_in);

// The length of a start-up packet from its first four bytes, itself included.
Result<uint32_t> ReadStartupLength(std::string_view bytes);

// Reads a body from its start. After a field that is not there everything is empty or zero, and
// good() is false.
class FieldReader {
 public:
  explicit FieldReader(std::string_view body) : rest_(body) {}

  uint8_t Byte();
  int16_t Int16();
  int32_t Int32();
  // Ends with a zero byte, which is not part of it.
  std::string_view Text();
  std::string_view Bytes(size_t count);

  // A count of things of at least `bytes_each` bytes: never more than the body has room for.
  size_t Count16(size_t bytes_each);

  bool good() const { return good_; }
  // Everything was read and nothing is left.
  bool AtEnd() const { return good_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  uint64_t Unsigned(size_t bytes);

  std::string_view rest_;
  bool good_ = true;
};

// ---- the messages with fields

struct ParseMessage {
  std::string statement;
  std::string text;
  std::vector<uint32_t> parameter_types;
};
struct BindMessage {
  std::string portal;
  std::string statement;
  std::vector<int16_t> parameter_formats;  // none, one, or one for each
  std::vector<std::optional<std::string>> parameters;
  std::vector<int16_t> result_formats;
};
struct NamedMessage {  // Describe and Close
  char kind = 0;       // 'S' or 'P'
  std::string name;
};
struct ExecuteMessage {
  std::string portal;
  int32_t rows_max = 0;  // 0: all
};

Result<std::string> ReadQuery(std::string_view body);
Result<ParseMessage> ReadParse(std::string_view body);
Result<BindMessage> ReadBind(std::string_view body);
Result<NamedMessage> ReadNamed(std::string_view body);
Result<ExecuteMessage> ReadExecute(std::string_view body);

}  // namespace tacit::wire::pg
