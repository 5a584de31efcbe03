#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tacit::owner {

struct ClinicRequest {
  std::string folder;  // made if missing; files in it are replaced
  int64_t patients = 200'000;
  uint64_t seed = 1;
  bool parquet = false;  // instead of CSV, to be read in place (init/clinic_parquet.h)
};

struct ClinicFiles {
  int64_t patients = 0;
  int64_t visits = 0;
};

// Writes the invented clinic of the demo: patients.csv, visits.csv, departments.csv, and the policy
// that goes with them (examples/clinic/tacit.yaml). The same request writes the same bytes. The
// generator is a plain one with a seed: it draws sample data and has nothing to do with noise.
Result<ClinicFiles> WriteClinic(const ClinicRequest& request);

// That policy, with its comments.
std::string ClinicPolicy();

}  // namespace tacit::owner
