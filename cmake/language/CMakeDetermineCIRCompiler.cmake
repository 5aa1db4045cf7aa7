# The language CIR: which circ compiles it. CMAKE_CIR_COMPILER, or the environment variable CIRC, else the one that came with this file.
if(NOT CMAKE_CIR_COMPILER AND NOT "$ENV{CIRC}" STREQUAL "")
	set(CMAKE_CIR_COMPILER "$ENV{CIRC}" CACHE FILEPATH "CIR compiler")
endif()
cmake_path(SET circ_prefix NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../..")
cmake_path(SET circ_prefix_below NORMALIZE "${circ_prefix}/..") # lib/x86_64-linux-gnu
find_program(CMAKE_CIR_COMPILER NAMES circ HINTS "${circ_prefix}/bin" "${circ_prefix_below}/bin" NO_CMAKE_FIND_ROOT_PATH
	DOC "CIR compiler")
if(CMAKE_CIR_COMPILER AND NOT IS_ABSOLUTE "${CMAKE_CIR_COMPILER}") # CMake wants the path of what it is told by name
	find_program(circ_path NAMES "${CMAKE_CIR_COMPILER}" NO_CACHE NO_CMAKE_FIND_ROOT_PATH)
	if(circ_path)
		set(CMAKE_CIR_COMPILER "${circ_path}" CACHE FILEPATH "CIR compiler" FORCE)
	endif()
	unset(circ_path)
endif()
mark_as_advanced(CMAKE_CIR_COMPILER)
unset(circ_prefix)
unset(circ_prefix_below)
if(NOT CMAKE_CIR_COMPILER)
	message(FATAL_ERROR "The CIR compiler, circ, was not found. Set CMAKE_CIR_COMPILER, or the environment variable CIRC, to its path.")
endif()

execute_process(COMMAND "${CMAKE_CIR_COMPILER}" --version OUTPUT_VARIABLE circ_version ERROR_VARIABLE circ_version
	RESULT_VARIABLE circ_result)
if(NOT circ_result EQUAL 0 OR NOT circ_version MATCHES "^circ ([0-9.]+)")
	message(FATAL_ERROR "The CIR compiler\n\n  ${CMAKE_CIR_COMPILER}\n\nis no circ that works: ${circ_version}${circ_result}")
endif()
set(CMAKE_CIR_COMPILER_ID circ)
set(CMAKE_CIR_COMPILER_VERSION ${CMAKE_MATCH_1})
message(STATUS "The CIR compiler is circ ${CMAKE_CIR_COMPILER_VERSION}: ${CMAKE_CIR_COMPILER}")
unset(circ_version)
unset(circ_result)

include(CMakeFindBinUtils)
configure_file(${CMAKE_CURRENT_LIST_DIR}/CMakeCIRCompiler.cmake.in ${CMAKE_PLATFORM_INFO_DIR}/CMakeCIRCompiler.cmake @ONLY)
