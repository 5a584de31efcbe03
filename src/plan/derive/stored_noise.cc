#include "plan/derive/stored_noise.h"

#include <algorithm>

#include "noise/cube/cube_column.h"
#include "noise/error_estimate.h"
#include "plan/above/average_margin.h"
#include "plan/derive/words.h"

namespace tacit::plan {
namespace {

using Kind = StoredNoise::Kind;
constexpr const char* kNames[] = {"laplace", "gaussian", "cube", "chosen"};

// Why 251, and not more: as many as margins are made of. Of each sum of two that many are kept.
constexpr int kParts = kDraws;

std::vector<Integer> Errors(const StoredNoise& noise, const noise::CubeNoise* cube, int parts) {
  if (noise.kind == Kind::kLaplace) return noise::LaplaceErrors(noise.scale, parts);
  if (noise.kind == Kind::kGaussian) {
    return noise::GaussianErrors(Rational(noise.scale * noise.scale), parts);
  }
  return noise::CubeErrors(*cube, noise.coordinate, parts);
}

// Of two independent errors added up, each given by equally likely ones: as many of the sums, the
// middle one of each part. How likely the ends are is kept by taking the middle of many.
std::vector<Integer> Added(const std::vector<Integer>& a, const std::vector<Integer>& b) {
  std::vector<Integer> sums;
  sums.reserve(a.size() * b.size());
  for (const Integer& one : a) {
    for (const Integer& other : b) sums.push_back(Integer(one + other));
  }
  std::sort(sums.begin(), sums.end());
  std::vector<Integer> middles;
  const size_t part = b.size();
  for (size_t i = 0; i < a.size(); ++i) middles.push_back(sums[i * part + part / 2]);
  return middles;
}

// By doubling: a handful of additions for any number of numbers.
std::vector<Integer> AddedUp(const std::vector<Integer>& one, uint64_t numbers) {
  std::vector<Integer> power = one;
  std::vector<Integer> sum;
  for (uint64_t left = numbers; left > 0; left /= 2) {
    if (left % 2 == 1) sum = sum.empty() ? power : Added(sum, power);
    if (left > 1) power = Added(power, power);
  }
  return sum;
}

// What is said of a sum that was added up from stored numbers.
class AddedNoise final : public noise::ColumnMechanism {
 public:
  AddedNoise(const StoredNoise& noise, std::vector<Integer> errors, Integer error_at_95,
             Rational scale, uint64_t numbers)
      : kind_(noise.kind),
        errors_(std::move(errors)),
        error_at_95_(std::move(error_at_95)),
        scale_(std::move(scale)),
        numbers_(numbers) {}

  noise::Form Reads() const override { return noise::Form::kNumber; }
  // Nothing is drawn: what was drawn has been paid for.
  accounting::Event event() const override { return accounting::PureEvent{Epsilon(Rational(0))}; }
  Integer ErrorAt95() const override { return error_at_95_; }
  Rational ScaleUp() const override { return scale_; }
  std::vector<Integer> ErrorsOf(int parts) const override {
    TACIT_ASSERT(parts == kParts);
    return errors_;
  }
  std::string Name() const override {
    if (kind_ == Kind::kCube) return "discrete_cube";
    return kind_ == Kind::kLaplace ? "discrete_laplace" : "discrete_gaussian";
  }
  std::string WordsFor(const std::string& scale) const override {
    return "the noise of " + std::to_string(numbers_) +
           (numbers_ == 1 ? " stored number" : " stored numbers added up") + ", of scale " + scale;
  }
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this + errors_.size() * 2 * sizeof(Integer); }

 private:
  Int128 Draw(const noise::ExactNumber&, Entropy&) const override {
    TACIT_ASSERT(false);
    return 0;
  }

