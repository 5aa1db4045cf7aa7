# circ_add_sources(TARGET FILE.cir... [OPTIONS option...])
#
# Compiles each file with circ and links the objects into TARGET, as if the files were its sources:
#
#	find_package(circ REQUIRED)
#	add_executable(app main.cpp)
#	circ_add_sources(app parser.cir OPTIONS -O2)
#
# Relative names are taken from the current source folder. OPTIONS come after the defaults (-O2 in the Release-like
# configurations), so they win. Objects of CIR need a C++ runtime when they throw or catch, so the target is linked by the C++
# compiler where the project has one. What exceptions of a language's own need is linked, too (circ::runtime).
function(circ_add_sources target)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
	if(NOT arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "circ_add_sources(${target}): no .cir file given")
	endif()
	foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
		cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE source)
		# The object is named after the whole path, so that a/x.cir and b/x.cir do not meet.
		string(SHA256 hash ${source})
		string(SUBSTRING ${hash} 0 8 hash)
		cmake_path(GET source STEM LAST_ONLY stem)
		set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.cir/${stem}-${hash}${CMAKE_C_OUTPUT_EXTENSION})
		if(NOT CMAKE_C_OUTPUT_EXTENSION)
			string(APPEND object .o)
		endif()
		add_custom_command(
			OUTPUT ${object}
			COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.cir
			COMMAND circ::compiler -c "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-O2>" ${arg_OPTIONS} ${source} -o ${object}
			DEPENDS ${source} circ::compiler
			COMMENT "Compiling CIR ${stem}.cir"
			COMMAND_EXPAND_LISTS VERBATIM)
		set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
		target_sources(${target} PRIVATE ${object})
		set_property(TARGET ${target} APPEND PROPERTY CIRC_OBJECTS ${object})
	endforeach()
	if(TARGET circ::runtime) # of which a program has what it refers to
		target_link_libraries(${target} PRIVATE circ::runtime)
	endif()
	get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
	if(CXX IN_LIST languages)
		set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
	endif()
endfunction()
