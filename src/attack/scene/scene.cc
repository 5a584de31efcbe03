#include "attack/scene/scene.h"

#include <algorithm>

#include "attack/report.h"
#include "attack/scene/invented_deployment.h"
#include "attack/scene/owners_people.h"
#include "attack/server/pg_server.h"
#include "attack/server/tacit_server.h"
#include "policy/load.h"

namespace tacit::attack {

Result<Scene> Scene::Invented(uint32_t n, double chance, const SceneSettings& settings,
                              uint64_t seed) {
  Scene scene;
  scene.settings_ = settings;
  TACIT_CHECK(scene.CheckServers());
  if (scene.Has("pg")) {
    return InvalidArgument("--pg asks about a deployment's people",
                           "name the folder whose tables the server holds");
  }
  Dice dice = Dice(seed).Part(1);
  scene.people_ = std::make_shared<const People>(InventedPeople(n, chance, dice));
  scene.source_ = Shown(n) + " invented people";
  if (scene.Has("tacit")) {
    TACIT_TRY(InventedDeployment made,
              MakeInventedDeployment(CsvOf(*scene.people_),
                                     {.columns = "{id: {}, secret: {keys: [0, 1]}}"}));
    scene.temporary_ = std::move(made.folder);
    scene.policy_ = std::move(made.policy);
  }
  return scene;
}

Result<Scene> Scene::OfDeployment(const std::string& path, const SceneSettings& settings) {
  Scene scene;
  scene.settings_ = settings;
  TACIT_CHECK(scene.CheckServers());
  TACIT_TRY(scene.policy_, policy::Load(path));
  TACIT_TRY(People people, OwnersPeople(scene.policy_, settings.table, settings.secret));
  scene.people_ = std::make_shared<const People>(std::move(people));
  scene.source_ = Shown(static_cast<double>(scene.people_->everyone())) + " people of " +
                  scene.people_->table + " in " + scene.policy_.file;
  return scene;
}

Result<Done> Scene::CheckServers() {
  if (settings_.servers.empty()) {
    settings_.servers = {"exact",   "small-counts", "rounding", "constant",
                         "bounded", "laplace",      "tacit"};
    if (!settings_.pg.empty()) settings_.servers.push_back("pg");
  }
  for (const std::string& server : settings_.servers) {
    if (server == "tacit") continue;
    if (server == "pg") {
      if (!settings_.pg.empty()) continue;
      return InvalidArgument("the server pg needs --pg", "e.g. --pg 'host=localhost user=ana'");
    }
    TACIT_CHECK(NaiveKindNamed(server));
  }
  const NaiveSettings& naive = settings_.naive;
  if (naive.threshold < 1 || naive.step < 1 || naive.bound < 1 || !(naive.epsilon > 0)) {
    return InvalidArgument("thresholds, steps, bounds and epsilons of servers are above 0");
  }
  return Done{};
}

bool Scene::Has(const std::string& server) const {
  return std::find(settings_.servers.begin(), settings_.servers.end(), server) !=
         settings_.servers.end();
}

Result<std::unique_ptr<Server>> Scene::Make(const std::string& server, const Dice& dice,
                                            std::optional<Epsilon> wished) const {
  if (!wished) wished = settings_.epsilon;
  if (server == "tacit") return MakeTacitServer(policy_, {.epsilon = wished}, people());
  if (server == "pg") {
    const Epsilon& price = wished ? *wished : policy_.privacy.query.epsilon;
    return MakePgServer({.conninfo = settings_.pg,
                         .epsilon = price.value.get_d(),
                         .zcdp = policy_.privacy.accounting == policy::Accounting::kZcdp},
                        people());
  }
  NaiveSettings naive = settings_.naive;
  TACIT_TRY(naive.kind, NaiveKindNamed(server));
  return MakeNaiveServer(naive, people(), dice);
}

double Scene::epsilon() const {
  const Epsilon& epsilon = settings_.epsilon ? *settings_.epsilon : policy_.privacy.query.epsilon;
  return epsilon.value.get_d();
}

double Scene::budget_epsilon() const { return policy_.privacy.budget.epsilon.value.get_d(); }

}  // namespace tacit::attack