  Kind kind_;
  std::vector<Integer> errors_;
  Integer error_at_95_;
  Rational scale_;
  uint64_t numbers_;
};

std::optional<Integer> ReadWhole(const std::string& text) {
  Integer value;
  if (text.empty() || value.set_str(text, 10) != 0 || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<StoredNoise> NoiseOf(const noise::ColumnMechanism& mechanism) {
  StoredNoise noise;
  noise.scale = mechanism.ScaleUp();
  if (mechanism.ReadsCells()) {
    noise.kind = Kind::kChosen;
    noise.chosen_error = mechanism.ErrorAt95();
    return noise;
  }
  if (const noise::CubeNoise* cube = mechanism.cube()) {
    noise.kind = Kind::kCube;
    noise.scale = cube->scale();
    noise.coordinate = mechanism.coordinate();
    for (size_t i = 0; i < cube->size(); ++i) noise.widths.push_back(cube->width(i));
    return noise;
  }
  if (mechanism.Name() == "discrete_gaussian") {
    noise.kind = Kind::kGaussian;
  } else if (mechanism.Name() != "discrete_laplace") {
    return std::nullopt;
  }
  return noise;
}

std::string WordOf(const StoredNoise& noise) {
  std::string word =
      std::string(kNames[static_cast<int>(noise.kind)]) + ":" + ToString(noise.scale);
  if (noise.kind == Kind::kChosen) word += ":" + noise.chosen_error.get_str();
  if (noise.kind != Kind::kCube) return word;
  word += ":" + std::to_string(noise.coordinate);
  for (const Integer& width : noise.widths) word += ":" + width.get_str();
  return word;
}

std::optional<StoredNoise> ReadNoise(const std::string& word) {
  const std::vector<std::string> parts = PartsOf(word, ':');
  const auto name = std::find(std::begin(kNames), std::end(kNames), parts.empty() ? "" : parts[0]);
  if (parts.size() < 2 || name == std::end(kNames)) return std::nullopt;
  StoredNoise noise;
  noise.kind = static_cast<Kind>(name - std::begin(kNames));
  Result<Rational> scale = ParseRational(parts[1]);
  if (!scale.ok()) return std::nullopt;
  noise.scale = *scale;
  if (noise.kind == Kind::kChosen && parts.size() > 2) {
    noise.chosen_error = ReadWhole(parts[2]).value_or(0);
  }
  if (noise.kind == Kind::kCube && parts.size() > 2) {
    noise.coordinate = ReadWhole(parts[2]).value_or(0).get_ui();
    for (size_t i = 3; i < parts.size(); ++i)
      noise.widths.push_back(ReadWhole(parts[i]).value_or(0));
  }
  return WordOf(noise) == word ? std::optional(std::move(noise)) : std::nullopt;
}

std::optional<noise::AnyMechanism> SumOf(const StoredNoise& noise, uint64_t numbers) {
  if (noise.kind == Kind::kChosen || noise.scale <= 0 || numbers == 0) return std::nullopt;
  std::optional<noise::CubeNoise> cube;
  if (noise.kind == Kind::kCube) {
    Result<noise::CubeNoise> made = noise::CubeNoise::Make(
        {.widths = noise.widths, .rows = 1, .epsilon = Epsilon(Rational(1 / noise.scale))});
    if (!made.ok() || noise.coordinate >= made->size()) return std::nullopt;
    cube = std::move(made).value();
  }
  const noise::CubeNoise* const drawn = cube ? &*cube : nullptr;
  std::vector<Integer> errors = AddedUp(Errors(noise, drawn, kParts), numbers);
  Integer error;
  Rational scale = noise.scale;
  if (drawn != nullptr)
    scale = noise::CubeColumn(std::make_shared<const noise::CubeNoise>(*cube), noise.coordinate)
                .ScaleUp();
  if (numbers == 1) {
    error = noise.kind == Kind::kLaplace ? noise::LaplaceErrorAt95(noise.scale)
            : noise.kind == Kind::kGaussian
                ? noise::GaussianErrorAt95(Rational(noise.scale * noise.scale))
                : noise::CubeEstimate(*cube).ErrorAt95(cube->width(noise.coordinate));
  } else if (noise.kind == Kind::kGaussian) {
    const Rational variance = Rational(noise.scale * noise.scale * Rational(Integer(numbers)));
    error = noise::GaussianErrorAt95(variance);
  } else {
    // One part further out than the share says: the parts have middles, and no ends.
    std::vector<Integer> sizes;
    for (const Integer& each : errors) sizes.push_back(abs(each));
    std::sort(sizes.begin(), sizes.end());
    error = sizes[std::min(sizes.size() - 1, sizes.size() * 95 / 100 + 1)];
  }
  if (numbers > 1) scale = Rational(scale * SquareRootUp(Rational(Integer(numbers))));
  return noise::AnyMechanism(AddedNoise(noise, std::move(errors), error, scale, numbers));
}

}  // namespace tacit::plan
