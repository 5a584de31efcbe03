#pragma once

#include <functional>
#include <utility>

#include "engine/engine.h"

namespace tacit::golden {

// Does something to the server between the charge and the statement, or while that runs.
class Meddling final : public engine::Engine {
 public:
  Meddling(engine::Engine& real, std::function<void()> before_run)
      : real_(real), before_run_(std::move(before_run)) {}
  void WorkFor(const std::string& asker) override { real_.WorkFor(asker); }
  void EndQuestion() override { real_.EndQuestion(); }
  Result<policy::Schema> ReadSchema() override { return real_.ReadSchema(); }
  Result<std::vector<std::vector<engine::ResultColumn>>> Prepare(
      const plan::PrivatePlan& plan) override {
    return real_.Prepare(plan);
  }
  Result<engine::ExactRelease> Run(const plan::Release& release,
                                   const std::vector<engine::Value>& parameters) override {
    before_run_();
    return real_.Run(release, parameters);
  }
  Result<std::vector<engine::Told>> Explain(const plan::PrivatePlan& plan) override {
    return real_.Explain(plan);
  }
  Result<engine::ResultTable> Read(const plan::PublicTable& table) override {
    return real_.Read(table);
  }

 private:
  engine::Engine& real_;
  std::function<void()> before_run_;
};

}  // namespace tacit::golden
