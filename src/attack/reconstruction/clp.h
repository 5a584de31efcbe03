#pragma once

#include <coin/Clp_C_Interface.h>

#include "base/process/late_library.h"

// CLP's functions, loaded when a linear program is solved (base/process/late_library.h). Linked, it
// would bring LAPACK and the Fortran runtime to the start of every command.

namespace tacit::attack {

const LateLibrary& Clp();

}  // namespace tacit::attack

#define Clp_deleteModel TACIT_LATE(::tacit::attack::Clp(), Clp_deleteModel)
#define Clp_getRowPrice TACIT_LATE(::tacit::attack::Clp(), Clp_getRowPrice)
#define Clp_isProvenOptimal TACIT_LATE(::tacit::attack::Clp(), Clp_isProvenOptimal)
#define Clp_loadProblem TACIT_LATE(::tacit::attack::Clp(), Clp_loadProblem)
#define Clp_newModel TACIT_LATE(::tacit::attack::Clp(), Clp_newModel)
#define Clp_primal TACIT_LATE(::tacit::attack::Clp(), Clp_primal)
#define Clp_setLogLevel TACIT_LATE(::tacit::attack::Clp(), Clp_setLogLevel)
#define Clp_status TACIT_LATE(::tacit::attack::Clp(), Clp_status)
