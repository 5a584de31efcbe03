#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "ledger/ledger.h"
#include "plan/derive/shape.h"

namespace tacit::gateway {

// What each asker's newest charges tell of their tables, read once: a question looks at the charges
// that came since the last one. The same as reading all of them again, because a record never
// changes; each asker's are apart. From any thread.
class OwnShapes {
 public:
  struct Known {
    ledger::ReleaseId id;
    plan::Shape shape;
    size_t bytes = 0;
  };
  using Look = std::function<void(const std::vector<const Known*>&)>;

  // `look` sees them, the oldest first, and keeps none of them.
  Result<Done> Of(const std::string& analyst, int64_t data_version, ledger::Ledger& ledger,
                  const Look& look);

 private:
  struct Charge {
    int64_t sequence = 0;
    std::deque<Known> tables;
  };
  struct Own {
    std::mutex mutex;
    int64_t data_version = 0;
    std::deque<Charge> charges;  // as many as Ledger::OwnChargesAfter would tell of
    size_t bytes = 0;            // of their shapes, as they are kept
  };
  std::shared_ptr<Own> OwnOf(const std::string& analyst);
  static void Forget(Own& own);
  static void ForgetTheOldest(Own& own);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Own>> of_;  // by analyst
};

}  // namespace tacit::gateway
