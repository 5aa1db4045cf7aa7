# What `cmake --install` gives: bin/circ, lib/libcirc.*, include/circ/, the CMake package, circ.pc and share/circ/.
# Everything finds its way from its own place, so the tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/circ)

install(DIRECTORY include/circ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS circ_shared EXPORT circTargets)
install(TARGETS circ_static EXPORT circStaticTargets)
if(TARGET circ)
	install(TARGETS circ EXPORT circTargets)
endif()
install(EXPORT circTargets NAMESPACE circ:: DESTINATION ${package_dir})
# Apart, since linking libcirc.a needs LLVM and linking libcirc.so does not.
install(EXPORT circStaticTargets NAMESPACE circ:: DESTINATION ${package_dir})

configure_package_config_file(cmake/circConfig.cmake.in ${PROJECT_BINARY_DIR}/circConfig.cmake
	INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# The command compiles for targets of 32 bits, too; circConfig.cmake knows who can link the libraries.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/circConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
	${PROJECT_BINARY_DIR}/circConfig.cmake ${PROJECT_BINARY_DIR}/circConfigVersion.cmake
	cmake/CircSources.cmake
	DESTINATION ${package_dir})
install(DIRECTORY cmake/language cmake/toolchains DESTINATION ${package_dir})

# circ.pc: the prefix is given relative to the file itself.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
	set(pc_prefix ${CMAKE_INSTALL_PREFIX})
	set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
	set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
	file(RELATIVE_PATH up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
	string(REGEX REPLACE "/$" "" up ${up})
	set(pc_prefix "\${pcfiledir}/${up}")
	set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
	set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/circ.pc.in ${PROJECT_BINARY_DIR}/circ.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/circ.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# For debuggers: compiled by who uses it (docs/debugging.md).
install(FILES src/runtime/elf/unwind_hook.c DESTINATION ${CMAKE_INSTALL_DATADIR}/circ)
