#include "tacit/version.h"

#include <gmp.h>
#include <mpfr.h>
#include <openssl/crypto.h>
#include <sqlite3.h>

#include "engine/duckdb/database/api.h"
#include "tacit_commit.h"

namespace tacit::app {
namespace {

// The library is found when it is needed; without it most commands still work.
std::string DuckdbVersion() {
  if (!engine::duckdb::LoadLibrary().ok()) return "(not found)";
  using Version = const char*();
  return reinterpret_cast<Version*>(engine::duckdb::FunctionAt("duckdb_library_version"))();
}

}  // namespace

std::string ShortVersion() {
  const std::string commit = TACIT_COMMIT;
  return std::string("tacit ") + TACIT_VERSION + (commit.empty() ? "" : " (" + commit + ")");
}

std::string LongVersion() {
  return ShortVersion() + "\nDuckDB " + DuckdbVersion() + "\nSQLite " + sqlite3_libversion() +
         "\n" + OpenSSL_version(OPENSSL_VERSION) + "\nGMP " + gmp_version + "\nMPFR " +
         mpfr_get_version();
}

}  // namespace tacit::app
