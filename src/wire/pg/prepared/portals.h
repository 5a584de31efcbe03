#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wire/pg/prepared/held_bytes.h"
#include "wire/pg/prepared/statements.h"
#include "wire/pg/state/table.h"

namespace tacit::wire::pg {

// A bound statement, or a cursor: both live under one set of names.
struct Portal {
  PreparedStatement statement;
  Row parameters = {};  // as texts
  std::vector<int16_t> formats = {};
  bool hold = false;
  std::optional<Table> table = {};      // once it has run
  std::string tag = {};                 // of CommandComplete, without the number of rows
  engine::PackedRows::Place next = {};  // the row to be sent next; those before it are let go of
  size_t bytes = 0;                     // that it is counted with
  uint64_t born = 0;                    // the how manieth of the session; 0: not added yet
};

// The portals and cursors of a session, by name. Numbers and bytes are limited; errors carry
// PostgreSQL's condition in `rule`.
class Portals {
 public:
  struct Limits {
    size_t count_max = 256;
    // Of the parameters and rows that wait in all of them.
    HeldBytes::Limits bytes = {.of_session = 64u << 20, .of_analyst = 128u << 20};
  };
  explicit Portals(const Limits& limits) : limits_(limits) {}

  HeldBytes& bytes() { return bytes_; }

  Portal* Find(const std::string& name);  // null when there is none
  const Portal* Find(const std::string& name) const;
  Result<Done> Add(const std::string& name, Portal portal);
  // Out of the session's hands, and no longer counted.
  std::optional<Portal> Take(const std::string& name);
  bool Erase(const std::string& name);  // false: there is none
  void Clear();

  // Outside a transaction block every statement is a transaction of its own, and takes its portals
  // with it.
  void EraseWithoutHold();
  // What was declared since is undone with the rest.
  void EraseBornAfter(uint64_t instant);
  uint64_t born() const { return born_; }

  // Counts the parameters of a portal that is not added yet, or the rows that wait in it. Errors
  // when there is no room for them.
  Result<Done> CountParameters(Portal& portal) const;
  Result<Done> CountRows(Portal& portal) const;
  // The same for one that was added and has fewer rows now.
  void RecountRows(Portal& portal);

 private:
  const Limits limits_;
  std::map<std::string, Portal> by_name_;
  HeldBytes bytes_;
  uint64_t born_ = 0;
};

}  // namespace tacit::wire::pg
