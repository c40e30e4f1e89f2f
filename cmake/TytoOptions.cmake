# How everything is compiled: standard, warnings, sanitizers, linker, where outputs go. What is built is said elsewhere.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
option(TYTO_WARNINGS_AS_ERRORS "stop at the first compiler warning" OFF)
set(TYTO_SANITIZE "" CACHE STRING "sanitizers of gcc, e.g. address,undefined")
set(TYTO_LINKER AUTO CACHE STRING "AUTO (mold or lld where installed), or a name for -fuse-ld, or empty for the compiler's own")

# The build folder and an installed tree look alike, so that the host finds its plugins in both: bin/tyto, lib/tyto/plugins.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(TYTO_PLUGIN_INSTALL_DIRECTORY lib/tyto/plugins)
set(TYTO_BACKEND_INSTALL_DIRECTORY lib/tyto/backends)
set(TYTO_PLUGIN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${TYTO_PLUGIN_INSTALL_DIRECTORY})
set(TYTO_BACKEND_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${TYTO_BACKEND_INSTALL_DIRECTORY})
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")  # of executables in bin

add_library(tyto_flags INTERFACE)
target_compile_options(tyto_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor)
# Designated initializers leave the rest to the defaults of the members; this warning would forbid that.
target_compile_options(tyto_flags INTERFACE -Wno-missing-field-initializers)
# g++ 12 warns falsely about string concatenation (GCC bug 105329), and about strings that a default of a member initializes
# while an exception is thrown.
target_compile_options(tyto_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>)
if(TYTO_WARNINGS_AS_ERRORS)
  target_compile_options(tyto_flags INTERFACE -Werror)
endif()
if(TYTO_SANITIZE)
  # Without -fno-sanitize-recover undefined behaviour is printed and the test passes.
  add_compile_options(-fsanitize=${TYTO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TYTO_SANITIZE})
endif()

find_program(TYTO_CCACHE ccache)
if(TYTO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TYTO_CCACHE})
endif()

set(linker "${TYTO_LINKER}")
if(linker STREQUAL "AUTO")
  find_program(TYTO_MOLD ld.mold)
  find_program(TYTO_LLD ld.lld)
  if(TYTO_MOLD)
    set(linker mold)
  elseif(TYTO_LLD)
    set(linker lld)
  else()
    set(linker "")
  endif()
endif()
if(linker)
  add_link_options(-fuse-ld=${linker})
endif()
