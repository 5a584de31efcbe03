#pragma once

#include <libpq-fe.h>

#include "base/process/late_library.h"

// libpq's functions, loaded when an attack asks a server (base/process/late_library.h). Linked, it
// would bring Kerberos, LDAP and a second TLS to the start of every command.

namespace tacit::attack {

const LateLibrary& LibPq();

}  // namespace tacit::attack

#define PQclear TACIT_LATE(::tacit::attack::LibPq(), PQclear)
#define PQconnectdb TACIT_LATE(::tacit::attack::LibPq(), PQconnectdb)
#define PQerrorMessage TACIT_LATE(::tacit::attack::LibPq(), PQerrorMessage)
#define PQexec TACIT_LATE(::tacit::attack::LibPq(), PQexec)
#define PQfinish TACIT_LATE(::tacit::attack::LibPq(), PQfinish)
#define PQgetisnull TACIT_LATE(::tacit::attack::LibPq(), PQgetisnull)
#define PQgetvalue TACIT_LATE(::tacit::attack::LibPq(), PQgetvalue)
#define PQntuples TACIT_LATE(::tacit::attack::LibPq(), PQntuples)
#define PQresultErrorField TACIT_LATE(::tacit::attack::LibPq(), PQresultErrorField)
#define PQresultStatus TACIT_LATE(::tacit::attack::LibPq(), PQresultStatus)
#define PQsetNoticeReceiver TACIT_LATE(::tacit::attack::LibPq(), PQsetNoticeReceiver)
#define PQstatus TACIT_LATE(::tacit::attack::LibPq(), PQstatus)
