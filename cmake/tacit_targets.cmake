# One library per folder of src/, one test program per folder, the same flags everywhere.

add_library(tacit_flags INTERFACE)
target_compile_options(tacit_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror -Werror=unused-result -fno-omit-frame-pointer)
target_include_directories(tacit_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(TACIT_SANITIZE)
  target_compile_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(tacit_flags INTERFACE -fsanitize=${TACIT_SANITIZE})
else()
  target_compile_options(tacit_flags INTERFACE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()

# tacit_library(base SOURCES a.cc b.cc DEPENDS GMP::gmp tacit_other)
function(tacit_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(tacit_${name} STATIC ${arg_SOURCES})
  target_link_libraries(tacit_${name} PUBLIC tacit_flags ${arg_DEPENDS})
endfunction()

# tacit_test(base SOURCES a_test.cc DEPENDS tacit_base): one program; ctest runs it as one test, so that
# a failure prints GoogleTest's own report and the process starts once. LABELS long keeps it behind --long.
function(tacit_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE tacit_flags ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")
endfunction()
