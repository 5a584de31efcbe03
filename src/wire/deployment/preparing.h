#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "base/secrets/secret_bytes.h"
#include "owner/progress.h"
#include "policy/policy.h"

// Prepared copies for policies that are to be served. How long a table with a cap takes to be read
// shows how many rows above the cap somebody has, unless those were left out beforehand.

namespace tacit::wire {

// Whether the policy is served from a prepared copy only.
bool MustBePrepared(const policy::Policy& policy);
// Whether that copy has to be made first.
bool NeedsPreparing(const policy::Policy& policy, std::string_view key);

// Makes the copy. An error has the remedy of somebody who serves.
Result<Done> PrepareToServe(const policy::Policy& policy, std::string_view key,
                            const owner::Progress& progress, int threads);

// Makes a copy on a thread of its own, one at a time.
class BackgroundPreparing {
 public:
  using Finished = std::function<bool(const Result<Done>&)>;

  BackgroundPreparing() = default;
  BackgroundPreparing(const BackgroundPreparing&) = delete;
  BackgroundPreparing& operator=(const BackgroundPreparing&) = delete;
  ~BackgroundPreparing() { GiveUp(); }

  // What was begun before has been given up. `finished` is called on that thread when the copy is
  // in place, or cannot be, and again until it returns true; not when it was given up.
  void Begin(policy::Policy policy, SecretBytes key, Finished finished);

  // Returns when nothing is written any more.
  void GiveUp();

 private:
  std::atomic<bool> gives_up_{false};
  std::thread thread_;
};

}  // namespace tacit::wire
