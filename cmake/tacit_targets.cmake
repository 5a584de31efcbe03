# One library per folder of src/, one test program per folder, the same flags everywhere.

add_library(tacit_flags INTERFACE)
target_compile_options(tacit_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror -Werror=unused-result -fno-omit-frame-pointer)
target_include_directories(tacit_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(TACIT_SANITIZE)
  target_compile_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE})
  # A dlopen that goes through a shared libasan or libtsan looks in its run path instead of the
  # program's; clang's are static by themselves.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    if(TACIT_SANITIZE MATCHES address)
      target_link_options(tacit_flags INTERFACE -static-libasan)
    elseif(TACIT_SANITIZE MATCHES thread)
      target_link_options(tacit_flags INTERFACE -static-libtsan)
    endif()
  endif()
  if(TACIT_SANITIZE MATCHES undefined AND NOT TACIT_FUZZ)
    # What these would find AddressSanitizer finds as well, and they take a third of the compiler's
    # time; the fuzzers' build has them.
    target_compile_options(tacit_flags INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      # clang 14 cannot place this check's word before a coroutine's parts.
      target_compile_options(tacit_flags INTERFACE -fno-sanitize=function)
    endif()
  endif()
else()
  # Nothing of the machine it was built on is in what ships.
  target_compile_options(tacit_flags INTERFACE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
  # What ships resists being taken over (test/binary/is_hardened): it is loaded anywhere, its tables of
  # functions are read-only, and its stack is watched.
  target_compile_options(tacit_flags INTERFACE
    -fPIE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection)
  target_link_options(tacit_flags INTERFACE -pie -Wl,-z,relro,-z,now,-z,noexecstack)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(tacit_flags INTERFACE -fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(tacit_flags INTERFACE -mbranch-protection=standard)
  endif()
endif()

# Several sources are compiled as one, which costs a third of compiling each: what they share is the
# headers and what is made of templates. In the release build eight, so that no unit takes long; where
# the whole is waited for, TACIT_TOGETHER_TIMES as many.
set(TACIT_TOGETHER_TIMES 1 CACHE STRING "How many times as many sources are compiled as one")
math(EXPR CMAKE_UNITY_BUILD_BATCH_SIZE "8 * ${TACIT_TOGETHER_TIMES}")
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # It takes a source that is included for a header, whose types others could see.
  target_compile_options(tacit_flags INTERFACE -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Warnings of gcc that some targets leave out.
  target_compile_options(tacit_flags INTERFACE -Wno-unknown-warning-option)
  if(NOT TACIT_FUZZ)
    # Not among gcc's conversions, which the release build is compiled with.
    target_compile_options(tacit_flags INTERFACE -Wno-sign-conversion)
  endif()
endif()
# Debian's mold links a test program in a quarter of a second, GNU ld in two.
find_program(TACIT_MOLD mold)
if(TACIT_MOLD)
  target_link_options(tacit_flags INTERFACE -fuse-ld=mold)
endif()

# The allocator of the program, and of what measures its parts (docs/decisions/allocator.md). Not
# beside a sanitizer, which has one of its own.
add_library(tacit_allocator INTERFACE)
if(NOT TACIT_SANITIZE)
  target_link_libraries(tacit_allocator INTERFACE PkgConfig::JEMALLOC)
endif()

# Guards that tests can take out (src/base/mutant.h).
if(TACIT_MUTANTS)
  target_compile_definitions(tacit_flags INTERFACE TACIT_MUTANTS)
endif()

if(TACIT_FUZZ)
  # Coverage of our own code is what guides the fuzzer.
  target_compile_options(tacit_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The tests of the sources are built and run under the sanitizers. In the other presets they can be
# built by name; what is built and run there by itself is marked RELEASE, or is a fuzzer.
# ThreadSanitizer looks at what several threads run (THREADS, and test/e2e), and at nothing else.
if(TACIT_SANITIZE STREQUAL "thread")
  set(TACIT_LOOKS_AT_THREADS ON)
  # The first race ends the program, so that no test passes over one, whatever it looks at.
  set(TACIT_SANITIZERS_ENVIRONMENT
    "TSAN_OPTIONS=halt_on_error=1:suppressions=\"${CMAKE_SOURCE_DIR}/tools/tsan.suppressions\"")
else()
  set(TACIT_LOOKS_AT_THREADS OFF)
endif()
if(TACIT_SANITIZE MATCHES "address" AND NOT TACIT_FUZZ)
  # Where memory came from is remembered by two frames, not thirty: a seventh of a test's time. Who
  # needs more of a report says so: ASAN_OPTIONS=malloc_context_size=30 build/dev/base_test.
  set(TACIT_SANITIZERS_ENVIRONMENT "ASAN_OPTIONS=malloc_context_size=2")
endif()
if(TACIT_SANITIZE AND NOT TACIT_FUZZ)
  set(TACIT_RUNS_TESTS ON)
else()
  set(TACIT_RUNS_TESTS OFF)
endif()
# Elsewhere the tests are not even known, so that the product can be built without their packages;
# scripts/build --tests turns this on, and a build folder keeps it.
option(TACIT_TESTS "Define the tests, which need more packages than the product" ${TACIT_RUNS_TESTS})
# Checks of the source tree look at files, not at a build, so one build runs them.
if(TACIT_RUNS_TESTS AND TACIT_SANITIZE MATCHES "address")
  set(TACIT_CHECKS_SOURCES ON)
else()
  set(TACIT_CHECKS_SOURCES OFF)
endif()

# What nearly every source includes, read once: a quarter of the compiler's time went there. Each
# source still names what it uses (the long test `alone` compiles every one by itself, without this).
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cc CONTENT "")  # written once
function(tacit_precompile target)
  add_library(${target} STATIC ${CMAKE_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${target} PUBLIC tacit_flags)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cmath> <cstdint> <cstdio>
    <cstring> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <utility> <variant> <vector> <gmpxx.h> ${ARGN})
endfunction()
# ccache asks for these: see CCACHE_SLOPPINESS in scripts/common.sh.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(tacit_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
else()
  # gcc 12 takes the strings of a precompiled header for shorter than they are.
  target_compile_options(tacit_flags INTERFACE -fpch-preprocess -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()
tacit_precompile(tacit_precompiled)

# tacit_library(base SOURCES a.cc b.cc DEPENDS GMP::gmp tacit_other [TOGETHER 3] [ALONE a.cc]): TOGETHER
# sources are compiled as one in the release build, eight unless said; fewer where their headers are
# heavy. Sources that take long are compiled ALONE there.
function(tacit_library name)
  cmake_parse_arguments(arg "" "TOGETHER" "SOURCES;DEPENDS;ALONE" ${ARGN})
  add_library(tacit_${name} STATIC ${arg_SOURCES})
  if(arg_TOGETHER)
    math(EXPR together "${arg_TOGETHER} * ${TACIT_TOGETHER_TIMES}")
    set_target_properties(tacit_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE ${together})
  endif()
  if(arg_ALONE AND TACIT_TOGETHER_TIMES EQUAL 1)
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_link_libraries(tacit_${name} PUBLIC tacit_flags ${arg_DEPENDS})
  target_precompile_headers(tacit_${name} REUSE_FROM tacit_precompiled)
endfunction()

# Programs that only --long runs are built there: scripts/build dev all long_programs.
add_custom_target(long_programs)
function(tacit_long_program target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  add_dependencies(long_programs ${target})
endfunction()

if(TACIT_TESTS)
  tacit_precompile(tacit_precompiled_tests <gmock/gmock.h> <gtest/gtest.h>)
  target_link_libraries(tacit_precompiled_tests PUBLIC GTest::gmock GTest::gtest_main)
endif()
# tacit_test(base SOURCES a_test.cc DEPENDS tacit_base): one program; ctest runs it as one test, so that
# a failure prints GoogleTest's own report and the process starts once. LABELS long keeps it behind
# --long; RELEASE runs it in the release build as well, for what the sanitizers would hide or slow down;
# SLOW runs it there every day, and under the sanitizers with --long; THREADS runs it under
# ThreadSanitizer too. PARTS 2 runs its tests as two of ctest's, name and name_2, side by side.
function(tacit_test name)
  if(NOT TACIT_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "RELEASE;SLOW;THREADS" "TIMEOUT;PARTS" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  set_target_properties(${name}_test PROPERTIES UNITY_BUILD_BATCH_SIZE 0)  # all as one
  if(arg_SLOW)
    set(arg_RELEASE ON)
    if(TACIT_RUNS_TESTS)
      set(arg_LABELS long)
      tacit_long_program(${name}_test)
    endif()
  endif()
  target_link_libraries(${name}_test PRIVATE tacit_flags ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  target_precompile_headers(${name}_test REUSE_FROM tacit_precompiled_tests)
  if(TACIT_LOOKS_AT_THREADS AND arg_THREADS)
    set(test_name ${name}_tsan)
  elseif(TACIT_RUNS_TESTS AND NOT TACIT_LOOKS_AT_THREADS)
    set(test_name ${name})
  elseif(arg_RELEASE AND CMAKE_BUILD_TYPE STREQUAL "Release")
    set(test_name ${name}_release)
  else()
    set_target_properties(${name}_test PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  foreach(part RANGE 1 ${arg_PARTS})
    set(part_name ${test_name})
    if(part GREATER 1)
      set(part_name ${test_name}_${part})
    endif()
    add_test(NAME ${part_name} COMMAND ${name}_test)
    # The same program of another build may run beside it, and files have the same names there.
    set(folder ${CMAKE_BINARY_DIR}/temporary/${part_name})
    file(MAKE_DIRECTORY ${folder})
    math(EXPR shard "${part} - 1")
    set_tests_properties(${part_name} PROPERTIES LABELS "${arg_LABELS}"
      ENVIRONMENT "TEST_TMPDIR=${folder};GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${shard};${TACIT_SANITIZERS_ENVIRONMENT}")
    if(arg_TIMEOUT)  # else what scripts/test allows every test
      set_tests_properties(${part_name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
  endforeach()
endfunction()
