#include "attack/auxiliary/town.h"

#include <algorithm>
#include <cmath>

namespace tacit::attack {

Town BuildTown(uint32_t people, Dice dice) {
  Town town;
  std::string rows;
  int64_t cancers = 0;
  double salaries = 0;
  for (uint32_t id = 2; id <= people; ++id) {
    const bool smokes = dice.Chance(0.3);
    const bool cancer = dice.Chance(smokes ? 0.15 : 0.01);
    const double exact = 20000 - 20000 * std::log(dice.Fraction());
    const auto salary = static_cast<int64_t>(std::round(std::min(exact, 200000.0) / 100) * 100);
    rows += std::to_string(id) + (smokes ? ",1," : ",0,") + (cancer ? "1," : "0,") +
            std::to_string(salary) + "\n";
    town.smokers += smokes ? 1 : 0;
    town.smokers_with_cancer += smokes && cancer ? 1 : 0;
    cancers += cancer ? 1 : 0;
    salaries += static_cast<double>(salary);
  }
  town.cancer_share = static_cast<double>(cancers) / (people - 1);
  town.average_salary = salaries / (people - 1);
  town.ada_salary = std::round(2 * town.average_salary / 100) * 100;
  const std::string header = "id,smokes,cancer,salary\n";
  const std::string ada = "1,1,1," + std::to_string(static_cast<int64_t>(town.ada_salary)) + "\n";
  town.csv_without = header + rows;
  town.csv_with_ada = header + ada + rows;
  return town;
}

InventedPolicy TownPolicy() {
  return {.budget_epsilon = "100000",
          .query_epsilon = "1",
          .columns =
              "{id: {}, smokes: {keys: [0, 1]}, cancer: {keys: [0, 1]}, "
              "salary: {bounds: [0, 200000], step: 100}}"};
}

}  // namespace tacit::attack
