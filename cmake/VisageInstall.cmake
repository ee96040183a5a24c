# SPDX-License-Identifier: MIT
configure_file(cmake/visage.pc.in visage.pc @ONLY)

install(TARGETS visage_shared visage_tool
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(VISAGE_OpenCL_Headers_FOUND)
  file(WRITE ${PROJECT_BINARY_DIR}/installed/visage.icd
    "${CMAKE_INSTALL_FULL_LIBDIR}/libvisage-opencl.so\n")
  install(TARGETS visage_opencl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${PROJECT_BINARY_DIR}/installed/visage.icd DESTINATION ${VISAGE_ICD_FOLDER})
endif()
install(FILES include/visage/visage.h include/visage/record.h include/visage/run.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/visage)
install(FILES ${PROJECT_BINARY_DIR}/visage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN "*.1")
