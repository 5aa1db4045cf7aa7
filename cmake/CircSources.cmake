# circ_add_sources(TARGET FILE.cir... [OPTIONS option...])
#
# Adds sources in CIR to TARGET, whatever their names end in:
#
#	find_package(circ REQUIRED)
#	add_executable(app main.cpp)
#	circ_add_sources(app parser.cir OPTIONS -O2)
#
# Relative names are taken from the current source folder. OPTIONS come after those of the configuration, so they win. It is the same as
#
#	add_executable(app main.cpp parser.cir)
#
# but for the OPTIONS, which other targets with the same source do not get.
function(circ_add_sources target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
	if(NOT arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "circ_add_sources(${target}): no .cir file given")
	endif()
	foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
		cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE source)
		set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE CIR)
		foreach(option IN LISTS arg_OPTIONS) # of this target: another may have the same source
			set_property(SOURCE ${source} TARGET_DIRECTORY ${target} APPEND PROPERTY
				COMPILE_OPTIONS "$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,${target}>:${option}>")
		endforeach()
		target_sources(${target} PRIVATE ${source})
	endforeach()
endfunction()
