# Finds LLVM (CIRC_LLVM_VERSION, else the newest supported) and sets CIRC_LLVM_LIBRARY, what the libraries link, and
# CIRC_LLVM_COMMAND_LIBRARY, what the command does.
# LLVM_DIR chooses an installation of one's own, as usual.

set(CIRC_LLVM_SUPPORTED 22 21 20 19)

if(CIRC_LLVM_VERSION)
	set(wanted ${CIRC_LLVM_VERSION})
else()
	set(wanted ${CIRC_LLVM_SUPPORTED})
endif()
if(NOT CIRC_LLVM_VERSION AND LLVM_DIR)
	find_package(LLVM CONFIG QUIET)
endif()
foreach(major IN LISTS wanted)
	foreach(minor 1 0) # LLVM matches major.minor exactly; releases are .1, development is .0
		if(NOT LLVM_FOUND)
			find_package(LLVM ${major}.${minor} CONFIG QUIET PATHS /usr/lib/llvm-${major})
		endif()
	endforeach()
endforeach()
if(NOT LLVM_FOUND)
	list(JOIN wanted ", " wanted)
	message(FATAL_ERROR "LLVM not found (looked for ${wanted}).\n"
		"On Debian: apt-get install llvm-22-dev, or let ./bootstrap do it. "
		"Elsewhere: -DLLVM_DIR=<prefix>/lib/cmake/llvm.")
endif()
if(NOT LLVM_VERSION_MAJOR IN_LIST CIRC_LLVM_SUPPORTED)
	message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR} is not supported; expected 19 to 22.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")

# The shared libLLVM where the distribution ships it, else the component archives.
if(TARGET LLVM)
	set(CIRC_LLVM_LIBRARY LLVM)
else()
	llvm_map_components_to_libnames(CIRC_LLVM_LIBRARY all)
endif()

# The command links the archives where it can: to load and bind the shared library is half of the time that a small file takes.
set(CIRC_LLVM_COMMAND_LIBRARY ${CIRC_LLVM_LIBRARY})
if(CIRC_LLVM_STATIC)
	include(CheckLibraryExists)
	check_library_exists(stdc++ __cxa_throw "" CIRC_HAVE_LIBSTDCXX)
	llvm_map_components_to_libnames(archives X86 AArch64 WebAssembly passes orcjit orcdebugging mcjit bitreader bitwriter irreader linker)
	set(missing "")
	foreach(needed IN LISTS archives ITEMS ZLIB::ZLIB zstd::libzstd_shared)
		if(NOT TARGET ${needed})
			list(APPEND missing ${needed})
		endif()
	endforeach()
	if(NOT CIRC_HAVE_LIBSTDCXX)
		list(APPEND missing libstdc++)
	endif()
	if(NOT missing)
		# To bind the shared one takes a quarter of the time that the command takes to start. What `circ run` runs gets it all
		# the same (driver/run.c); the unwinder stays the shared one, of which a process has one.
		# A sanitizer looks into it, and needs the shared one.
		set(CIRC_LIBSTDCXX_ARCHIVE "")
		if(NOT CIRC_SANITIZE)
			execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
				OUTPUT_VARIABLE CIRC_LIBSTDCXX_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
		endif()
		if(IS_ABSOLUTE "${CIRC_LIBSTDCXX_ARCHIVE}" AND EXISTS "${CIRC_LIBSTDCXX_ARCHIVE}")
			set(CIRC_LLVM_COMMAND_LIBRARY ${archives})
			foreach(leaf LLVMSupport LLVMDemangle) # behind which it must stand
				set_property(TARGET ${leaf} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "${CIRC_LIBSTDCXX_ARCHIVE}" m)
			endforeach()
		else()
			unset(CIRC_LIBSTDCXX_ARCHIVE)
			set(CIRC_LLVM_COMMAND_LIBRARY ${archives} stdc++)
		endif()
	else()
		message(STATUS "The command loads LLVM as a shared library, because its archives need ${missing}")
	endif()
endif()

# LLVM has 50,000 addresses that the loader adds the command's own to: packed they take a hundredth of the room. A C
# library before glibc 2.36 does not start such a program.
if(archives AND NOT missing AND NOT CMAKE_CROSSCOMPILING)
	include(CheckCSourceRuns)
	set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:-z,pack-relative-relocs)
	check_c_source_runs("int main(void) { return 0; }" CIRC_HAVE_PACKED_RELOCATIONS)
	unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

# What not all versions have in their C interface.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES ${CIRC_LLVM_LIBRARY})
set(CMAKE_REQUIRED_INCLUDES ${LLVM_INCLUDE_DIRS})
check_symbol_exists(LLVMDIBuilderInsertLabelAtEnd llvm-c/DebugInfo.h CIRC_HAVE_DEBUG_LABELS)
check_symbol_exists(LLVMGetICmpSameSign llvm-c/Core.h CIRC_HAVE_SAMESIGN)
check_symbol_exists(LLVMGetSwitchCaseValue llvm-c/Core.h CIRC_HAVE_SWITCH_CASE_VALUES)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)

# LLVM's demanglers are C++; src/explain/names calls them by their symbols, if that gives what it should.
if(NOT CMAKE_CROSSCOMPILING)
	include(CheckCSourceRuns)
	set(CMAKE_REQUIRED_LIBRARIES ${CIRC_LLVM_LIBRARY})
	check_c_source_runs([[
		#include <string.h>
		char *demangle(unsigned long len, const char *symbol, _Bool with_parameters) __asm__(
			"_ZN4llvm15itaniumDemangleESt17basic_string_viewIcSt11char_traitsIcEEb");
		char *undecorate(unsigned long len, const char *symbol, unsigned long *n, int *status, int flags) __asm__(
			"_ZN4llvm17microsoftDemangleESt17basic_string_viewIcSt11char_traitsIcEEPmPiNS_15MSDemangleFlagsE");
		char *demangle_rust(unsigned long len, const char *symbol) __asm__("_ZN4llvm12rustDemangleESt17basic_string_viewIcSt11char_traitsIcEE");
		int main(void)
		{
			char *rust = demangle_rust(9, "_RNvC1a1f");
			char *name = demangle(5, "_Z1fv", 1), *other = undecorate(9, "?f@@YAXXZ", 0, 0, 0);
			return !name || strcmp(name, "f()") || !other || !strstr(other, "f(void)") || !rust || strcmp(rust, "a::f");
		}]] CIRC_HAVE_DEMANGLERS)
	unset(CMAKE_REQUIRED_LIBRARIES)
endif()
