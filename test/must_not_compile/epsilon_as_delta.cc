// WRONG: invalid initialization|could not convert|no viable conversion|no matching function|no
// known conversion
#include "base/numbers/privacy_parameters.h"

void Spend(const tacit::Epsilon& epsilon, const tacit::Delta& delta);

void Run(const tacit::Epsilon& epsilon, const tacit::Delta& delta) {
#ifdef WRONG
  Spend(delta, epsilon);
#else
  Spend(epsilon, delta);
#endif
}
