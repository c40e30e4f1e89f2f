# Modules that the host loads. Used in the tree and, installed with tyto, by others. A module's file is named after what it
# offers, with _ for -, exports one symbol and is never linked to.
#
#   tyto_add_plugin(cp_als SOURCES cp_als.cpp [LINK libraries] [OUTPUT folder])     an algorithm
#   tyto_add_backend(petsc SOURCES petsc.cpp [LINK libraries] [OUTPUT folder])      in the tree only: sees core/
#
# OUTPUT puts the file there and leaves it out of the installation.
set(TYTO_PLUGIN_SYMBOLS ${CMAKE_CURRENT_LIST_DIR}/plugin_symbols.map)

function(tyto_add_module target file)
  cmake_parse_arguments(A "" "OUTPUT;OUTPUT_DEFAULT;INSTALL" "SOURCES;LINK" ${ARGN})
  add_library(${target} MODULE ${A_SOURCES})
  target_link_libraries(${target} PRIVATE tyto::core ${A_LINK})
  if(TARGET tyto_flags)
    target_link_libraries(${target} PRIVATE tyto_flags)
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${file} PREFIX "" SUFFIX ".so"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(A_OUTPUT)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${A_OUTPUT})
  elseif(A_OUTPUT_DEFAULT)
    file(RELATIVE_PATH to_library /${A_INSTALL} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${A_OUTPUT_DEFAULT} INSTALL_RPATH "$ORIGIN/${to_library}")
    install(TARGETS ${target} LIBRARY DESTINATION ${A_INSTALL})
    set_property(GLOBAL APPEND PROPERTY TYTO_MODULES ${target})
  endif()
  # The loader keeps libraries open for the life of the process; unique symbols would add nothing but a second reason.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  target_link_options(${target} PRIVATE LINKER:--version-script=${TYTO_PLUGIN_SYMBOLS})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${TYTO_PLUGIN_SYMBOLS})
endfunction()

function(tyto_add_plugin name)
  tyto_add_module(${name} ${name} OUTPUT_DEFAULT "${TYTO_PLUGIN_OUTPUT_DIRECTORY}" INSTALL "${TYTO_PLUGIN_INSTALL_DIRECTORY}" ${ARGN})
endfunction()

function(tyto_add_backend name)
  tyto_add_module(backend_${name} ${name} OUTPUT_DEFAULT "${TYTO_BACKEND_OUTPUT_DIRECTORY}" INSTALL "${TYTO_BACKEND_INSTALL_DIRECTORY}" ${ARGN})
  set_property(TARGET backend_${name} PROPERTY INSTALL_RPATH_USE_LINK_PATH ON)  # libraries outside the system's folders
  target_include_directories(backend_${name} PRIVATE ${TYTO_CORE_INCLUDES})
  target_link_libraries(backend_${name} PRIVATE fmt::fmt)
endfunction()
