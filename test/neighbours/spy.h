#pragma once

#include <map>

#include "measured.h"

namespace tacit::neighbours {

// Stands before an engine and keeps the exact groups of every release that passes, so that one
// question gives both what leaves and what it was made of.
class SpyEngine final : public engine::Engine {
 public:
  explicit SpyEngine(engine::Engine& behind) : behind_(behind) {}

  // What has been released already is the same on both sides of a comparison: a release that is
  // steered by an earlier one is asked with what was released in the other world.
  void FollowParametersOf(const SpyEngine& other) { leader_ = &other; }

  struct Seen {
    std::vector<engine::Value> parameters;
    SeenGroups exact;
  };
  const std::map<std::string, Seen>& seen() const { return seen_; }
  // The last plan that was asked for; null when none got so far.
  const plan::PrivatePlan* plan() const { return plan_ ? &*plan_ : nullptr; }

  void WorkFor(const std::string& asker) override { behind_.WorkFor(asker); }
  void EndQuestion() override { behind_.EndQuestion(); }
  Result<policy::Schema> ReadSchema() override { return behind_.ReadSchema(); }
  Result<std::vector<std::vector<engine::ResultColumn>>> Prepare(
      const plan::PrivatePlan& plan) override {
    plan_ = plan;
    return behind_.Prepare(plan);
  }
  Result<engine::ExactRelease> Run(const plan::Release& release,
                                   const std::vector<engine::Value>& parameters) override {
    const std::vector<engine::Value>* asked = &parameters;
    if (leader_ != nullptr) {
      const auto led = leader_->seen_.find(release.name);
      if (led != leader_->seen_.end()) asked = &led->second.parameters;
    }
    TACIT_TRY(engine::ExactRelease exact, behind_.Run(release, *asked));
    seen_[release.name] = {*asked, neighbours::Seen(exact)};
    return exact;
  }
  Result<std::vector<engine::Told>> Explain(const plan::PrivatePlan& plan) override {
    return behind_.Explain(plan);
  }
  Result<engine::ResultTable> Read(const plan::PublicTable& table) override {
    return behind_.Read(table);
  }

 private:
  engine::Engine& behind_;
  const SpyEngine* leader_ = nullptr;
  std::map<std::string, Seen> seen_;
  std::optional<plan::PrivatePlan> plan_;
};

}  // namespace tacit::neighbours
