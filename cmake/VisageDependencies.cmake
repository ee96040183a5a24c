# SPDX-License-Identifier: MIT
# Packages needed, as targets VISAGE::<name>. A missing one names its Debian package.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Finds a package by its pkg-config name; sets VISAGE_<name>_FOUND when it may be missing.
function(visage_find name module debian)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
  if(${name}_FOUND)
    add_library(VISAGE::${name} ALIAS PkgConfig::${name})
  elseif(NOT "OPTIONAL" IN_LIST ARGN)
    message(FATAL_ERROR "${module} not found (Debian: ${debian})")
  endif()
  set(VISAGE_${name}_FOUND ${${name}_FOUND} PARENT_SCOPE)
endfunction()

visage_find(libelf libelf libelf-dev)
visage_find(libyaml yaml-0.1 libyaml-dev)
visage_find(jansson jansson libjansson-dev)
visage_find(libpng libpng libpng-dev OPTIONAL)

option(VISAGE_OPENCL "Build the OpenCL driver, where the OpenCL headers are found." ON)
set(VISAGE_OpenCL_Headers_FOUND OFF)
if(VISAGE_OPENCL)
  visage_find(OpenCL_Headers OpenCL-Headers opencl-headers OPTIONAL)
endif()

# Of LLVM the headers of its C interface: the library is loaded when it is needed.
option(VISAGE_JIT "Build the engine that compiles, where LLVM 19 is found." ON)
find_path(visage_llvm_headers llvm-c/Core.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
mark_as_advanced(visage_llvm_headers)
set(VISAGE_LLVM_FOUND OFF)
if(VISAGE_JIT AND visage_llvm_headers AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(VISAGE_LLVM_FOUND ON)
  add_library(VISAGE::LLVM INTERFACE IMPORTED GLOBAL)
  target_include_directories(VISAGE::LLVM SYSTEM INTERFACE ${visage_llvm_headers})
endif()

# LLVM's archives and what they need, for a library that holds no more of LLVM than is used
# (src/jit/CMakeLists.txt). Empty where something is missing: the whole of LLVM is loaded then.
option(VISAGE_LLVM_STATIC "Link what is used of LLVM, which then loads in a fifth of the time." ON)
set(visage_llvm_archives "")
if(VISAGE_LLVM_FOUND AND VISAGE_LLVM_STATIC)
  find_program(visage_llvm_config NAMES llvm-config PATHS /usr/lib/llvm-19/bin NO_DEFAULT_PATH)
  find_library(visage_z NAMES z libz.so.1)
  find_library(visage_zstd NAMES zstd libzstd.so.1)
  mark_as_advanced(visage_llvm_config visage_z visage_zstd)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
    OUTPUT_VARIABLE visage_stdcxx OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(visage_llvm_config AND visage_z AND visage_zstd AND EXISTS "${visage_stdcxx}")
    execute_process(COMMAND ${visage_llvm_config} --link-static --libfiles core passes x86
      OUTPUT_VARIABLE archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    separate_arguments(archives UNIX_COMMAND "${archives}")
    list(GET archives 0 first)
    if(EXISTS "${first}")
      set(visage_llvm_archives
        ${archives} ${visage_stdcxx} ${visage_z} ${visage_zstd} ${CMAKE_DL_LIBS} Threads::Threads m)
    endif()
  endif()
endif()
