#include "tacit/attack/servers.h"

#include <sstream>

#include "tacit/commands.h"

namespace tacit::app {

Flag AddServerFlags(Command command, ServerFlags& flags) {
  const Flag folder = command.Value(
      "DIR", flags.folder, "a deployment, whose people are attacked; without it, invented people");
  command.Value("--server", flags.servers,
                "exact, small-counts, rounding, constant, bounded, gaussian, laplace, tacit, "
                "pg; several with commas; all unless given");
  command.Value("--epsilon", flags.epsilon,
                "what Tacit is asked at; the policy's price unless given");
  command
      .Value("--laplace-epsilon", flags.scene.naive.epsilon,
             "of the server with fresh Laplace noise and no budget")
      .ShowsDefault();
  command.Value("--threshold", flags.scene.naive.threshold, "smaller counts are refused")
      .ShowsDefault();
  command.Value("--step", flags.scene.naive.step, "counts are rounded to it").ShowsDefault();
  command.Value("--bound", flags.scene.naive.bound, "of bounded and constant noise").ShowsDefault();
  command.Value("--pg", flags.scene.pg,
                "also ask the server behind this connection string (libpq's); a running "
                "gateway charges the analyst who connects");
  command.Value("--table", flags.scene.table, "of DIR: whose people");
  command.Value("--secret", flags.scene.secret, "of DIR: COLUMN=VALUE");
  AddAttackFlags(command, flags.common);
  return folder;
}

Result<attack::Scene> SceneOf(const ServerFlags& flags, uint32_t invented) {
  attack::SceneSettings settings = flags.scene;
  std::stringstream words(flags.servers);
  for (std::string word; std::getline(words, word, ',');) {
    if (!word.empty()) settings.servers.push_back(word);
  }
  if (!flags.epsilon.empty()) {
    TACIT_TRY(const Rational number, ReadNumber("--epsilon", flags.epsilon));
    TACIT_TRY(settings.epsilon, CheckedEpsilon(number, "--epsilon"));
  }
  if (!flags.folder.empty()) return attack::Scene::OfDeployment(flags.folder, settings);
  if (!settings.table.empty() || !settings.secret.empty()) {
    return InvalidArgument("--table and --secret are about a deployment", "name its folder");
  }
  return attack::Scene::Invented(invented, 0.5, settings, flags.common.seed);
}

}  // namespace tacit::app
