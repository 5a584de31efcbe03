#pragma once

#include <libpq-fe.h>

#include "base/process/late_library.h"

// libpq's functions, loaded when a policy's engine is PostgreSQL (base/process/late_library.h).
namespace tacit::engine::postgres {

const LateLibrary& Libpq();

}  // namespace tacit::engine::postgres

#define TACIT_LIBPQ(function) TACIT_LATE(::tacit::engine::postgres::Libpq(), function)
#define PQclear TACIT_LIBPQ(PQclear)
#define PQconnectPoll TACIT_LIBPQ(PQconnectPoll)
#define PQconnectStartParams TACIT_LIBPQ(PQconnectStartParams)
#define PQconninfoFree TACIT_LIBPQ(PQconninfoFree)
#define PQconninfoParse TACIT_LIBPQ(PQconninfoParse)
#define PQconsumeInput TACIT_LIBPQ(PQconsumeInput)
#define PQerrorMessage TACIT_LIBPQ(PQerrorMessage)
#define PQfinish TACIT_LIBPQ(PQfinish)
#define PQflush TACIT_LIBPQ(PQflush)
#define PQfreemem TACIT_LIBPQ(PQfreemem)
#define PQftype TACIT_LIBPQ(PQftype)
#define PQgetResult TACIT_LIBPQ(PQgetResult)
#define PQgetisnull TACIT_LIBPQ(PQgetisnull)
#define PQgetlength TACIT_LIBPQ(PQgetlength)
#define PQgetvalue TACIT_LIBPQ(PQgetvalue)
#define PQisBusy TACIT_LIBPQ(PQisBusy)
#define PQnfields TACIT_LIBPQ(PQnfields)
#define PQfname TACIT_LIBPQ(PQfname)
#define PQntuples TACIT_LIBPQ(PQntuples)
#define PQparameterStatus TACIT_LIBPQ(PQparameterStatus)
#define PQresultErrorField TACIT_LIBPQ(PQresultErrorField)
#define PQresultStatus TACIT_LIBPQ(PQresultStatus)
#define PQsendDescribePrepared TACIT_LIBPQ(PQsendDescribePrepared)
#define PQsendPrepare TACIT_LIBPQ(PQsendPrepare)
#define PQsendQuery TACIT_LIBPQ(PQsendQuery)
#define PQsendQueryParams TACIT_LIBPQ(PQsendQueryParams)
#define PQsendQueryPrepared TACIT_LIBPQ(PQsendQueryPrepared)
#define PQserverVersion TACIT_LIBPQ(PQserverVersion)
#define PQsetNoticeReceiver TACIT_LIBPQ(PQsetNoticeReceiver)
#define PQsetnonblocking TACIT_LIBPQ(PQsetnonblocking)
#define PQsocket TACIT_LIBPQ(PQsocket)
#define PQstatus TACIT_LIBPQ(PQstatus)
