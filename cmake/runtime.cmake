# libcircrt: what programs for Windows link without a Windows SDK. Compiled for Windows by clang, whatever compiles circ itself; the
# import libraries come from the .def files. They lie in lib/circ/TARGET below the build folder and below the prefix, where
# src/link/runtime_folder.c looks for them.

set(CIRC_WINDOWS_TARGET x86_64-pc-windows-msvc)
set(runtime_source ${PROJECT_SOURCE_DIR}/src/runtime/windows)
set(runtime_folder ${PROJECT_BINARY_DIR}/lib/circ/${CIRC_WINDOWS_TARGET})

foreach(tool clang llvm-ar llvm-dlltool)
	string(TOUPPER CIRC_${tool} variable)
	string(REPLACE "-" "_" variable ${variable})
	find_program(${variable} NAMES ${tool}-${LLVM_VERSION_MAJOR} ${tool}-22 ${tool} HINTS ${LLVM_TOOLS_BINARY_DIR})
	if(NOT ${variable})
		message(WARNING "${tool} not found: without it there is no runtime library for Windows, and programs for "
			"x86_64-pc-windows-msvc can only be linked with --winsdk. On Debian: ./bootstrap deps build")
		return()
	endif()
endforeach()

# A compiler without the x86 target or a wrapper that is none shows now, not in the middle of the build.
execute_process(COMMAND ${CIRC_CLANG} --target=${CIRC_WINDOWS_TARGET} -c -x c /dev/null -o /dev/null
	RESULT_VARIABLE clang_works OUTPUT_QUIET ERROR_VARIABLE clang_said)
if(NOT clang_works EQUAL 0)
	message(WARNING "${CIRC_CLANG} does not compile for ${CIRC_WINDOWS_TARGET}: no runtime library for Windows.\n${clang_said}")
	return()
endif()

set(runtime_flags --target=${CIRC_WINDOWS_TARGET} -std=c17 -O2 -ffreestanding -ffunction-sections -fdata-sections
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $<$<BOOL:${CIRC_WERROR}>:-Werror> -I ${PROJECT_SOURCE_DIR}/src
	-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

file(MAKE_DIRECTORY ${runtime_folder} ${PROJECT_BINARY_DIR}/runtime)
file(GLOB runtime_sources CONFIGURE_DEPENDS ${runtime_source}/*.c)
file(GLOB runtime_headers CONFIGURE_DEPENDS ${runtime_source}/*.h)
set(runtime_objects "")
foreach(source IN LISTS runtime_sources)
	cmake_path(GET source STEM name)
	set(object ${PROJECT_BINARY_DIR}/runtime/${name}.obj)
	add_custom_command(OUTPUT ${object}
		COMMAND ${CIRC_CLANG} "${runtime_flags}" -c ${source} -o ${object}
		DEPENDS ${source} ${runtime_headers}
		COMMENT "Compiling ${name}.c for Windows"
		COMMAND_EXPAND_LISTS VERBATIM)
	list(APPEND runtime_objects ${object})
endforeach()

set(runtime_libraries ${runtime_folder}/circrt.lib)
add_custom_command(OUTPUT ${runtime_folder}/circrt.lib
	COMMAND ${CMAKE_COMMAND} -E rm -f ${runtime_folder}/circrt.lib
	COMMAND ${CIRC_LLVM_AR} rcsD ${runtime_folder}/circrt.lib ${runtime_objects}
	DEPENDS ${runtime_objects}
	COMMENT "Archiving circrt.lib"
	VERBATIM)

file(GLOB runtime_defs CONFIGURE_DEPENDS ${runtime_source}/*.def)
foreach(def IN LISTS runtime_defs)
	cmake_path(GET def STEM name)
	add_custom_command(OUTPUT ${runtime_folder}/${name}.lib
		COMMAND ${CIRC_LLVM_DLLTOOL} -m i386:x86-64 -d ${def} -l ${runtime_folder}/${name}.lib
		DEPENDS ${def}
		COMMENT "Making the import library ${name}.lib"
		VERBATIM)
	list(APPEND runtime_libraries ${runtime_folder}/${name}.lib)
endforeach()

# What the tests of Windows need: the same compiler, and where the libraries are.
set(CIRC_WINDOWS_CLANG ${CIRC_CLANG})
set(CIRC_WINDOWS_FOLDER ${runtime_folder})

add_custom_target(circrt ALL DEPENDS ${runtime_libraries})
install(FILES ${runtime_libraries} DESTINATION ${CMAKE_INSTALL_LIBDIR}/circ/${CIRC_WINDOWS_TARGET})
