#pragma once

#include <string>
#include <vector>

#include "attack/dice.h"
#include "attack/server/server.h"

namespace tacit::attack {

// Whom an attack is about: how to name each of them in SQL (public), and the truth, which serves
// the naive servers and the score, never the attacker.
struct People {
  std::string table = {};   // as SQL writes it
  std::string secret = {};  // SQL that is true for those who have it: disease = 'Cold'
  std::string shown = {};   // the secret in words, for reports
  // With a public identifier: pins are its values, `id IN (1, 2)`. Without: each pin is a condition
  // over public columns that only this person meets.
  std::string id_column = {};
  std::vector<std::string> pins = {};
  std::vector<bool> has_secret = {};
  int64_t others = 0;  // people of the table that have no pin
  int64_t others_with_secret = 0;

  size_t size() const { return pins.size(); }
  int64_t everyone() const { return static_cast<int64_t>(pins.size()) + others; }
  int64_t with_secret() const;
};

// People 1 to n of a table that exists nowhere; each has the secret with this chance.
People InventedPeople(uint32_t n, double chance, Dice& dice);

// SELECT count(*) FROM patients WHERE disease = 'Cold' AND ssn IN (101, 105)
std::string SqlOf(const Question& question, const People& people);

// Whose secret an experiment guesses: for each a fair coin is thrown, then somebody is taken who
// has the secret or who has not. So blind guessing is right half of the time, whatever the rate in
// the table, and bounds on guessing apply as they are written. Nobody is taken twice; fewer than
// `count` when one kind runs out.
std::vector<uint32_t> DrawTargets(const People& people, size_t count, Dice& dice);

}  // namespace tacit::attack
