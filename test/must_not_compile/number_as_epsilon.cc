// WRONG: invalid initialization|could not convert|no viable conversion|no matching function|no
// known conversion
#include "base/numbers/privacy_parameters.h"

void Spend(const tacit::Epsilon& epsilon);

void Run() {
#ifdef WRONG
  Spend(0.1);
#else
  Spend(tacit::Epsilon(1, 10));
#endif
}
