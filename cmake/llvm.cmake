# Finds LLVM (CIRC_LLVM_VERSION, else the newest supported) and sets CIRC_LLVM_LIBRARY, what to link.
# LLVM_DIR chooses an installation of one's own, as usual.

set(CIRC_LLVM_SUPPORTED 22 21 20 19)

if(CIRC_LLVM_VERSION)
	set(wanted ${CIRC_LLVM_VERSION})
else()
	set(wanted ${CIRC_LLVM_SUPPORTED})
endif()
if(LLVM_DIR AND NOT LLVM_DIR MATCHES "-NOTFOUND$")
	find_package(LLVM CONFIG QUIET)
endif()
foreach(major IN LISTS wanted)
	if(NOT LLVM_FOUND) # LLVM matches major.minor exactly; every release since 18 is .1
		find_package(LLVM ${major}.1 CONFIG QUIET PATHS /usr/lib/llvm-${major})
	endif()
endforeach()
if(NOT LLVM_FOUND)
	list(JOIN wanted ", " wanted)
	message(FATAL_ERROR "LLVM not found (looked for ${wanted}).\n"
		"On Debian: apt-get install llvm-22-dev, or let ./bootstrap do it. "
		"Elsewhere: -DLLVM_DIR=<prefix>/lib/cmake/llvm.")
endif()
if(NOT LLVM_VERSION_MAJOR IN_LIST CIRC_LLVM_SUPPORTED)
	message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR} is not supported; circ needs 19 to 22.")
endif()
if(CIRC_LLVM_VERSION AND NOT LLVM_VERSION_MAJOR EQUAL CIRC_LLVM_VERSION)
	message(FATAL_ERROR "LLVM ${CIRC_LLVM_VERSION} was asked for, but LLVM_DIR is ${LLVM_PACKAGE_VERSION} (${LLVM_DIR}).")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")

# The shared libLLVM where the distribution ships it, else the component archives.
if(TARGET LLVM)
	set(CIRC_LLVM_LIBRARY LLVM)
else()
	llvm_map_components_to_libnames(CIRC_LLVM_LIBRARY all)
endif()
