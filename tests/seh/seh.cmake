# What C says with __try, __except and __finally: programs in CIR and, for windows-msvc, clang's of the same C.
if(NOT Python3_FOUND OR NOT CIRC_WINDOWS_CLANG)
	circ_missing_test(seh.missing "no python3, or no clang: NO program with structured exceptions was run")
	return()
endif()

set(seh_run ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py --circ $<TARGET_FILE:circ> --clang ${CIRC_WINDOWS_CLANG})
add_test(NAME seh.documented COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/documented.py ${PROJECT_SOURCE_DIR}/docs/seh.md
	${CMAKE_CURRENT_LIST_DIR}/programs)
set_tests_properties(seh.documented PROPERTIES LABELS seh)
if(TARGET runtime-x86_64-linux-gnu)
	add_test(NAME seh.elf COMMAND ${seh_run} --target elf)
	set_tests_properties(seh.elf PROPERTIES LABELS seh TIMEOUT 600)
endif()
if(CIRC_WINE) # else tests/wine says what is missing
	find_program(CIRC_E2E_MINGW NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++)
	set(seh_windows msvc)
	if(CIRC_E2E_MINGW)
		list(APPEND seh_windows gnu)
	endif()
	foreach(target IN LISTS seh_windows)
		add_test(NAME seh.${target} COMMAND ${seh_run} --target ${target} --wine ${CIRC_WINE_PREFIX})
		set_tests_properties(seh.${target} PROPERTIES LABELS seh TIMEOUT 900 FIXTURES_REQUIRED wine)
	endforeach()
	add_test(NAME seh.pages COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/pages.py --circ $<TARGET_FILE:circ>
		--clang ${CIRC_WINDOWS_CLANG} --wine ${CIRC_WINE_PREFIX})
	set_tests_properties(seh.pages PROPERTIES LABELS seh TIMEOUT 900 FIXTURES_REQUIRED wine)
endif()
