# The installed tree, used as a stranger would: by find_package(), by pkg-config, and with a .cir file as a source.
add_test(NAME package.install COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/install.sh
	${CMAKE_COMMAND} ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_VERSION} ${CMAKE_C_COMPILER})
set_tests_properties(package.install PROPERTIES LABELS package TIMEOUT 300)

add_test(NAME package.exports COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/exports.sh $<TARGET_FILE:circ_shared> ${CMAKE_NM})
set_tests_properties(package.exports PROPERTIES LABELS package)
