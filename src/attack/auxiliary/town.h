#pragma once

#include <string>

#include "attack/dice.h"
#include "attack/scene/invented_deployment.h"

namespace tacit::attack {

// An invented town, from a fixed recipe: 30 % smoke; cancer comes to 15 % of smokers and 1 % of the
// others (lung cancer's lifetime risks are about that); a salary is 20,000 plus an exponential of
// mean 20,000, at most 200,000, to a multiple of 100. Ada is person 1: she smokes, has cancer, and
// earns twice the average of all the others.
struct Town {
  std::string csv_with_ada;
  std::string csv_without;
  double ada_salary = 0;
  // The truth without her.
  int64_t smokers = 0;
  int64_t smokers_with_cancer = 0;
  double cancer_share = 0;
  double average_salary = 0;
};
Town BuildTown(uint32_t people, Dice dice);

// A budget that holds all draws of the experiment: in a real deployment it would be the owner's.
InventedPolicy TownPolicy();

}  // namespace tacit::attack
