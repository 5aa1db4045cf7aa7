# find_package(circ): targets circ::circ (libcirc.so), circ::circ_static (libcirc.a, where LLVM 19 is found),
# circ::compiler (the command), and the function circ_add_sources().

####### Expanded from @PACKAGE_INIT@ by configure_package_config_file() #######
####### Any changes to this file will be overwritten by the next CMake run ####
####### The input file was circConfig.cmake.in                            ########

get_filename_component(PACKAGE_PREFIX_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../" ABSOLUTE)

macro(check_required_components _NAME)
  foreach(comp ${${_NAME}_FIND_COMPONENTS})
    if(NOT ${_NAME}_${comp}_FOUND)
      if(${_NAME}_FIND_REQUIRED_${comp})
        set(${_NAME}_FOUND FALSE)
      endif()
    endif()
  endforeach()
endmacro()

####################################################################################

include(${CMAKE_CURRENT_LIST_DIR}/circTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/CircSources.cmake)

if(NOT TARGET circ::circ_static)
	find_package(LLVM 19.1 CONFIG QUIET PATHS /usr/lib/llvm-19)
	if(LLVM_FOUND)
		include(${CMAKE_CURRENT_LIST_DIR}/circStaticTargets.cmake)
		set(circ_static_FOUND TRUE)
	endif()
else()
	set(circ_static_FOUND TRUE)
endif()
check_required_components(circ)
