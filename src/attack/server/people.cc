#include "attack/server/people.h"

#include <algorithm>

namespace tacit::attack {

int64_t People::with_secret() const {
  return std::count(has_secret.begin(), has_secret.end(), true) + others_with_secret;
}

People InventedPeople(uint32_t n, double chance, Dice& dice) {
  People people{.table = "people", .secret = "secret = 1", .shown = "an invented yes-or-no secret"};
  people.id_column = "id";
  for (uint32_t i = 0; i < n; ++i) {
    people.pins.push_back(std::to_string(i + 1));
    people.has_secret.push_back(dice.Chance(chance));
  }
  return people;
}

std::string SqlOf(const Question& question, const People& people) {
  const bool all_but = question.scope == Question::Scope::kAllBut;
  std::string sql = "SELECT count(*) FROM " + people.table + " WHERE " + people.secret;
  if (question.people.empty()) return all_but ? sql : sql + " AND 1 = 0";
  const bool by_id = !people.id_column.empty();
  std::string list;
  for (const uint32_t person : question.people) {
    if (!list.empty()) list += by_id ? ", " : " OR ";
    list += by_id ? people.pins[person] : "(" + people.pins[person] + ")";
  }
  if (by_id)
    return sql + " AND " + people.id_column + (all_but ? " NOT IN (" : " IN (") + list + ")";
  return sql + " AND (" + list + (all_but ? ") IS NOT TRUE" : ")");
}

std::vector<uint32_t> DrawTargets(const People& people, size_t count, Dice& dice) {
  std::vector<uint32_t> kinds[2];
  for (uint32_t i = 0; i < people.size(); ++i) kinds[people.has_secret[i] ? 1 : 0].push_back(i);
  for (std::vector<uint32_t>& kind : kinds) dice.Shuffle(kind);
  std::vector<uint32_t> targets;
  while (targets.size() < count) {
    std::vector<uint32_t>& kind = kinds[dice.Next() >> 63];
    if (kind.empty()) break;
    targets.push_back(kind.back());
    kind.pop_back();
  }
  return targets;
}

}  // namespace tacit::attack
