# The files of src/view/page as arrays of bytes: view_html, view_style, view_script (src/view/page_files.h). Included, it makes the
# target circ_view; as a script (cmake -Dpage=FOLDER -Dout=FILE -P) it writes the C file.
set(view_html page.html)
set(view_style style.css)
# In the order in which they depend on each other.
set(view_script data.js columns.js rows.js blocks.js assembly.js layout.js graph.js path.js throw.js tables.js keys.js main.js)

if(CMAKE_SCRIPT_MODE_FILE)
	set(text "#include \"view/page_files.h\"\n")
	foreach(array view_html view_style view_script)
		set(bytes "")
		foreach(name IN LISTS ${array})
			file(READ ${page}/${name} part HEX)
			string(APPEND bytes "${part}")
		endforeach()
		string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
		string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
		string(APPEND text "const unsigned char ${array}[] = {\n${bytes}0};\nconst size_t ${array}_size = sizeof ${array} - 1;\n")
	endforeach()
	file(WRITE ${out} "${text}")
	return()
endif()

set(view_inputs ${view_html} ${view_style} ${view_script})
list(TRANSFORM view_inputs PREPEND ${PROJECT_SOURCE_DIR}/src/view/page/)
set(view_files ${PROJECT_BINARY_DIR}/view_page_files.c)
add_custom_command(OUTPUT ${view_files}
	COMMAND ${CMAKE_COMMAND} -Dpage=${PROJECT_SOURCE_DIR}/src/view/page -Dout=${view_files} -P ${CMAKE_CURRENT_LIST_FILE}
	DEPENDS ${view_inputs} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
circ_objects(circ_view view)
target_sources(circ_view PRIVATE ${view_files})
target_include_directories(circ_view SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
