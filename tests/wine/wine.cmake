# Programs for Windows are run under Wine. One prefix and one wineserver serve all tests of a build folder: the first test that needs
# them starts the server, and it is ended behind the last one.

set(CIRC_WINE_PREFIX ${PROJECT_BINARY_DIR}/tests/wine-prefix)
set(wine_py ${CMAKE_CURRENT_LIST_DIR}/wine.py)

set(CIRC_WINE "")
if(Python3_FOUND)
	execute_process(COMMAND ${Python3_EXECUTABLE} ${wine_py} find RESULT_VARIABLE wine_status OUTPUT_VARIABLE wine_found
		OUTPUT_STRIP_TRAILING_WHITESPACE)
	if(wine_status EQUAL 0)
		set(CIRC_WINE ${wine_found})
	endif()
endif()
if(NOT CIRC_WINE)
	message(WARNING "NO WINE: programs for Windows will NOT be tested. On Debian: ./bootstrap deps check")
	circ_missing_test(wine.missing "no Wine for 64-bit programs: NOTHING that circ makes for Windows was run")
	return()
endif()

add_test(NAME wine.start COMMAND ${Python3_EXECUTABLE} ${wine_py} start ${CIRC_WINE_PREFIX})
add_test(NAME wine.stop COMMAND ${Python3_EXECUTABLE} ${wine_py} stop ${CIRC_WINE_PREFIX})
set_tests_properties(wine.start PROPERTIES FIXTURES_SETUP wine TIMEOUT 300)
set_tests_properties(wine.stop PROPERTIES FIXTURES_CLEANUP wine TIMEOUT 300)
