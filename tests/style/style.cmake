# Tests of the tree itself: the direction of includes, headers that stand alone, layout of the code.

add_test(NAME style.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.headers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/headers.sh ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER}
	${LLVM_INCLUDE_DIRS})

if(NOT CIRC_FRONT_ONLY)
	if(Python3_FOUND)
		add_test(NAME style.circles COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/circles.py
			${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
		set_tests_properties(style.circles PROPERTIES LABELS style)
	endif()
endif()
if(Python3_FOUND)
	add_test(NAME style.repairs COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/repairs.py ${PROJECT_SOURCE_DIR})
	set_tests_properties(style.repairs PROPERTIES LABELS style)
endif()
add_test(NAME style.readme COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/readme.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.words COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/words.sh ${PROJECT_SOURCE_DIR})
add_test(NAME style.tracked COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/tracked.sh ${PROJECT_SOURCE_DIR})

if(Python3_FOUND)
	add_test(NAME style.cells COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/cells.py ${PROJECT_SOURCE_DIR})
	add_test(NAME style.links COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/links.py ${PROJECT_SOURCE_DIR})
	set_tests_properties(style.cells style.links PROPERTIES LABELS style)
endif()

add_test(NAME cppcheck COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/cppcheck.sh ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/cppcheck)

# One version of clang-format, since versions differ: the one of Debian 12.
find_program(CIRC_CLANG_FORMAT NAMES clang-format-14)
add_test(NAME style.format COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/format.sh ${PROJECT_SOURCE_DIR} "${CIRC_CLANG_FORMAT}")
set_tests_properties(style.layers style.readme style.words style.headers style.tracked style.format PROPERTIES LABELS style SKIP_RETURN_CODE 77)
set_tests_properties(cppcheck PROPERTIES LABELS analysis SKIP_RETURN_CODE 77 TIMEOUT 900 COST 100)

add_custom_target(format COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/format.sh ${PROJECT_SOURCE_DIR} "${CIRC_CLANG_FORMAT}" --fix
	VERBATIM)
