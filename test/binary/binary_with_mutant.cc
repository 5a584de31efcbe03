// A program whose guards can be taken out, which the shipped one must not have. The check has to
// find it here.
#include "base/mutant.h"

int main(int argc, char**) {
  tacit::SetMutant(argc > 1 ? "guard" : "");
  return TACIT_MUTANT("guard") ? 1 : 0;
}
