# libcircrt alone: programs that throw through it, made without circ.
if(Python3_FOUND AND TARGET runtime-x86_64-linux-gnu)
	set(runtime_run ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run.py --libraries ${PROJECT_BINARY_DIR}/lib/circ
		--llvm ${LLVM_TOOLS_BINARY_DIR} --circ $<TARGET_FILE:circ>)
	foreach(pair libc++ libstdc++)
		add_test(NAME runtime.${pair} COMMAND ${runtime_run} --pair ${pair})
		set_tests_properties(runtime.${pair} PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
		add_test(NAME runtime.faults.${pair} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/faults.py --circ $<TARGET_FILE:circ>
			--libraries ${PROJECT_BINARY_DIR}/lib/circ --llvm ${LLVM_TOOLS_BINARY_DIR} --pair ${pair})
		set_tests_properties(runtime.faults.${pair} PROPERTIES LABELS runtime TIMEOUT 300)
	endforeach()
	if(CIRC_WINE AND TARGET runtime-x86_64-pc-windows-msvc)
		foreach(pair msvc mingw)
			add_test(NAME runtime.${pair} COMMAND ${runtime_run} --pair ${pair} --wine ${CIRC_WINE_PREFIX})
			set_tests_properties(runtime.${pair} PROPERTIES LABELS runtime TIMEOUT 600 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED wine)
		endforeach()
	endif()
	find_program(CIRC_GNATMAKE NAMES gnatmake)
	if(CIRC_GNATMAKE)
		add_test(NAME runtime.ada COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/ada.py $<TARGET_FILE:circ> ${CIRC_GNATMAKE}
			${CIRC_ELF_FOLDER}/libcircrt.a)
		set_tests_properties(runtime.ada PROPERTIES LABELS runtime)
	else()
		circ_missing_test(runtime.ada "no gnatmake: install it with ./bootstrap deps ci")
	endif()
	add_test(NAME runtime.names COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/names.py ${PROJECT_SOURCE_DIR}
		${CMAKE_NM} ${PROJECT_BINARY_DIR}/lib/circ)
	set_tests_properties(runtime.names PROPERTIES LABELS runtime)
endif()
