#include "attack/server/naive_server.h"

#include <array>
#include <cmath>
#include <utility>

#include "attack/report.h"

namespace tacit::attack {
namespace {

constexpr std::array<std::pair<NaiveKind, const char*>, 7> kWords = {{
    {NaiveKind::kExact, "exact"},
    {NaiveKind::kSmallCounts, "small-counts"},
    {NaiveKind::kRounding, "rounding"},
    {NaiveKind::kConstant, "constant"},
    {NaiveKind::kBounded, "bounded"},
    {NaiveKind::kGaussian, "gaussian"},
    {NaiveKind::kLaplace, "laplace"},
}};

class NaiveServer final : public Server {
 public:
  NaiveServer(const NaiveSettings& settings, const People& people, const Dice& dice)
      : settings_(settings), people_(people), dice_(dice), total_(people.with_secret()) {
    constant_ = WholeWithin(settings_.bound);
  }

  Result<Reply> Ask(const Question& question) override {
    int64_t listed = 0;
    for (const uint32_t person : question.people) listed += people_.has_secret[person] ? 1 : 0;
    const int64_t exact = question.scope == Question::Scope::kOnly ? listed : total_ - listed;
    const auto count = static_cast<double>(exact);
    switch (settings_.kind) {
      case NaiveKind::kExact:
        return Reply{count, ""};
      case NaiveKind::kSmallCounts:
        if (exact < settings_.threshold) {
          return Reply{std::nullopt, "fewer than " + std::to_string(settings_.threshold)};
        }
        return Reply{count, ""};
      case NaiveKind::kRounding: {
        const auto step = static_cast<double>(settings_.step);
        return Reply{std::round(count / step) * step, ""};
      }
      case NaiveKind::kConstant:
        return Reply{count + static_cast<double>(constant_), ""};
      case NaiveKind::kBounded:
        return Reply{count + static_cast<double>(WholeWithin(settings_.bound)), ""};
      case NaiveKind::kGaussian:
        return Reply{count + settings_.deviation * dice_.Normal(), ""};
      case NaiveKind::kLaplace:
        return Reply{count + dice_.Laplace(1 / settings_.epsilon), ""};
    }
    return Reply{};
  }

  std::string name() const override {
    switch (settings_.kind) {
      case NaiveKind::kExact:
        return "exact answers";
      case NaiveKind::kSmallCounts:
        return "counts below " + std::to_string(settings_.threshold) + " refused";
      case NaiveKind::kRounding:
        return "rounded to " + std::to_string(settings_.step);
      case NaiveKind::kConstant:
        return "one constant offset within " + std::to_string(settings_.bound);
      case NaiveKind::kBounded:
        return "new noise within " + std::to_string(settings_.bound);
      case NaiveKind::kGaussian:
        return "Gaussian noise, sd " + Shown(settings_.deviation, 1);
      case NaiveKind::kLaplace:
        return "Laplace noise, no budget";
    }
    return "";
  }

 private:
  int64_t WholeWithin(int64_t bound) {
    return static_cast<int64_t>(dice_.Below(2 * static_cast<uint64_t>(bound) + 1)) - bound;
  }

  NaiveSettings settings_;
  const People& people_;
  Dice dice_;
  int64_t total_;
  int64_t constant_ = 0;
};

}  // namespace

std::string WordOf(NaiveKind kind) {
  for (const auto& [known, word] : kWords) {
    if (known == kind) return word;
  }
  return "";
}

Result<NaiveKind> NaiveKindNamed(const std::string& word) {
  std::string all;
  for (const auto& [kind, known] : kWords) {
    if (word == known) return kind;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  return InvalidArgument("there is no server '" + word + "'", "choose of " + all + " and tacit");
}

std::unique_ptr<Server> MakeNaiveServer(const NaiveSettings& settings, const People& people,
                                        const Dice& dice) {
  return std::make_unique<NaiveServer>(settings, people, dice);
}

}  // namespace tacit::attack
