# An installed tyto: the host with its plugins, libtyto, the public headers, and what find_package(tyto) needs.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tyto)
install(TARGETS tyto_core tyto_api EXPORT tytoTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tytoTargets NAMESPACE tyto:: DESTINATION ${package})
install(DIRECTORY core/api/tyto ${PROJECT_BINARY_DIR}/api/tyto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY plugins/template DESTINATION share/tyto)
install(FILES share/python/tyto.py DESTINATION share/tyto/python)
if(TARGET tyto)
  install(TARGETS tyto RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(cmake/tytoConfig.cmake.in ${PROJECT_BINARY_DIR}/tytoConfig.cmake INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR TYTO_PLUGIN_INSTALL_DIRECTORY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tytoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tytoConfig.cmake ${PROJECT_BINARY_DIR}/tytoConfigVersion.cmake
  cmake/TytoPlugin.cmake cmake/plugin_symbols.map DESTINATION ${package})
