#include <cstdio>
#include <memory>

#include "owner/init/clinic.h"
#include "tacit/commands.h"

// tacit demo: invented data to try everything on.

namespace tacit::app {

void AddDemoCommand(Command app) {
  auto request = std::make_shared<owner::ClinicRequest>();
  Command demo = app.Subcommand("demo", "Write sample data to try Tacit on");
  demo.NeedsSubcommand();
  Command clinic = demo.Subcommand("clinic", "Patients, visits and departments as CSV");
  clinic.Footer(
      "Examples:\n"
      "  tacit demo clinic clinic-files\n"
      "  tacit init clinic --table patients=clinic-files/patients.csv "
      "--table visits=clinic-files/visits.csv \\\n"
      "    --table departments=clinic-files/departments.csv --unit patients.ssn "
      "--unit visits.patient_ssn\n"
      "  cp clinic-files/tacit.yaml clinic/tacit.yaml");
  clinic.Value("DIR", request->folder, "The folder for the files").Required();
  clinic.Value("--patients", request->patients, "How many patients").ShowsDefault();
  clinic.Value("--seed", request->seed, "Another clinic of the same kind").ShowsDefault();
  clinic.Switch("--parquet", request->parquet, "Parquet files instead, to be read where they are");
  clinic.Action([request] {
    const Result<owner::ClinicFiles> files = owner::WriteClinic(*request);
    if (!files.ok()) return Report(files.error());
    std::printf("%s: %lld patients, %lld visits, 8 departments%s\n", request->folder.c_str(),
                static_cast<long long>(files->patients), static_cast<long long>(files->visits),
                request->parquet ? "" : ", and their policy");
    const char* const from = request->folder.c_str();
    if (request->parquet) {
      std::printf(
          "to ask about them:\n"
          "  tacit init hospital --in-place --table patients='%s/patients/*.parquet' \\\n"
          "    --table visits='%s/visits/*/*.parquet' --table departments=%s/departments.parquet\n"
          "and finish hospital/tacit.yaml: examples/parquet/tacit.yaml is a policy for them\n",
          from, from, from);
      return kExitDone;
    }
    std::printf(
        "to ask about them:\n"
        "  tacit init clinic --table patients=%s/patients.csv --table visits=%s/visits.csv \\\n"
        "    --table departments=%s/departments.csv --unit patients.ssn --unit visits.patient_ssn\n"
        "  cp %s/tacit.yaml clinic/tacit.yaml\n"
        "  tacit prepare clinic\n"
        "  tacit query clinic \"SELECT sex, count(*), avg(age) FROM patients GROUP BY sex\"\n",
        from, from, from, from);
    return kExitDone;
  });
}

}  // namespace tacit::app
