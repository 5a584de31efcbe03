#include "wire/pg/prepared/portals.h"

#include "wire/pg/state/report.h"

namespace tacit::wire::pg {

Portal* Portals::Find(const std::string& name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

const Portal* Portals::Find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second;
}

Result<Done> Portals::Add(const std::string& name, Portal portal) {
  if (name.empty()) {
    (void)Erase(name);  // the nameless one takes the place of the one before it
  } else if (by_name_.contains(name)) {
    return Condition("cursor \"" + name + "\" already exists", "duplicate_cursor");
  }
  if (by_name_.size() >= limits_.count_max) {
    return Condition("too many open cursors in this session", "program_limit_exceeded");
  }
  if (portal.born == 0) portal.born = ++born_;  // one that is put back keeps its place
  const size_t bytes = portal.bytes;
  by_name_.emplace(name, std::move(portal));
  bytes_ += bytes;
  return Done{};
}

std::optional<Portal> Portals::Take(const std::string& name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  std::optional<Portal> portal(std::move(found->second));
  by_name_.erase(found);
  bytes_ -= portal->bytes;
  portal->bytes = 0;
  return portal;
}

bool Portals::Erase(const std::string& name) { return Take(name).has_value(); }

void Portals::Clear() {
  by_name_.clear();
  bytes_.Clear();
}

void Portals::EraseWithoutHold() {
  for (auto portal = by_name_.begin(); portal != by_name_.end();) {
    const auto here = portal++;
    if (!here->second.hold) (void)Erase(std::string(here->first));
  }
}

void Portals::EraseBornAfter(uint64_t instant) {
  for (auto portal = by_name_.begin(); portal != by_name_.end();) {
    const auto here = portal++;
    if (here->second.born > instant) (void)Erase(std::string(here->first));
  }
}

Result<Done> Portals::CountParameters(Portal& portal) const {
  size_t bytes = 0;
  for (const auto& value : portal.parameters) bytes += sizeof value + (value ? value->size() : 0);
  if (!bytes_.HasRoomFor(bytes, limits_.bytes)) {
    return Condition("too many bound parameters wait in this session", "out_of_memory",
                     "execute or close what is bound already");
  }
  portal.bytes = bytes;
  return Done{};
}

Result<Done> Portals::CountRows(Portal& portal) const {
  const size_t bytes = portal.table->rows.bytes();
  if (!bytes_.HasRoomFor(bytes, limits_.bytes)) {
    return Condition("too many rows wait in the cursors of this session", "out_of_memory",
                     "fetch them all at once, or ask for fewer");
  }
  portal.bytes = bytes;
  return Done{};
}

void Portals::RecountRows(Portal& portal) {
  bytes_ -= portal.bytes;
  portal.bytes = portal.table->rows.bytes();
  bytes_ += portal.bytes;
}

}  // namespace tacit::wire::pg
