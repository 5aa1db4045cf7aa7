# Finds LLVM (CIRC_LLVM_VERSION, else the newest supported) and sets CIRC_LLVM_LIBRARY, what to link.
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
	message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR} is not supported; circ needs 19 to 22.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION}: ${LLVM_DIR}")

# The shared libLLVM where the distribution ships it, else the component archives.
if(TARGET LLVM)
	set(CIRC_LLVM_LIBRARY LLVM)
else()
	llvm_map_components_to_libnames(CIRC_LLVM_LIBRARY all)
endif()
