#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "tacit/commands.h"

// tacit noise: raw samples for auditors, who trust a histogram of their own more than a claim of
// ours.

namespace tacit::app {
namespace {

struct NoiseFlags {
  std::string law;
  std::string scale;
  std::string count;
};

using Sampler = std::function<Int128(Entropy&)>;

Result<Sampler> MakeSampler(const NoiseFlags& flags) {
  TACIT_TRY(const Rational scale, ReadNumber("--scale", flags.scale));
  if (scale <= 0) return InvalidArgument("--scale must be above 0, not " + ToString(scale));
  if (scale > Rational(Integer(1) << noise::kScaleBitsMax)) {
    return InvalidArgument("--scale must be at most 2^100");
  }
  if (flags.law == "laplace") {
    TACIT_TRY(const auto laplace, noise::DiscreteLaplace::WithScale(scale));
    return Sampler([laplace](Entropy& entropy) { return laplace.Sample(entropy); });
  }
  if (flags.law == "gaussian") {
    TACIT_TRY(const auto gaussian, noise::DiscreteGaussian::WithSigmaSquared(scale * scale));
    return Sampler([gaussian](Entropy& entropy) { return gaussian.Sample(entropy); });
  }
  const noise::Geometric geometric(scale);
  return Sampler([geometric](Entropy& entropy) { return geometric.Sample(entropy); });
}

Result<uint64_t> ReadCount(const std::string& text) {
  // Why 10^15: more lines than any disk holds; a slip of the keyboard should say so at once.
  constexpr uint64_t kCountMax = 1'000'000'000'000'000;
  TACIT_TRY(const Rational count, ReadNumber("--count", text));
  if (count.get_den() != 1 || count < 1 ||
      count > Rational(static_cast<unsigned long>(kCountMax))) {
    return InvalidArgument("--count must be a whole number from 1 to 10^15, not " + text);
  }
  return uint64_t{count.get_num().get_ui()};
}

Error CannotWrite() {
  Error error;
  error.public_message = "the samples could not be written to standard output";
  return error;
}

Result<Done> PrintSamples(const NoiseFlags& flags) {
  TACIT_TRY(const Sampler sampler, MakeSampler(flags));
  TACIT_TRY(const uint64_t count, ReadCount(flags.count));
  // Why 64 KiB: one write per few thousand samples.
  constexpr size_t kBlockBytes = 1 << 16;
  Entropy& entropy = Entropy::ForThisThread();
  std::string block;
  for (uint64_t i = 0; i < count; ++i) {
    block += ToString(sampler(entropy));
    block += '\n';
    if (block.size() >= kBlockBytes || i + 1 == count) {
      if (std::fwrite(block.data(), 1, block.size(), stdout) != block.size()) {
        return CannotWrite();
      }
      block.clear();
    }
  }
  if (std::fflush(stdout) != 0) return CannotWrite();
  return Done{};
}

constexpr const char* kNoiseExamples = R"(
Examples:
  tacit noise laplace --scale 10 --count 5            five answers' worth of noise at epsilon 0.1
  tacit noise gaussian --scale 10 --count 1000000     a million samples to fit a variance to

What is drawn, exactly, one whole number a line:
  laplace     P(x) ~ exp(-|x| / S)
  gaussian    P(x) ~ exp(-x^2 / (2 S^2))
  geometric   P(x) ~ exp(-x / S) for x >= 0
S is any positive number, written like 10, 0.5 or 10/3. There is no seed: these are the samplers that
protect answers, with the operating system's entropy.)";

}  // namespace

void AddNoiseCommand(Command app) {
  auto flags = std::make_shared<NoiseFlags>();
  Command command = app.Subcommand("noise", "Print exact noise samples, for auditors");
  command.Footer(kNoiseExamples);
  command.Value("law", flags->law, "laplace, gaussian or geometric")
      .Required()
      .OneOf({"laplace", "gaussian", "geometric"});
  command.Value("--scale", flags->scale, "the scale S").Required();
  command.Value("--count", flags->count, "how many samples").Required();
  command.Action([flags] {
    const Result<Done> done = PrintSamples(*flags);
    return done.ok() ? kExitDone : Report(done.error());
  });
}

}  // namespace tacit::app
