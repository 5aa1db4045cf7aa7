# Programs for x86_64 windows-msvc on another system: clang compiles C and C++, circ compiles CIR, lld links them with circ's own runtime
# and import libraries. No Windows SDK is needed, and there are no headers of one.
#
#	cmake -B build --toolchain PREFIX/lib/cmake/circ/toolchains/windows-msvc.cmake
#
# CMAKE_C_COMPILER and CMAKE_CXX_COMPILER may name another clang.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)

foreach(circ_language C CXX CIR)
	set(CMAKE_${circ_language}_COMPILER_TARGET x86_64-pc-windows-msvc)
	# Which of Microsoft's libraries an object asks for; circ's stand in for all of them.
	set(CMAKE_${circ_language}_STANDARD_LIBRARIES "")
	foreach(circ_library circeh.lib circrt.lib vcruntime140.lib ucrtbase.lib kernel32.lib)
		cmake_path(SET circ_path NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../circ/x86_64-pc-windows-msvc/${circ_library}")
		if(NOT EXISTS ${circ_path})
			message(FATAL_ERROR "circ's runtime for Windows, ${circ_path}, is not there, because this circ was built without clang.")
		endif()
		string(APPEND CMAKE_${circ_language}_STANDARD_LIBRARIES " \"${circ_path}\"")
	endforeach()
endforeach()
set(CMAKE_MSVC_RUNTIME_LIBRARY "")
# A PDB: clang asks the linker for one where -g is among the flags of C++, which programs of nothing but CIR are linked without.
foreach(circ_kind EXE SHARED MODULE)
	set(CMAKE_${circ_kind}_LINKER_FLAGS_DEBUG_INIT "-Wl,/debug")
	set(CMAKE_${circ_kind}_LINKER_FLAGS_RELWITHDEBINFO_INIT "-Wl,/debug")
endforeach()

foreach(circ_version 22 21 20 19)
	list(APPEND circ_clangs clang-${circ_version})
	list(APPEND circ_clangxxs clang++-${circ_version})
endforeach()
find_program(CMAKE_C_COMPILER NAMES ${circ_clangs} clang REQUIRED)
find_program(CMAKE_CXX_COMPILER NAMES ${circ_clangxxs} clang++ REQUIRED)
find_program(CMAKE_RC_COMPILER NAMES llvm-rc-22 llvm-rc-21 llvm-rc-20 llvm-rc-19 llvm-rc)
find_program(CMAKE_AR NAMES llvm-ar-22 llvm-ar-21 llvm-ar-20 llvm-ar-19 llvm-ar)
foreach(circ_variable circ_kind circ_language circ_library circ_path circ_version circ_clangs circ_clangxxs)
	unset(${circ_variable})
endforeach()

list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/../language")
cmake_path(SET circ_DIR NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/..")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
