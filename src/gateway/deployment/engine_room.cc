#include "gateway/deployment/engine_room.h"

#include <algorithm>

#include "engine/duckdb/engine.h"

namespace tacit::gateway {
namespace {

// Of the whole plan: releases run one after the other, and what they gave is kept until the end.
std::optional<plan::Room> RoomOf(const plan::PrivatePlan& plan) {
  plan::Room room{.engine_bytes = 0, .held_bytes = 0};
  for (const plan::Release& release : plan.releases) {
    if (!release.room) return std::nullopt;
    room.engine_bytes = std::max(room.engine_bytes, release.room->engine_bytes);
    room.held_bytes += release.room->held_bytes;
  }
  return room;
}

std::string MiB(const Integer& bytes) { return Integer((bytes >> 20) + 1).get_str() + " MiB"; }

}  // namespace

EngineRoom::EngineRoom(const policy::Policy& policy) : taken_{0, 0} {
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (duckdb == nullptr || duckdb->memory_mb == 0 || duckdb->spill_mb == 0) return;
  const Integer memory = Integer(static_cast<long>(duckdb->memory_mb)) << 20;
  const Integer spill = Integer(static_cast<long>(duckdb->spill_mb)) << 20;
  inside_max_ =
      static_cast<size_t>(std::max<int64_t>(1, duckdb->memory_mb / engine::duckdb::kUnspillableMb));
  whole_ = plan::Room{.engine_bytes = memory + spill, .held_bytes = memory};
}

Result<Done> EngineRoom::Check(const plan::PrivatePlan& plan) const {
  const std::optional<plan::Room> wanted = RoomOf(plan);
  if (!whole_ || !wanted) return Done{};
  const bool fits = wanted->engine_bytes <= whole_->engine_bytes;
  if (fits && wanted->held_bytes <= whole_->held_bytes) return Done{};
  return Error{
      .code = ErrorCode::kRefused,
      .public_message =
          "at the sizes that the policy declares, this question can take " +
          (fits ? MiB(wanted->held_bytes) + " for its groups, of " + MiB(whole_->held_bytes)
                : MiB(wanted->engine_bytes) + " of the engine's " + MiB(whole_->engine_bytes)),
      .hint = fits ? "group by columns with public keys, or let the owner raise engine: memory_mb"
                   : "join, group and count fewer columns, or let the owner raise engine: spill_mb",
      .position = std::nullopt,
      .private_detail = "",
      .rule = "too_little_room"};
}

bool EngineRoom::HasRoomFor(const plan::Room& wanted) const {
  return inside_ < inside_max_ &&
         taken_.engine_bytes + wanted.engine_bytes <= whole_->engine_bytes &&
         taken_.held_bytes + wanted.held_bytes <= whole_->held_bytes;
}

EngineRoom::Stay EngineRoom::Enter(EngineRoom* room, const plan::PrivatePlan& plan) {
  if (room == nullptr || !room->whole_) return {};
  std::optional<plan::Room> wanted = RoomOf(plan);
  if (!wanted) return {};
  std::unique_lock lock(room->mutex_);
  room->turns_.push_back(&wanted);
  room->left_.wait(lock,
                   [&] { return room->turns_.front() == &wanted && room->HasRoomFor(*wanted); });
  room->turns_.pop_front();
  room->inside_ += 1;
  room->taken_.engine_bytes += wanted->engine_bytes;
  room->taken_.held_bytes += wanted->held_bytes;
  lock.unlock();
  room->left_.notify_all();
  return {room, std::move(*wanted)};
}

EngineRoom::Stay::~Stay() {
  if (room_ == nullptr) return;
  {
    const std::lock_guard lock(room_->mutex_);
    room_->inside_ -= 1;
    room_->taken_.engine_bytes -= taken_.engine_bytes;
    room_->taken_.held_bytes -= taken_.held_bytes;
  }
  room_->left_.notify_all();
}

}  // namespace tacit::gateway
