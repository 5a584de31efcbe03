// WRONG: is protected|protected constructor|abstract
#include "base/secrets/entropy.h"

uint64_t Draw() { return tacit::Entropy::ForThisThread().NextWord(); }

#ifdef WRONG
tacit::Entropy Own() { return tacit::Entropy(); }
#endif
