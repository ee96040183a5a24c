# SPDX-License-Identifier: MIT
# A layer is one folder of src/ and one object library, visage_<layer>; libvisage is their sum.

# visage_layer(NAME SOURCES file... [LIBRARIES target...] [OPTIONS flag...] [DEFINITIONS name...])
# Definitions are seen by unit tests, too.
function(visage_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES;OPTIONS;DEFINITIONS")
  add_library(visage_${name} OBJECT ${arg_SOURCES})
  target_include_directories(visage_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(visage_${name} PRIVATE VISAGE_BUILDING ${arg_DEFINITIONS})
  target_compile_options(visage_${name} PRIVATE ${arg_OPTIONS})
  target_link_libraries(visage_${name} PRIVATE ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY visage_objects $<TARGET_OBJECTS:visage_${name}>)
  set_property(GLOBAL APPEND PROPERTY visage_libraries ${arg_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY visage_definitions ${arg_DEFINITIONS})
endfunction()
