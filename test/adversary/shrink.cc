#include "shrink.h"

#include <set>

namespace tacit::adversary {
namespace {

// Why 500: some ten seconds; what is left is short enough to read.
constexpr int kTrialsMax = 500;

class Shrinking {
 public:
  Shrinking(const Question& question, std::string kind, const Scene& scene, Stage& stage,
            uint64_t number)
      : best_(question), kind_(std::move(kind)), scene_(scene), stage_(stage), number_(number) {}

  Question Best() {
    for (bool better = true; better && trials_ < kTrialsMax;) {
      better = false;
      for (size_t size = std::max<size_t>(best_.choices.size() / 2, 1);; size /= 2) {
        better = Pass(size, true) || better;
        better = Pass(size, false) || better;
        if (size <= 1) break;
      }
    }
    return best_;
  }

 private:
  // Every run of `size` choices is taken out, or set to the simplest.
  bool Pass(size_t size, bool take_out) {
    bool better = false;
    for (size_t at = 0; at + size <= best_.choices.size() && trials_ < kTrialsMax;) {
      std::vector<uint32_t> list = best_.choices;
      const auto from = list.begin() + static_cast<std::ptrdiff_t>(at);
      const auto to = from + static_cast<std::ptrdiff_t>(size);
      if (take_out) {
        list.erase(from, to);
      } else {
        std::fill(from, to, 0u);
      }
      if (StillFails(std::move(list))) {
        better = true;
        if (take_out) continue;
      }
      at += size;
    }
    return better;
  }

  bool StillFails(std::vector<uint32_t> list) {
    Question simpler = Write(Choices(std::move(list)), scene_);
    if (simpler.text.size() >= best_.text.size() || !tried_.insert(simpler.text).second) {
      return false;
    }
    ++trials_;
    const Outcome outcome = Try(simpler, scene_, stage_, ++number_);
    for (const Violation& violation : outcome.violations) {
      if (violation.kind != kind_) continue;
      best_ = std::move(simpler);
      return true;
    }
    return false;
  }

  Question best_;
  const std::string kind_;
  const Scene& scene_;
  Stage& stage_;
  uint64_t number_;
  int trials_ = 0;
  std::set<std::string> tried_;
};

}  // namespace

Question Shrink(const Question& question, const std::string& kind, const Scene& scene, Stage& stage,
                uint64_t number) {
  return Shrinking(question, kind, scene, stage, number).Best();
}

}  // namespace tacit::adversary
