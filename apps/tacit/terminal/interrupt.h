#pragma once

#include <functional>
#include <memory>
#include <string>

namespace tacit::app {

// Between its making and its end, Ctrl-C ends the program with what `Says` was last given to say,
// and exit code 130. Made before any other thread, which would get the signal otherwise.
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

}  // namespace tacit::app
