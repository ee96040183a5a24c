# SPDX-License-Identifier: MIT
configure_file(cmake/visage.pc.in visage.pc @ONLY)

install(TARGETS visage_shared visage_tool
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(VISAGE_OpenCL_Headers_FOUND)
  install(TARGETS visage_opencl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # By the prefix of the installation, which may be another one than that of the build. Loaders
  # look into /etc/OpenCL/vendors; a driver installed elsewhere is registered there by hand, or
  # named by OCL_ICD_VENDORS.
  install(CODE "
    set(made \"${PROJECT_BINARY_DIR}/installed/visage.icd\")
    get_filename_component(library \"${CMAKE_INSTALL_LIBDIR}/libvisage-opencl.so\"
      ABSOLUTE BASE_DIR \"\${CMAKE_INSTALL_PREFIX}\")
    file(WRITE \"\${made}\" \"\${library}\\n\")
    get_filename_component(folder \"${CMAKE_INSTALL_SYSCONFDIR}\"
      ABSOLUTE BASE_DIR \"\${CMAKE_INSTALL_PREFIX}\")
    if(CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?$\")
      set(folder /etc)
    endif()
    file(INSTALL \"\${made}\" DESTINATION \"\${folder}/OpenCL/vendors\")")
endif()
install(FILES include/visage/visage.h include/visage/record.h include/visage/run.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/visage)
install(FILES ${PROJECT_BINARY_DIR}/visage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN "*.1")
