#include <cstdio>
#include <memory>

#include "commands.h"
#include "owner/clinic.h"

// tacit demo: invented data to try everything on.

namespace tacit::app {

void AddDemoCommand(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<owner::ClinicRequest>();
  CLI::App* demo = app.add_subcommand("demo", "Write sample data to try Tacit on");
  demo->require_subcommand(1);
  CLI::App* clinic = demo->add_subcommand("clinic", "Patients, visits and departments as CSV");
  clinic->footer(
      "Examples:\n"
      "  tacit demo clinic clinic-files\n"
      "  tacit init clinic --table patients=clinic-files/patients.csv "
      "--table visits=clinic-files/visits.csv \\\n"
      "    --table departments=clinic-files/departments.csv --unit patients.ssn "
      "--unit visits.patient_ssn\n"
      "  cp clinic-files/tacit.yaml clinic/tacit.yaml");
  clinic->add_option("DIR", request->folder, "The folder for the files")->required();
  clinic->add_option("--patients", request->patients, "How many patients")->capture_default_str();
  clinic->add_option("--seed", request->seed, "Another clinic of the same kind")
      ->capture_default_str();
  clinic->callback([request, &exit_code] {
    const Result<owner::ClinicFiles> files = owner::WriteClinic(*request);
    if (!files.ok()) {
      exit_code = Report(files.error());
      return;
    }
    std::printf("%s: %lld patients, %lld visits, 8 departments, and their policy\n",
                request->folder.c_str(), static_cast<long long>(files->patients),
                static_cast<long long>(files->visits));
  });
}

}  // namespace tacit::app
