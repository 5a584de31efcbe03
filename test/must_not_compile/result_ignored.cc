// WRONG: ignoring return
#include "base/result.h"

tacit::Result<tacit::Done> Save();

void Run() {
#ifdef WRONG
  Save();
#else
  if (!Save().ok()) return;
#endif
}
