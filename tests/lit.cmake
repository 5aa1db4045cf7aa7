# Text tests: every folder in tests/ir, tests/cli and tests/windows that holds .cir, .ll or .test files is one ctest, named for the folder,
# so that ctest runs them side by side. lit.cfg.py says what a RUN line may use.

find_program(CIRC_LIT NAMES lit lit-${LLVM_VERSION_MAJOR} llvm-lit lit.py
	HINTS ${LLVM_TOOLS_BINARY_DIR} /usr/lib/llvm-${LLVM_VERSION_MAJOR}/build/utils/lit)
find_program(CIRC_FILECHECK NAMES FileCheck HINTS ${LLVM_TOOLS_BINARY_DIR})

if(NOT Python3_FOUND OR NOT CIRC_LIT OR NOT CIRC_FILECHECK)
	message(WARNING "lit, FileCheck or python3 is missing: the text tests will be skipped. "
		"On Debian: ./bootstrap deps check")
	circ_missing_test(lit.missing "lit, FileCheck or python3 not found")
	return()
endif()

set(CIRC_SHARED_DIR ${PROJECT_SOURCE_DIR}/../shared CACHE PATH "Folder with the design document and the corpus")
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/lit.site.cfg.py.in ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py @ONLY)

file(GLOB_RECURSE lit_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
	${CMAKE_CURRENT_SOURCE_DIR}/ir/*.cir ${CMAKE_CURRENT_SOURCE_DIR}/ir/*.ll ${CMAKE_CURRENT_SOURCE_DIR}/ir/*.test
	${CMAKE_CURRENT_SOURCE_DIR}/cli/*.cir ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.test
	${CMAKE_CURRENT_SOURCE_DIR}/windows/*.cir ${CMAKE_CURRENT_SOURCE_DIR}/windows/*.test)
set(lit_folders "")
foreach(file IN LISTS lit_files)
	if(file MATCHES "/Inputs/")
		continue()
	endif()
	cmake_path(GET file PARENT_PATH folder)
	list(APPEND lit_folders ${folder})
endforeach()
list(REMOVE_DUPLICATES lit_folders)

foreach(folder IN LISTS lit_folders)
	string(REPLACE "/" "." name ${folder})
	add_test(NAME lit.${name} COMMAND ${Python3_EXECUTABLE} ${CIRC_LIT} -sv -j1 ${CMAKE_CURRENT_BINARY_DIR}/${folder})
	set_tests_properties(lit.${name} PROPERTIES LABELS lit TIMEOUT 600)
	if(folder MATCHES "^(cli|windows)" AND CIRC_WINE)
		set_tests_properties(lit.${name} PROPERTIES FIXTURES_REQUIRED wine)
	endif()
	set_property(TEST lit.${name} PROPERTY ENVIRONMENT "CIRC_LIT_FOLDER=${folder}")
endforeach()
