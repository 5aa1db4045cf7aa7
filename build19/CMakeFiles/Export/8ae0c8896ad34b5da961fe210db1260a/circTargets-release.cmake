#----------------------------------------------------------------
# Generated CMake target import file for configuration "Release".
#----------------------------------------------------------------

# Commands may need to know the format version.
set(CMAKE_IMPORT_FILE_VERSION 1)

# Import target "circ::circ" for configuration "Release"
set_property(TARGET circ::circ APPEND PROPERTY IMPORTED_CONFIGURATIONS RELEASE)
set_target_properties(circ::circ PROPERTIES
  IMPORTED_LINK_DEPENDENT_LIBRARIES_RELEASE "LLVM"
  IMPORTED_LOCATION_RELEASE "${_IMPORT_PREFIX}/lib/libcirc.so.0.1.0"
  IMPORTED_SONAME_RELEASE "libcirc.so.0.1"
  )

list(APPEND _cmake_import_check_targets circ::circ )
list(APPEND _cmake_import_check_files_for_circ::circ "${_IMPORT_PREFIX}/lib/libcirc.so.0.1.0" )

# Import target "circ::compiler" for configuration "Release"
set_property(TARGET circ::compiler APPEND PROPERTY IMPORTED_CONFIGURATIONS RELEASE)
set_target_properties(circ::compiler PROPERTIES
  IMPORTED_LOCATION_RELEASE "${_IMPORT_PREFIX}/bin/circ"
  )

list(APPEND _cmake_import_check_targets circ::compiler )
list(APPEND _cmake_import_check_files_for_circ::compiler "${_IMPORT_PREFIX}/bin/circ" )

# Commands beyond this point should not need to know the version.
set(CMAKE_IMPORT_FILE_VERSION)
