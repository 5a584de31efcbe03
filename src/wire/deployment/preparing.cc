#include "wire/deployment/preparing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>

#include "owner/prepare.h"
#include "wire/words/log.h"

namespace tacit::wire {
namespace {

// Half of the cores: the others go on answering.
int ThreadsBeside() {
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency() / 2));
}

// Says in the log that another table is being stored: by number, since logs name no table.
owner::Progress Logged(const owner::Progress& progress) {
  struct Steps {
    std::string last;
    int count = 0;
  };
  return [progress, steps = std::make_shared<Steps>()](const std::string& table, double percent) {
    if (!table.empty() && table != steps->last) {
      steps->last = table;
      Log("preparing", {{"step", std::to_string(++steps->count)}});
    }
    return !progress || progress(table, percent);
  };
}

Error NoRoom() {
  return InvalidArgument("the tables cannot be prepared: the machine has no room",
                         "give it memory and threads, and reload again");
}

Result<Done> Caught(const std::function<Result<Done>()>& work) {
  try {
    return work();
  } catch (const std::exception&) {
    return NoRoom();
  }
}

}  // namespace

bool MustBePrepared(const policy::Policy& policy) {
  return policy.server.unprepared == policy::Unprepared::kPrepare &&
         std::any_of(policy.tables.begin(), policy.tables.end(),
                     [](const policy::Table& table) { return table.IsCapped(); });
}

bool NeedsPreparing(const policy::Policy& policy, std::string_view key) {
  return MustBePrepared(policy) && !owner::IsPrepared(policy, key);
}

Result<Done> PrepareToServe(const policy::Policy& policy, std::string_view key,
                            const owner::Progress& progress, int threads) {
  const auto start = std::chrono::steady_clock::now();
  const Result<std::vector<std::string>> tables =
      owner::Prepare(policy, key, Logged(progress), threads);
  if (!tables.ok()) {
    Error error = tables.error();
    error.public_message = "the tables cannot be prepared: " + error.public_message;
    error.hint += std::string(error.hint.empty() ? "" : "; ") +
                  "or write server: {unprepared: refuse}, or, where times may tell of people with "
                  "many rows, server: {unprepared: allow}";
    return error;
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  Log("prepared", {{"policy", policy::PolicyVersion(policy)}, {"seconds", seconds}});
  return Done{};
}

void BackgroundPreparing::Begin(policy::Policy policy, SecretBytes key, Finished finished) {
  GiveUp();
  gives_up_ = false;
  try {
    thread_ = std::thread([this, policy = std::move(policy), key = std::move(key), finished] {
      const auto go_on = [this](const std::string&, double) { return !gives_up_; };
      const Result<Done> prepared =
          Caught([&] { return PrepareToServe(policy, key, go_on, ThreadsBeside()); });
      while (!gives_up_ && !finished(prepared)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    });
  } catch (const std::exception&) {
    (void)finished(NoRoom());
  }
}

void BackgroundPreparing::GiveUp() {
  gives_up_ = true;
  if (thread_.joinable()) thread_.join();
}

}  // namespace tacit::wire
