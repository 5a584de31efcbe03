#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ledger/ledger.h"

namespace tacit::app {

// Between its making and its end, Ctrl-C or SIGTERM ends the program with what `Says` was last
// given to say, and 128 and the signal's number as exit code; folders that go with the program are
// taken away. Made before any other thread, which would get the signal otherwise.
class Interrupt {
 public:
  explicit Interrupt(std::string sentence);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  // From now on this is asked for the sentence, on a thread of its own. Whatever it reads outlives
  // this object, or the next call.
  void Says(std::function<std::string()> sentence);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

// As long as it lives, who stops the program is told what was charged through this handle.
class SaysWhatWasCharged {
 public:
  SaysWhatWasCharged(Interrupt& interrupt, ledger::Ledger& ledger);
  SaysWhatWasCharged(const SaysWhatWasCharged&) = delete;
  SaysWhatWasCharged& operator=(const SaysWhatWasCharged&) = delete;
  ~SaysWhatWasCharged();

 private:
  Interrupt& interrupt_;
};

}  // namespace tacit::app
