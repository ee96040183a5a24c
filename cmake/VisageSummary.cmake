# SPDX-License-Identifier: MIT
# What is built and what is left out; the last thing a configuration says.

set(samples yes)
if(NOT VISAGE_libpng_FOUND)
  set(samples "no (libpng not found; Debian: libpng-dev)")
endif()
set(tests "no")
if(VISAGE_TESTS)
  set(tests "yes${visage_tests_without}")
endif()
set(fuzz no)
if(VISAGE_FUZZ)
  set(fuzz yes)
endif()
set(sanitize no)
if(VISAGE_SANITIZE)
  set(sanitize ${VISAGE_SANITIZE})
endif()

message(STATUS "visage ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, "
  "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
message(STATUS "  samples            ${samples}")
message(STATUS "  tests              ${tests}")
message(STATUS "  fuzz targets       ${fuzz}")
message(STATUS "  sanitizers         ${sanitize}")
message(STATUS "  warnings as errors ${visage_werror}")
