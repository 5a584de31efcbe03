#pragma once

// The types of what is set are ours to get right: curl's own check is made of macros.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/process/late_library.h"

// libcurl's functions, loaded when a policy's engine is Trino (base/process/late_library.h).
namespace tacit::engine::trino {

const LateLibrary& Libcurl();

}  // namespace tacit::engine::trino

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define TACIT_LIBCURL(function) TACIT_LATE(::tacit::engine::trino::Libcurl(), function)
#define curl_easy_cleanup TACIT_LIBCURL(curl_easy_cleanup)
#define curl_easy_getinfo TACIT_LIBCURL(curl_easy_getinfo)
#define curl_easy_init TACIT_LIBCURL(curl_easy_init)
#define curl_easy_perform TACIT_LIBCURL(curl_easy_perform)
#define curl_easy_reset TACIT_LIBCURL(curl_easy_reset)
#define curl_easy_setopt TACIT_LIBCURL(curl_easy_setopt)
#define curl_easy_strerror TACIT_LIBCURL(curl_easy_strerror)
#define curl_global_init TACIT_LIBCURL(curl_global_init)
#define curl_slist_append TACIT_LIBCURL(curl_slist_append)
#define curl_slist_free_all TACIT_LIBCURL(curl_slist_free_all)
