#pragma once

#include <libpq-fe.h>

#include "base/process/late_library.h"

// libpq's functions, loaded when a ledger in PostgreSQL is opened (base/process/late_library.h):
// linked, it would bring Kerberos, LDAP and a second TLS to the start of every command.

namespace tacit::ledger {

const LateLibrary& LibPq();

}  // namespace tacit::ledger

#define PQclear TACIT_LATE(::tacit::ledger::LibPq(), PQclear)
#define PQcmdStatus TACIT_LATE(::tacit::ledger::LibPq(), PQcmdStatus)
#define PQcmdTuples TACIT_LATE(::tacit::ledger::LibPq(), PQcmdTuples)
#define PQconnectdbParams TACIT_LATE(::tacit::ledger::LibPq(), PQconnectdbParams)
#define PQconnectionNeedsPassword TACIT_LATE(::tacit::ledger::LibPq(), PQconnectionNeedsPassword)
#define PQconnectionUsedPassword TACIT_LATE(::tacit::ledger::LibPq(), PQconnectionUsedPassword)
#define PQconsumeInput TACIT_LATE(::tacit::ledger::LibPq(), PQconsumeInput)
#define PQenterPipelineMode TACIT_LATE(::tacit::ledger::LibPq(), PQenterPipelineMode)
#define PQerrorMessage TACIT_LATE(::tacit::ledger::LibPq(), PQerrorMessage)
#define PQfinish TACIT_LATE(::tacit::ledger::LibPq(), PQfinish)
#define PQflush TACIT_LATE(::tacit::ledger::LibPq(), PQflush)
#define PQgetisnull TACIT_LATE(::tacit::ledger::LibPq(), PQgetisnull)
#define PQgetlength TACIT_LATE(::tacit::ledger::LibPq(), PQgetlength)
#define PQgetResult TACIT_LATE(::tacit::ledger::LibPq(), PQgetResult)
#define PQgetvalue TACIT_LATE(::tacit::ledger::LibPq(), PQgetvalue)
#define PQisBusy TACIT_LATE(::tacit::ledger::LibPq(), PQisBusy)
#define PQntuples TACIT_LATE(::tacit::ledger::LibPq(), PQntuples)
#define PQpipelineSync TACIT_LATE(::tacit::ledger::LibPq(), PQpipelineSync)
#define PQresultErrorField TACIT_LATE(::tacit::ledger::LibPq(), PQresultErrorField)
#define PQresultStatus TACIT_LATE(::tacit::ledger::LibPq(), PQresultStatus)
#define PQsendPrepare TACIT_LATE(::tacit::ledger::LibPq(), PQsendPrepare)
#define PQsendQueryParams TACIT_LATE(::tacit::ledger::LibPq(), PQsendQueryParams)
#define PQsendQueryPrepared TACIT_LATE(::tacit::ledger::LibPq(), PQsendQueryPrepared)
#define PQsetNoticeReceiver TACIT_LATE(::tacit::ledger::LibPq(), PQsetNoticeReceiver)
#define PQsetnonblocking TACIT_LATE(::tacit::ledger::LibPq(), PQsetnonblocking)
#define PQsocket TACIT_LATE(::tacit::ledger::LibPq(), PQsocket)
#define PQstatus TACIT_LATE(::tacit::ledger::LibPq(), PQstatus)
