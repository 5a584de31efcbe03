#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

namespace tacit::gateway {

// Lets one of several equal questions through at a time: the others find its stored answer instead
// of paying for answers of their own.
class QuestionGate {
 public:
  // Held while the question is answered; the next equal one enters when it is let go.
  class Pass {
   public:
    Pass() = default;
    Pass(QuestionGate* gate, std::string fingerprint)
        : gate_(gate), fingerprint_(std::move(fingerprint)) {
      std::unique_lock lock(gate_->mutex_);
      gate_->left_.wait(lock, [&] { return gate_->inside_.insert(fingerprint_).second; });
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      if (gate_ == nullptr) return;
      {
        const std::lock_guard lock(gate_->mutex_);
        gate_->inside_.erase(fingerprint_);
      }
      gate_->left_.notify_all();
    }

   private:
    QuestionGate* gate_ = nullptr;
    std::string fingerprint_;
  };

  // Waits. Without a gate there is nobody to wait for.
  static Pass Enter(QuestionGate* gate, const std::string& fingerprint) {
    return gate == nullptr ? Pass() : Pass(gate, fingerprint);
  }

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::set<std::string> inside_;
};

}  // namespace tacit::gateway
