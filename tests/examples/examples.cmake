# The examples do what they say. examples/NAME.c is a program that uses libcirc; it is built and run in a folder of its own, and given
# NAME.cpp, if there is one. Where NAME.in stands beside this file, that is its input, and NAME.out what it prints.
file(GLOB example_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
foreach(source IN LISTS example_sources)
	cmake_path(GET source STEM name)
	add_executable(example-${name} ${source})
	circ_compile_options(example-${name})
	set_target_properties(example-${name} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
	target_link_libraries(example-${name} PRIVATE circ_shared)
	file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/examples/${name})
	set(partner ${PROJECT_SOURCE_DIR}/examples/${name}.cpp)
	if(NOT EXISTS ${partner})
		set(partner "")
	endif()
	set(session "")
	if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/${name}.in)
		set(session sh ${CMAKE_CURRENT_LIST_DIR}/session.sh ${CMAKE_CURRENT_LIST_DIR}/${name})
	endif()
	add_test(NAME example.${name} COMMAND ${session} $<TARGET_FILE:example-${name}> ${partner}
		WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/examples/${name})
	set_tests_properties(example.${name} PROPERTIES LABELS example TIMEOUT 300)
endforeach()

# The demo of ./bootstrap, with both pairs of libraries.
find_program(CIRC_CLANGXX NAMES clang++-${LLVM_VERSION_MAJOR} clang++-22 clang++-19 clang++)
foreach(cxxlib libc++ libstdc++)
	add_test(NAME example.demo.${cxxlib} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/demo.sh
		$<TARGET_FILE:circ> "${CIRC_CLANGXX}" ${cxxlib} ${PROJECT_SOURCE_DIR}/examples ${CMAKE_CURRENT_LIST_DIR}/demo.out)
	set_tests_properties(example.demo.${cxxlib} PROPERTIES LABELS example SKIP_RETURN_CODE 77 TIMEOUT 300)
endforeach()

if(CIRC_WINE AND CIRC_WINDOWS_CLANG)
	add_test(NAME example.demo.msvc COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/demo.sh
		$<TARGET_FILE:circ> "${CIRC_CLANGXX}" msvc ${PROJECT_SOURCE_DIR}/examples ${CMAKE_CURRENT_LIST_DIR}/demo.out
		${Python3_EXECUTABLE} ${CIRC_WINE_PREFIX})
	set_tests_properties(example.demo.msvc PROPERTIES LABELS example SKIP_RETURN_CODE 77 TIMEOUT 300 FIXTURES_REQUIRED wine)
endif()

# Structured CIR beside the C++ that it stands for.
foreach(name resource retry array)
	foreach(cxxlib libc++ libstdc++)
		add_test(NAME example.${name}.${cxxlib} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/twin.sh
			$<TARGET_FILE:circ> "${CIRC_CLANGXX}" ${cxxlib} ${PROJECT_SOURCE_DIR}/examples ${name})
		set_tests_properties(example.${name}.${cxxlib} PROPERTIES LABELS example SKIP_RETURN_CODE 77 TIMEOUT 300)
	endforeach()
endforeach()

# A language of its own (examples/mini): its programs in process and for each target, and the diagnostics of wrong ones.
add_executable(example-mini ${PROJECT_SOURCE_DIR}/examples/mini/mini.c)
circ_compile_options(example-mini)
set_target_properties(example-mini PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(example-mini PRIVATE circ_shared)
function(circ_mini_test place)
	add_test(NAME example.mini.${place} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/examples/mini.py ${place}
		--mini $<TARGET_FILE:example-mini> --examples ${PROJECT_SOURCE_DIR}/examples/mini ${ARGN})
	set_tests_properties(example.mini.${place} PROPERTIES LABELS example SKIP_RETURN_CODE 77 TIMEOUT 600)
endfunction()
if(Python3_FOUND AND TARGET runtime-x86_64-linux-gnu)
	find_program(CIRC_GXX NAMES g++)
	find_program(CIRC_MINGW NAMES x86_64-w64-mingw32-g++-posix x86_64-w64-mingw32-g++)
	set(own_only "")
	if(CIRC_SANITIZE) # the sanitizers' own __cxa_throw comes before the C++ library's in such a process
		set(own_only --own-only)
	endif()
	circ_mini_test(wrong)
	circ_mini_test(gdb)
	circ_mini_test(jit --cxx "${CIRC_GXX}" ${own_only})
	circ_mini_test(elf --cxx "${CIRC_GXX}")
	if(CIRC_WINE AND CIRC_WINDOWS_CLANG) # else tests/wine or tests/e2e say what is missing
		circ_mini_test(mingw --cxx "${CIRC_MINGW}" --wine ${CIRC_WINE_PREFIX})
		circ_mini_test(msvc --cxx "${CIRC_CLANGXX}" --wine ${CIRC_WINE_PREFIX})
		set_tests_properties(example.mini.mingw example.mini.msvc PROPERTIES FIXTURES_REQUIRED wine)
	endif()
endif()
