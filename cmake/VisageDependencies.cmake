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

# Of LLVM only the headers of its C interface: the library is loaded when it is needed.
option(VISAGE_JIT "Build the engine that compiles, where LLVM 19 is found." ON)
find_path(visage_llvm_headers llvm-c/Core.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
mark_as_advanced(visage_llvm_headers)
set(VISAGE_LLVM_FOUND OFF)
if(VISAGE_JIT AND visage_llvm_headers AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(VISAGE_LLVM_FOUND ON)
  add_library(VISAGE::LLVM INTERFACE IMPORTED GLOBAL)
  target_include_directories(VISAGE::LLVM SYSTEM INTERFACE ${visage_llvm_headers})
endif()
