#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sql/read/command.h"
#include "wire/pg/prepared/held_bytes.h"
#include "wire/service/question.h"

namespace tacit::wire::pg {

// A statement after Parse; immutable.
struct Prepared {
  std::string text;
  std::optional<sql::Command> command;  // nothing: an empty text
  std::vector<uint32_t> declared_types;
  Shape shape;
  bool returns_rows = false;

  size_t Bytes() const;  // about what it holds
};
using PreparedStatement = std::shared_ptr<const Prepared>;

class Statements;

// What was read of a request, counted among the statements of its session while it is carried out.
// Without room it is let go of, and a worker reads the text again.
class CountedReadings {
 public:
  CountedReadings(Statements& statements, std::vector<sql::Command>& commands, size_t text_bytes);
  CountedReadings(const CountedReadings&) = delete;
  CountedReadings& operator=(const CountedReadings&) = delete;
  ~CountedReadings();

 private:
  Statements& statements_;
  size_t bytes_ = 0;
};

// The prepared statements of a session, by name. Names, numbers and bytes are limited; errors carry
// PostgreSQL's condition in `rule`.
class Statements {
 public:
  struct Limits {
    size_t count_max = 1'000;
    // Of what is kept of them: texts, columns, parameters.
    HeldBytes::Limits bytes = {.of_session = 4u << 20, .of_analyst = 32u << 20};
  };
  explicit Statements(const Limits& limits) : limits_(limits) {}

  HeldBytes& bytes() { return bytes_; }
  bool HasRoomFor(size_t bytes) const { return bytes_.HasRoomFor(bytes, limits_.bytes); }

  // Null when there is none.
  PreparedStatement Find(const std::string& name) const;
  // Whether one of so many bytes may be kept under this name. The nameless one takes the place of
  // the one before it.
  Result<Done> CheckRoomFor(const std::string& name, size_t bytes) const;
  Result<Done> Keep(const std::string& name, Prepared statement);
  bool Forget(const std::string& name);  // false: there is none
  void Clear();

 private:
  const Limits limits_;
  std::map<std::string, PreparedStatement> by_name_;
  HeldBytes bytes_;
};

}  // namespace tacit::wire::pg
