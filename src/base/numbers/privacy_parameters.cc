#include "base/numbers/privacy_parameters.h"

namespace tacit {
namespace {

Error OutOfRange(std::string_view name, const Rational& value, std::string_view range) {
  return InvalidArgument(std::string(name) + " must be " + std::string(range) + ", not " +
                         ToString(value));
}

}  // namespace

Result<Epsilon> CheckedEpsilon(const Rational& value, std::string_view name) {
  if (value <= 0) return OutOfRange(name, value, "above 0");
  return Epsilon(value);
}

Result<Delta> CheckedDelta(const Rational& value, std::string_view name) {
  if (value < 0 || value >= 1) return OutOfRange(name, value, "at least 0 and below 1");
  return Delta(value);
}

Result<Rho> CheckedRho(const Rational& value, std::string_view name) {
  if (value <= 0) return OutOfRange(name, value, "above 0");
  return Rho(value);
}

}  // namespace tacit
