#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

// A server that answers counts, seen from outside.

namespace tacit::attack {

// "How many of these people have the secret?" People are numbers into a People list; everyone else
// in the table is counted by kAllBut as well.
struct Question {
  enum class Scope { kOnly, kAllBut };
  Scope scope = Scope::kOnly;
  std::vector<uint32_t> people;
};

struct Reply {
  std::optional<double> count;  // nothing: the server said no
  std::string refusal;          // its words
};

// What a server has given away so far by its own account. Sums of exact prices, rounded up.
struct Spent {
  double epsilon = 0;
  double delta = 0;
  double rho = 0;  // under zcdp
  bool zcdp = false;
};

class Server {
 public:
  virtual ~Server() = default;

  // An error is a failure of operation: no connection, a question that is not understood. A refusal
  // is a Reply.
  virtual Result<Reply> Ask(const Question& question) = 0;

  virtual std::string name() const = 0;
  virtual bool IsTacit() const { return false; }
  // Nothing for a server that keeps no account.
  virtual std::optional<Spent> spent() const { return std::nullopt; }
};

// The most often that anyone can guess one person's secret bit, seen as a fair coin, from answers
// that cost this much, whatever else they know; rounded up. 1/2 is blind guessing. Pure:
// (e^epsilon + delta) / (1 + e^epsilon); zCDP: by Pinsker and Bretagnolle-Huber, whichever is less.
double GuessBoundUp(const Spent& spent);

}  // namespace tacit::attack
