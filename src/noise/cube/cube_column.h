#pragma once

#include <memory>

#include "noise/column_mechanism.h"
#include "noise/cube/cube_error_estimate.h"

namespace tacit::noise {

// One of the numbers that a CubeNoise is drawn for. They are drawn together, by RowNoise, and never
// apart: a second draw would be a second release.
class CubeColumn final : public ColumnMechanism {
 public:
  // All columns of one noise hold the same object.
  CubeColumn(std::shared_ptr<const CubeNoise> noise, size_t coordinate)
      : noise_(std::move(noise)), coordinate_(coordinate) {
    TACIT_ASSERT(coordinate_ < noise_->size());
  }

  const CubeNoise* cube() const override { return noise_.get(); }
  size_t coordinate() const override { return coordinate_; }

  Form Reads() const override { return Form::kNumber; }
  // Its part of what the numbers cost together.
  accounting::Event event() const override {
    return accounting::PureEvent{
        Epsilon(Rational(noise_->epsilon().value / static_cast<unsigned long>(noise_->size())))};
  }
  Integer ErrorAt95() const override {
    return CubeEstimate(*noise_).ErrorAt95(noise_->width(coordinate_));
  }
  std::vector<Integer> ErrorsOf(int parts) const override {
    return CubeErrors(*noise_, coordinate_, parts);
  }
  // Its mean size, as a Laplace noise's scale is.
  Rational ScaleUp() const override {
    return Rational(noise_->scale() * noise_->width(coordinate_) *
                    Fraction(static_cast<unsigned long>(noise_->size() + 1), 2));
  }
  std::string Name() const override { return "discrete_cube"; }
  std::string WordsFor(const std::string& scale) const override {
    return "discrete noise of mean size " + scale + ", drawn together with " +
           std::to_string(noise_->size() - 1) + (noise_->size() == 2 ? " other" : " others");
  }
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this + sizeof *noise_; }

 private:
  Int128 Draw(const ExactNumber&, Entropy&) const override {
    TACIT_ASSERT(false);
    return 0;
  }

  std::shared_ptr<const CubeNoise> noise_;
  size_t coordinate_;
};

}  // namespace tacit::noise
