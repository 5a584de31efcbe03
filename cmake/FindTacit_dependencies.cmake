# Everything outside the project, found in one place. scripts/setup installs all of it, by what
# asks for it.

find_package(PkgConfig REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(Boost 1.81 REQUIRED)
if(TACIT_TESTS)
  find_package(GTest REQUIRED)
endif()
pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp gmpxx)
pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(LIBIDN REQUIRED IMPORTED_TARGET libidn)
pkg_check_modules(JEMALLOC REQUIRED IMPORTED_TARGET jemalloc)

# Headers only, for what loads the library itself when it needs it (src/base/process/late_library.h).
pkg_check_modules(LIBPQ REQUIRED libpq)
add_library(LibPq::Headers INTERFACE IMPORTED)
target_include_directories(LibPq::Headers SYSTEM INTERFACE ${LIBPQ_INCLUDE_DIRS})
pkg_check_modules(LIBCURL REQUIRED libcurl)
add_library(Libcurl::Headers INTERFACE IMPORTED)
target_include_directories(Libcurl::Headers SYSTEM INTERFACE ${LIBCURL_INCLUDE_DIRS})
find_path(CLP_INCLUDE_DIR coin/Clp_C_Interface.h REQUIRED)
add_library(Clp::Headers INTERFACE IMPORTED)
target_include_directories(Clp::Headers SYSTEM INTERFACE ${CLP_INCLUDE_DIR} ${CLP_INCLUDE_DIR}/coin)

# libpg_query and the protobuf-c runtime that reads its tree; Debian ships no pkg-config file for it.
pkg_check_modules(PROTOBUF_C REQUIRED IMPORTED_TARGET libprotobuf-c)
find_path(PG_QUERY_INCLUDE_DIR pg_query.h REQUIRED)
find_library(PG_QUERY_LIBRARY pg_query REQUIRED)
add_library(PgQuery::PgQuery INTERFACE IMPORTED)
target_include_directories(PgQuery::PgQuery INTERFACE ${PG_QUERY_INCLUDE_DIR})
target_link_libraries(PgQuery::PgQuery INTERFACE ${PG_QUERY_LIBRARY} PkgConfig::PROTOBUF_C)

# DuckDB: the system's if it has header and library, else both as scripts/setup fetched them. Never
# the header of one with the library of the other.
find_path(DUCKDB_SYSTEM_INCLUDE_DIR duckdb.h)
find_library(DUCKDB_SYSTEM_LIBRARY duckdb)
set(tacit_fetched_duckdb ${CMAKE_SOURCE_DIR}/build/deps/duckdb)
if(DUCKDB_SYSTEM_INCLUDE_DIR AND DUCKDB_SYSTEM_LIBRARY)
  set(DUCKDB_INCLUDE_DIR ${DUCKDB_SYSTEM_INCLUDE_DIR})
  set(DUCKDB_LIBRARY ${DUCKDB_SYSTEM_LIBRARY})
elseif(EXISTS ${tacit_fetched_duckdb}/include/duckdb.h
       AND EXISTS ${tacit_fetched_duckdb}/lib/libduckdb.so)
  set(DUCKDB_INCLUDE_DIR ${tacit_fetched_duckdb}/include)
  set(DUCKDB_LIBRARY ${tacit_fetched_duckdb}/lib/libduckdb.so)
else()
  message(FATAL_ERROR "DuckDB was not found: run ./scripts/setup")
endif()
add_library(DuckDB::DuckDB SHARED IMPORTED)
set_target_properties(DuckDB::DuckDB PROPERTIES
  IMPORTED_LOCATION ${DUCKDB_LIBRARY}
  IMPORTED_NO_SONAME TRUE
  INTERFACE_INCLUDE_DIRECTORIES ${DUCKDB_INCLUDE_DIR})
# For what loads the library itself, when it needs it (src/engine/duckdb/database/api.h).
add_library(DuckDB::Headers INTERFACE IMPORTED)
target_include_directories(DuckDB::Headers INTERFACE ${DUCKDB_INCLUDE_DIR})
# Where programs look for it: beside themselves, never at a path of the machine that built them. The
# build folder is laid out as an installation is, build/release/tacit as bin/tacit, so that what is
# tested is what ships.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/tacit")
set(TACIT_BRINGS_DUCKDB OFF)
if(NOT DUCKDB_LIBRARY STREQUAL "${DUCKDB_SYSTEM_LIBRARY}")
  set(TACIT_BRINGS_DUCKDB ON)
  file(MAKE_DIRECTORY ${CMAKE_SOURCE_DIR}/build/lib)
  file(CREATE_LINK ../deps/duckdb/lib ${CMAKE_SOURCE_DIR}/build/lib/tacit SYMBOLIC)
endif()

set(Tacit_dependencies_FOUND TRUE)
