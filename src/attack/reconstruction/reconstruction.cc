#include "attack/reconstruction/reconstruction.h"

#include "attack/reconstruction/charts.h"

namespace tacit::attack {
namespace {

Result<Done> Check(const Scene& scene, const ReconstructionSettings& settings) {
  if (settings.people < 8 || settings.people > 1024) {
    return InvalidArgument("--people is between 8 and 1024: they are solved for together");
  }
  if (settings.people > scene.people().size() / 2) {
    return InvalidArgument("--people " + std::to_string(settings.people) +
                           " is more than half of " + scene.source());
  }
  if (settings.runs < 1 || settings.tacit_runs < 1 || settings.questions < 1) {
    return InvalidArgument("--runs and --questions are at least 1");
  }
  return Done{};
}

}  // namespace

Result<Report> AttackByReconstruction(const Scene& scene, const ReconstructionSettings& settings,
                                      const Progress& progress) {
  TACIT_CHECK(Check(scene, settings));
  Report report{
      .name = "reconstruction",
      .title = "Reconstruction: too many answers, too accurate",
      .shows =
          "How many people of this random half have the secret? Each answer is a sum over many, "
          "and says nothing of anyone. A few hundred of them are a system of equations for "
          "everybody.",
      .parameters = {{"people", scene.source()},
                     {"secret", scene.people().shown},
                     {"reconstructed", std::to_string(settings.people)},
                     {"runs", std::to_string(settings.runs)},
                     {"runs against Tacit", std::to_string(settings.tacit_runs)}},
      .seed = settings.seed,
      .summary = {},
      .charts = {},
      .tables = {},
      .cautions = {},
      .defence = {}};
  TACIT_TRY(Chart servers,
            ServersChart(scene, settings, Between(progress, 0, 0.6), report.summary));
  TACIT_TRY(Chart threshold, ThresholdChart(settings, Between(progress, 0.6, 0.9)));
  TACIT_TRY(Chart noise, NoiseChart(settings, Between(progress, 0.9, 1)));
  report.summary.push_back(
      "Below noise of about a quarter of sqrt(n) nearly all secrets are right; at sqrt(n) and "
      "above "
      "the attack fades (Dinur and Nissim 2003).");
  report.charts = {std::move(servers), std::move(threshold), std::move(noise)};
  report.cautions = {
      "The curves over sqrt(n) are about invented coins with Gaussian noise, so that they can be "
      "compared with theory; the first chart is about the people named below.",
      "The best linear guess knows the noise's size, which is public for every server here."};
  report.defence = {
      "A budget that makes the noise grow with the number of questions",
      "m questions for one budget leave epsilon/m to each, so the noise grows like m, "
      "past sqrt(n) long before there are equations enough. This is not a choice of "
      "Tacit's: by the theorem, whoever answers more, more accurately, can be "
      "reconstructed."};
  return report;
}

}  // namespace tacit::attack
