#pragma once

#include "catalog/catalog.h"

// The deployment that the catalog's tests ask about: two protected tables with hidden columns, a
// public one, and a table that the policy does not list.

namespace tacit::catalog::testing {

policy::Policy ClinicPolicy();
policy::Schema ClinicSchema();
Asker AskerAna();

}  // namespace tacit::catalog::testing
