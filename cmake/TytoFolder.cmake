# tyto_core_folder(execute/cpu SOURCES a.cpp ... [LINK libraries]): one object library for each folder of core/, all of which
# become the one shared libtyto. Who may include whom is core/layers.yaml, checked as a test.
function(tyto_core_folder name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK" ${ARGN})
  string(REPLACE "/" "_" target "tyto_${name}")
  add_library(${target} OBJECT ${A_SOURCES})
  target_include_directories(${target} PRIVATE ${TYTO_CORE_INCLUDES})
  target_link_libraries(${target} PRIVATE tyto_api tyto_flags fmt::fmt ${A_LINK})
  set_property(GLOBAL APPEND PROPERTY TYTO_CORE_FOLDERS ${target})
  set_property(GLOBAL APPEND PROPERTY TYTO_CORE_LINKS ${A_LINK})
endfunction()

# One thread, since tests run side by side and must repeat bit by bit; the rest lets a test call mpirun as root on few cores.
# The built-in rates of one instruction set make plans the same on every machine.
set(TYTO_TEST_ENVIRONMENT OMP_NUM_THREADS=1 TYTO_CALIBRATION=avx2 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none)
if(TYTO_SANITIZE)
  list(APPEND TYTO_TEST_ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1)
endif()
set(TYTO_TEST_PREFIX "" CACHE STRING "put before the names of all tests, to tell build trees apart that are tested together")

# tyto_add_test(errors/rank_zero COMMAND program arguments ... [LABELS l] [TIMEOUT seconds] [ENVIRONMENT A=1 ...]): a test of
# any program, in the environment that all tests have.
function(tyto_add_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 300)
  endif()
  set(test "${TYTO_TEST_PREFIX}${name}")
  add_test(NAME ${test} COMMAND ${A_COMMAND})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${A_TIMEOUT} LABELS "${A_LABELS}"
    ENVIRONMENT "${TYTO_TEST_ENVIRONMENT};${A_ENVIRONMENT}")
endfunction()

# tyto_test(core/graph SOURCES a_test.cpp ... [LINK libraries] [LABELS l]): one Boost.Test program that is one ctest entry.
function(tyto_test name)
  cmake_parse_arguments(A "" "" "SOURCES;LINK;LABELS" ${ARGN})
  string(REPLACE "/" "_" target "test_${name}")
  add_executable(${target} ${A_SOURCES})
  list(GET A_SOURCES 0 first)  # the one source file that gets Boost.Test's main()
  set_property(SOURCE ${first} APPEND PROPERTY COMPILE_DEFINITIONS BOOST_TEST_MODULE=${target})
  target_compile_definitions(${target} PRIVATE BOOST_TEST_DYN_LINK
    TYTO_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TYTO_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_include_directories(${target} PRIVATE ${TYTO_CORE_INCLUDES} ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE tyto_core tyto_flags fmt::fmt Boost::unit_test_framework ${A_LINK})
  target_compile_options(${target} PRIVATE -O1)  # tests are compiled more often than they compute
  tyto_add_test(${name} COMMAND ${target} --color_output=no LABELS ${A_LABELS})
endfunction()
