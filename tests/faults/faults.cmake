# What must hold when the system fails circ.

# Memory: circ's own allocations fail one by one. arena.c and pool.c are compiled once more, with the places where they ask.
file(GLOB driver CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/driver/*.c)
file(GLOB fault_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_executable(allocation ${fault_sources} ${driver} ${PROJECT_SOURCE_DIR}/src/base/arena.c ${PROJECT_SOURCE_DIR}/src/base/pool.c)
circ_compile_options(allocation)
target_compile_definitions(allocation PRIVATE CIRC_FAULTS)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/driver/main.c PROPERTIES
	COMPILE_DEFINITIONS main=circ_main COMPILE_OPTIONS -Wno-missing-prototypes)
target_include_directories(allocation SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
foreach(name malloc calloc realloc posix_memalign aligned_alloc strdup strndup asprintf realpath open_memstream free
	read write open close fstat fchmod linkat rename memfd_create mkdtemp mkdir pipe2 posix_spawn mmap
	explain_demangle)
	target_link_options(allocation PRIVATE -Wl,--wrap=${name})
endforeach()
target_link_libraries(allocation PRIVATE circ_static)

set(allocation_inputs ${CMAKE_CURRENT_LIST_DIR}/program.cir ${CMAKE_CURRENT_LIST_DIR}/tried.cir)
foreach(name contract/1_structured_kinds contract/5_structured_cleanup_with_a_try language/records language/complex programs/try_throw
	programs/bases)
	list(APPEND allocation_inputs ${PROJECT_SOURCE_DIR}/tests/e2e/${name}.cir)
endforeach()
set(folder ${CMAKE_CURRENT_BINARY_DIR}/faults)
set(runs 80)
if(CIRC_SANITIZE)
	set(runs 25)
endif()
add_test(NAME faults.allocation COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/allocation.sh $<TARGET_FILE:allocation> ${folder}
	--runs ${runs} ${folder} ${allocation_inputs})
set_tests_properties(faults.allocation PROPERTIES LABELS faults TIMEOUT 300)

# kill -9, two processes with one output, folders that are read only.
if(Python3_FOUND)
	add_test(NAME faults.interrupted COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/interrupted.py --circ $<TARGET_FILE:circ>
		${PROJECT_SOURCE_DIR}/tests/e2e/programs/json_parser.cir ${CMAKE_CURRENT_LIST_DIR}/program.cir)
	set_tests_properties(faults.interrupted PROPERTIES LABELS faults TIMEOUT 300)
endif()
