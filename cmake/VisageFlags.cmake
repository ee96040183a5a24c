# SPDX-License-Identifier: MIT
# Language, warnings, sanitizers: the same for everything that is built here.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING
    "RelWithDebInfo: optimised, with assertions; Release: without them; Debug." FORCE)
endif()
# CMake's own default adds NDEBUG. A broken invariant is to stop a run, not to spoil its results.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g")

add_compile_definitions(_POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
add_compile_options(
  -Wall -Wextra -Wshadow -Wconversion -Wundef -Wwrite-strings -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  # a * b + c is two roundings unless the source says fma(): results must not hang on the host.
  -ffp-contract=off)

if(VISAGE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "VISAGE_FUZZ needs clang (Debian: clang-19), not ${CMAKE_C_COMPILER}")
  endif()
  set(VISAGE_SANITIZE address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

set(visage_werror no)
if(VISAGE_WERROR AND VISAGE_SANITIZE)
  set(visage_werror "no (sanitizers make gcc warn where nothing is wrong)")
elseif(VISAGE_WERROR)
  if((CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION MATCHES "^12\\.")
     OR (CMAKE_C_COMPILER_ID STREQUAL Clang AND CMAKE_C_COMPILER_VERSION MATCHES "^14\\."))
    add_compile_options(-Werror)
    set(visage_werror yes)
  else()
    set(visage_werror "no (not a compiler that is checked)")
  endif()
endif()

if(VISAGE_COVERAGE)
  # Counters that several threads may add to at once.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
  add_compile_definitions(VISAGE_COVERAGE)
endif()

if(VISAGE_SANITIZE)
  add_compile_options(-fsanitize=${VISAGE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${VISAGE_SANITIZE})
  # gcc's flow analysis stumbles over the checks that sanitizers put in.
  add_compile_options($<$<C_COMPILER_ID:GNU>:-Wno-array-bounds>
    $<$<C_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<C_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
else()
  # Not with sanitizers, whose run-time library is linked to the program only.
  string(APPEND CMAKE_SHARED_LINKER_FLAGS " -Wl,--no-undefined")
endif()
