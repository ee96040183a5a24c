# SPDX-License-Identifier: MIT
# Writes OUT, with a hash of all files in FOLDERS that compiled code depends on.
#   cmake -DROOT=... -DOUT=... -P build_id.cmake
set(sum "")
foreach(folder base isa object exec jit)
  file(GLOB files ${ROOT}/${folder}/*.c ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.def)
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${file} hash)
    string(APPEND sum ${hash})
  endforeach()
endforeach()
string(SHA256 sum "${sum}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define VSG_JIT_BUILD_ID \"${sum}\"\n" @ONLY)
