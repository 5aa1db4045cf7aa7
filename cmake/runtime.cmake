# libcircrt: what programs link that circ compiled. It lies in lib/circ/TARGET below the build folder and below the prefix, where
# src/link/runtime_folder.c looks for it. Nothing of it is sanitized, and it is optimized in every build.

set(circrt_flags -std=c17 -O2 -fasynchronous-unwind-tables -ffunction-sections -fdata-sections -fvisibility=hidden -DCIRCEH_EXPORTED
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $<$<BOOL:${CIRC_WERROR}>:-Werror>
	-I ${PROJECT_SOURCE_DIR}/src -I ${PROJECT_SOURCE_DIR}/include -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

# circ_runtime_objects(OUT TARGET SUFFIX COMPILER FLAGS FOLDER|FILE...): an object for each C file of these, of src/runtime.
function(circ_runtime_objects out target suffix compiler flags)
	set(objects "")
	set(headers "")
	foreach(folder IN LISTS ARGN)
		if(folder MATCHES "[.]c$")
			cmake_path(GET folder PARENT_PATH folder)
		endif()
		file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/runtime/${folder}/*.h)
		list(APPEND headers ${found})
	endforeach()
	foreach(folder IN LISTS ARGN)
		if(folder MATCHES "[.]c$")
			set(sources ${PROJECT_SOURCE_DIR}/src/runtime/${folder})
			cmake_path(GET folder PARENT_PATH folder)
		else()
			file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/runtime/${folder}/*.c)
		endif()
		file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/runtime/${target}/${folder})
		foreach(source IN LISTS sources)
			cmake_path(GET source STEM name)
			set(object ${PROJECT_BINARY_DIR}/runtime/${target}/${folder}/${name}.${suffix})
			add_custom_command(OUTPUT ${object}
				COMMAND ${compiler} "${flags}" -c ${source} -o ${object}
				DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/include/circ/runtime.h
				COMMENT "Compiling ${folder}/${name}.c for ${target}"
				COMMAND_EXPAND_LISTS VERBATIM)
			list(APPEND objects ${object})
		endforeach()
	endforeach()
	set(${out} ${objects} PARENT_SCOPE)
endfunction()

# circ_runtime_archive(AR TARGET FILE OBJECT...): the archive, installed; the target runtime-TARGET makes all of a TARGET.
function(circ_runtime_archive ar target file)
	set(archive ${PROJECT_BINARY_DIR}/lib/circ/${target}/${file})
	file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/circ/${target})
	add_custom_command(OUTPUT ${archive}
		COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
		COMMAND ${ar} rcsD ${archive} ${ARGN}
		DEPENDS ${ARGN}
		COMMENT "Archiving ${file} for ${target}"
		VERBATIM)
	add_custom_target(runtime-${target}-${file} ALL DEPENDS ${archive})
	if(NOT TARGET runtime-${target})
		add_custom_target(runtime-${target})
	endif()
	add_dependencies(runtime-${target} runtime-${target}-${file})
	install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR}/circ/${target})
endfunction()

# For the system that circ runs on, by the compiler that compiles circ.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
	set(CIRC_ELF_FOLDER ${PROJECT_BINARY_DIR}/lib/circ/x86_64-linux-gnu)
	circ_runtime_objects(elf_objects x86_64-linux-gnu o ${CMAKE_C_COMPILER}
		"-D_GNU_SOURCE;-fPIC;-fno-stack-protector;${circrt_flags}" eh eh/unwind eh/elf eh/elf/x86_64)
	circ_runtime_archive(${CMAKE_AR} x86_64-linux-gnu libcircrt.a ${elf_objects})
	circ_runtime_objects(sjlj_objects x86_64-linux-gnu/sjlj o ${CMAKE_C_COMPILER}
		"-D_GNU_SOURCE;-fPIC;-fno-stack-protector;-DCIRCEH_SJLJ;${circrt_flags}" eh eh/sjlj eh/nofaults eh/elf/system.c eh/elf/write.c eh/elf/debug_info.c)
	circ_runtime_archive(${CMAKE_AR} x86_64-linux-gnu libcircrt-sjlj.a ${sjlj_objects})
endif()

# For AArch64 Linux, where there is a cross compiler for it.
find_program(CIRC_ARM_GCC aarch64-linux-gnu-gcc)
find_program(CIRC_ARM_AR aarch64-linux-gnu-ar)
if(CIRC_ARM_GCC AND CIRC_ARM_AR)
	circ_runtime_objects(arm_objects aarch64-linux-gnu o ${CIRC_ARM_GCC}
		"-D_GNU_SOURCE;-fPIC;-fno-stack-protector;${circrt_flags}" eh eh/unwind eh/elf eh/elf/aarch64)
	circ_runtime_archive(${CIRC_ARM_AR} aarch64-linux-gnu libcircrt.a ${arm_objects})
	circ_runtime_objects(arm_sjlj_objects aarch64-linux-gnu/sjlj o ${CIRC_ARM_GCC}
		"-D_GNU_SOURCE;-fPIC;-fno-stack-protector;-DCIRCEH_SJLJ;${circrt_flags}" eh eh/sjlj eh/nofaults eh/elf/system.c eh/elf/write.c eh/elf/debug_info.c)
	circ_runtime_archive(${CIRC_ARM_AR} aarch64-linux-gnu libcircrt-sjlj.a ${arm_sjlj_objects})
else()
	message(STATUS "No aarch64-linux-gnu-gcc: without it there is no runtime of circ's own exceptions for AArch64. "
		"On Debian: ./bootstrap deps arm")
endif()

# circrt.lib: what programs for Windows link without a Windows SDK. Compiled for Windows by clang, whatever compiles circ itself; the
# import libraries come from the .def files.

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

# A language's own exceptions (src/runtime/eh), apart from circrt.lib, since Microsoft's libraries have none of it either.
circ_runtime_objects(msvc_objects ${CIRC_WINDOWS_TARGET} obj ${CIRC_CLANG}
	"--target=${CIRC_WINDOWS_TARGET};-ffreestanding;${circrt_flags};-UCIRCEH_EXPORTED" eh eh/windows eh/msvc)
circ_runtime_archive(${CIRC_LLVM_AR} ${CIRC_WINDOWS_TARGET} circeh.lib ${msvc_objects})
circ_runtime_objects(msvc_sjlj_objects ${CIRC_WINDOWS_TARGET}/sjlj obj ${CIRC_CLANG}
	"--target=${CIRC_WINDOWS_TARGET};-ffreestanding;-DCIRCEH_SJLJ;${circrt_flags};-UCIRCEH_EXPORTED" eh eh/sjlj eh/nofaults eh/windows/system.c eh/windows/debug_info.c)
circ_runtime_archive(${CIRC_LLVM_AR} ${CIRC_WINDOWS_TARGET} circeh-sjlj.lib ${msvc_sjlj_objects})

# For WebAssembly, where there are wasi-libc's headers; C++'s exceptions, too (src/runtime/eh/wasm/README.md).
set(wasm_flags --target=wasm32-wasi -Wno-deprecated)
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "#include <unistd.h>\n" OUTPUT_FILE ${PROJECT_BINARY_DIR}/runtime/wasm.c)
execute_process(COMMAND ${CIRC_CLANG} ${wasm_flags} -c ${PROJECT_BINARY_DIR}/runtime/wasm.c -o ${PROJECT_BINARY_DIR}/runtime/wasm.o
	RESULT_VARIABLE wasm_works OUTPUT_QUIET ERROR_QUIET)
if(wasm_works EQUAL 0)
	circ_runtime_objects(wasm_objects wasm32-wasi o ${CIRC_CLANG}
		"${wasm_flags};-fwasm-exceptions;${circrt_flags}" eh eh/wasm eh/elf/write.c eh/nofaults eh/sjlj/search.c eh/sjlj/faults.c eh/sjlj/frames.c
		eh/unwind/lsda.c eh/unwind/class.c eh/unwind/foreign.c eh/unwind/memo.c eh/elf/cxx.c)
	circ_runtime_archive(${CIRC_LLVM_AR} wasm32-wasi libcircrt.a ${wasm_objects})
else()
	message(STATUS "No wasi-libc: without it there is no runtime of exceptions for WebAssembly. On Debian: ./bootstrap deps wasm")
endif()

# The same for windows-gnu, whose tables are ELF's.
set(gnu_target x86_64-w64-windows-gnu)
circ_runtime_objects(gnu_objects ${gnu_target} o ${CIRC_CLANG}
	"--target=${gnu_target};-ffreestanding;${circrt_flags};-UCIRCEH_EXPORTED" eh eh/unwind eh/windows eh/gnu)
circ_runtime_archive(${CIRC_LLVM_AR} ${gnu_target} libcircrt.a ${gnu_objects})
circ_runtime_objects(gnu_sjlj_objects ${gnu_target}/sjlj o ${CIRC_CLANG}
	"--target=${gnu_target};-ffreestanding;-DCIRCEH_SJLJ;${circrt_flags};-UCIRCEH_EXPORTED" eh eh/sjlj eh/nofaults eh/windows/system.c eh/windows/debug_info.c)
circ_runtime_archive(${CIRC_LLVM_AR} ${gnu_target} libcircrt-sjlj.a ${gnu_sjlj_objects})

# What the tests of Windows need: the same compiler, and where the libraries are.
set(CIRC_WINDOWS_CLANG ${CIRC_CLANG})
set(CIRC_WINDOWS_FOLDER ${runtime_folder})

add_custom_target(circrt ALL DEPENDS ${runtime_libraries})
install(FILES ${runtime_libraries} DESTINATION ${CMAKE_INSTALL_LIBDIR}/circ/${CIRC_WINDOWS_TARGET})
