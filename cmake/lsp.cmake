# The language server, where cJSON's header is installed; its library is loaded when the server starts (src/lsp/cjson.h). Sets CIRC_LSP:
# what the command links for it.
find_path(CIRC_CJSON_INCLUDE cjson/cJSON.h)
set(CIRC_LSP "")
if(CIRC_CJSON_INCLUDE)
	circ_objects(circ_lsp lsp)
	target_include_directories(circ_lsp SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CIRC_CJSON_INCLUDE})
	set(CIRC_LSP $<TARGET_OBJECTS:circ_lsp> ${CMAKE_DL_LIBS})
	set_source_files_properties(src/driver/lsp.c PROPERTIES COMPILE_DEFINITIONS CIRC_HAVE_CJSON)
else()
	message(STATUS "no cJSON (Debian: libcjson-dev): 'circ lsp' will say so")
endif()
