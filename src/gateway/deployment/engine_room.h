#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "plan/private_plan.h"
#include "policy/policy.h"

namespace tacit::gateway {

// The room that an open engine has for all questions together, in declared numbers only. A question
// of which it is known what it can take at most is let in when that much is free, and then fits
// whatever the rows are; one that would not fit an empty room is refused while nothing is charged.
// Where the policy does not declare memory_mb and spill_mb, or a question reads a table without
// rows_max, nobody waits and nothing is known.
class EngineRoom {
 public:
  explicit EngineRoom(const policy::Policy& policy);

  // kRefused, rule `too_little_room`, for a plan that can take more than there is.
  Result<Done> Check(const plan::PrivatePlan& plan) const;

  // As long as it lives, the plan's room is its own.
  class Stay {
   public:
    Stay() = default;
    Stay(EngineRoom* room, plan::Room taken) : room_(room), taken_(std::move(taken)) {}
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;
    ~Stay();

   private:
    EngineRoom* room_ = nullptr;
    plan::Room taken_;
  };

  // Waits its turn. Without a room there is nobody to wait for. The plan has passed Check.
  static Stay Enter(EngineRoom* room, const plan::PrivatePlan& plan);

 private:
  bool HasRoomFor(const plan::Room& wanted) const;

  std::optional<plan::Room> whole_;
  size_t inside_max_ = 0;  // so that each has the memory that cannot be spilled
  size_t inside_ = 0;
  std::mutex mutex_;
  std::condition_variable left_;
  plan::Room taken_;
  std::deque<const void*> turns_;  // who waits, in order: a large one is not passed for ever
};

}  // namespace tacit::gateway
