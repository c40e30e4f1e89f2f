# tyto::api, and the two tags by which a module built against other headers is refused before it is used: plugins see the public
# headers, backends also those of core/ that backend/backend.hpp reaches.
function(tyto_hash_headers result)
  set(all "")
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(APPEND all "${text}")
  endforeach()
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 12 hash)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

set(core ${PROJECT_SOURCE_DIR}/core)
file(GLOB headers CONFIGURE_DEPENDS ${core}/api/tyto/*.hpp ${core}/api/tyto/*.hpp.in)
tyto_hash_headers(TYTO_API_HASH ${headers})
configure_file(${core}/api/tyto/build_tag.hpp.in ${PROJECT_BINARY_DIR}/api/tyto/build_tag.hpp @ONLY)

set(headers "")
foreach(folder einsum program device execute communicator algebra tensor backend)
  file(GLOB more CONFIGURE_DEPENDS ${core}/${folder}/*.hpp)
  list(APPEND headers ${more})
endforeach()
tyto_hash_headers(TYTO_BACKEND_HASH ${headers})
configure_file(${core}/backend/backend_tag.hpp.in ${PROJECT_BINARY_DIR}/core/backend/backend_tag.hpp @ONLY)

# What code inside core/ and its tests may include, by "folder/file.hpp".
set(TYTO_CORE_INCLUDES ${core} ${PROJECT_BINARY_DIR}/core)

add_library(tyto_api INTERFACE)
add_library(tyto::api ALIAS tyto_api)
set_property(TARGET tyto_api PROPERTY EXPORT_NAME api)
target_include_directories(tyto_api INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/core/api> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/api> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(tyto_api INTERFACE cxx_std_20)
