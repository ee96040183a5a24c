# SPDX-License-Identifier: MIT
configure_file(cmake/visage.pc.in visage.pc @ONLY)

install(TARGETS visage_shared visage_tool
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/visage/visage.h include/visage/record.h include/visage/run.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/visage)
install(FILES ${PROJECT_BINARY_DIR}/visage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN "*.1")
