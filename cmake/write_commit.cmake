# cmake -DROOT=... -DOUT=... -P write_commit.cmake: the commit that is built, with a + where files differ
# from it; nothing outside a git checkout. Written only when it changed.
set(commit "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT} -C ${ROOT} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit AND changed)
    string(APPEND commit "+")
  endif()
endif()
set(text "#pragma once\n#define TACIT_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
